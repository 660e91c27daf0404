/**
 * A key run: the keys of a range of rows, sorted, in an immutable file beside the journal. It has
 * the content of a `KeyIndex` of these rows and is only an optimisation: one that is damaged or of
 * another journal is skipped, and its keys are read from the journal.
 *
 * `<shard>.keys-<journal id>-<first row>-<last row>.run`: a line of JSON that ends in its CRC-32,
 * padded to a page; entries of 16 bytes, 256 per page, as in `key-index.ts`; the start of each of
 * the 4,096 shards; the CRC-32 of every page. The line contains the CRC-32 of the latter two and
 * the chain before the first row and at the last, so that rows of another history are recognised.
 *
 * The file is memory-mapped: a look-up touches about two pages, and a system call for each would
 * cost more than the search. The mapping is private, so no stray write reaches the file. A page is
 * checked at every use, in a tenth of a microsecond, because the disk may return other bytes later.
 */
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  compareKey,
  ENTRY,
  fractionAt,
  fractionOf,
  type KeyWords,
  rowAt,
  SHARDS,
} from "./key-index.ts";

export const RUN_FORMAT = 1;
export const ENTRY_BYTES = ENTRY * 4;
export const PAGE_BYTES = 4_096;
const PAGE_ENTRIES = PAGE_BYTES / ENTRY_BYTES;
/** Keys are spread evenly: this many guesses find nearly all of them; bisection finds the rest. */
const GUESSES = 4;
/** Pages checked in one step: a megabyte. */
const CHECK_PAGES = 256;

export interface RunFile {
  readonly path: string;
  readonly journalId: string;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** The first line of a run. */
export interface RunHeader {
  readonly format: number;
  readonly journal_id: string;
  readonly first_row: number;
  readonly last_row: number;
  /** The chain before the first row, and at the last. */
  readonly chain_before: string;
  readonly chain: string;
  readonly count: number;
  /** Number of keys with refusals only, and the time of the last such refusal. */
  readonly refused: number;
  readonly refused_at_ms: number;
  readonly tables_crc: number;
}

/** A run is damaged; its keys have to be read from the journal. */
export class RunDamaged extends Error {
  override readonly name = "RunDamaged";
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${basename(path)}: ${problem}`);
    this.path = path;
  }
}

/** The path of a run. */
export function runPath(
  journalPath: string,
  { journalId, firstRow, lastRow }: Omit<RunFile, "path">,
): string {
  const shard = basename(journalPath, ".db");
  return join(dirname(journalPath), `${shard}.keys-${journalId}-${firstRow}-${lastRow}.run`);
}

/** Runs beside a journal file, of this journal or another. */
export function runFiles(journalPath: string): RunFile[] {
  const folder = dirname(journalPath);
  const shard = basename(journalPath, ".db");
  const name = new RegExp(`^${shard}\\.keys-([0-9a-f]{32})-(\\d+)-(\\d+)\\.run$`);
  const found: RunFile[] = [];
  for (const entry of readdirSync(folder)) {
    const match = name.exec(entry);
    if (!match) continue;
    const [, journalId, first, last] = match;
    found.push({
      ...{ path: join(folder, entry), journalId: journalId! },
      ...{ firstRow: Number(first), lastRow: Number(last) },
    });
  }
  return found;
}

/** The first page of a run. */
export function headerPage(header: RunHeader): Uint8Array {
  const json = JSON.stringify(header);
  const page = Buffer.alloc(PAGE_BYTES, " ");
  page.write(`${json} ${Bun.hash.crc32(json).toString(16).padStart(8, "0")}\n`);
  return page;
}

function headerIn(bytes: Uint8Array): RunHeader | null {
  const line = Buffer.from(bytes.subarray(0, PAGE_BYTES)).toString().split("\n")[0] ?? "";
  const json = line.slice(0, -9);
  const crc = Bun.hash.crc32(json).toString(16).padStart(8, "0");
  return line.endsWith(` ${crc}`) ? (JSON.parse(json) as RunHeader) : null;
}

export class KeyRun {
  readonly file: RunFile;
  readonly header: RunHeader;
  /** Distinguishes a file from one that replaced it under its name. */
  readonly inode: number;
  readonly #pages: Uint8Array;
  readonly #entries: Uint32Array;
  /** The index of the first entry of each shard, and the number of all entries. */
  readonly #starts: Uint32Array;
  readonly #crcs: Uint32Array;

  /** @throws RunDamaged when it does not match its name, or its tables are damaged. */
  constructor(file: RunFile) {
    this.file = file;
    const { bytes, inode } = mapped(file.path);
    this.inode = inode;
    const header = headerIn(bytes);
    if (!header) throw this.#damaged("its header is not what was written");
    this.header = header;
    const { format, journal_id, first_row, last_row, count } = header;
    if (format !== RUN_FORMAT) throw this.#damaged(`format ${format} is not ${RUN_FORMAT}`);
    const isNamed = journal_id === file.journalId && first_row === file.firstRow;
    if (!isNamed || last_row !== file.lastRow) throw this.#damaged("it has another one's name");
    const pages = Math.ceil(count / PAGE_ENTRIES);
    const tablesAt = PAGE_BYTES + count * ENTRY_BYTES;
    // A copy: a mapped file can change after the check.
    const tables = bytes.slice(tablesAt);
    if (tables.length !== (SHARDS + 1 + pages) * 4) throw this.#damaged("it is not whole");
    if (Bun.hash.crc32(tables) !== header.tables_crc) {
      throw this.#damaged("its tables are not what was written");
    }
    const { buffer, byteOffset } = bytes;
    this.#pages = bytes.subarray(PAGE_BYTES, tablesAt);
    this.#entries = new Uint32Array(buffer, byteOffset + PAGE_BYTES, count * ENTRY);
    this.#starts = new Uint32Array(tables.buffer, 0, SHARDS + 1);
    this.#crcs = new Uint32Array(tables.buffer, (SHARDS + 1) * 4, pages);
  }

  /**
   * The last row of a key in this range, or 0.
   *
   * @throws RunDamaged when a page that it reads is damaged.
   */
  find(key: KeyWords): number {
    let [low, high] = [this.#starts[key.shard]!, this.#starts[key.shard + 1]!];
    const sought = fractionOf(key.a, key.b);
    let [lowest, highest] = [0, 1];
    let checked = -1;
    for (let looks = 0; low < high; looks += 1) {
      const share = looks < GUESSES ? (sought - lowest) / (highest - lowest || 1) : 0.5;
      const middle = Math.min(high - 1, low + Math.floor(share * (high - low)));
      const page = Math.floor(middle / PAGE_ENTRIES);
      if (page !== checked) this.#check(page);
      checked = page;
      const at = middle * ENTRY;
      const order = compareKey(this.#entries, at, key);
      if (order === 0) return rowAt(this.#entries, at);
      if (order < 0) {
        low = middle + 1;
        lowest = fractionAt(this.#entries, at);
      } else {
        high = middle;
        highest = fractionAt(this.#entries, at);
      }
    }
    return 0;
  }

  /**
   * A copy of a shard's entries, sorted by key.
   *
   * @throws RunDamaged as `find`.
   */
  sorted(shard: number): Uint32Array {
    const [from, to] = [this.#starts[shard]!, this.#starts[shard + 1]!];
    const end = Math.ceil(to / PAGE_ENTRIES);
    for (let page = Math.floor(from / PAGE_ENTRIES); page < end; page += 1) this.#check(page);
    return this.#entries.slice(from * ENTRY, to * ENTRY);
  }

  /**
   * Checks all pages, some hundred per step.
   *
   * @throws RunDamaged at the first damaged page.
   */
  *checking(): Generator<void, void> {
    for (let page = 0; page < this.#crcs.length; page += 1) {
      this.#check(page);
      if (page % CHECK_PAGES === 0) yield;
    }
  }

  #check(page: number): void {
    const bytes = this.#pages.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
    if (Bun.hash.crc32(bytes) !== this.#crcs[page]) {
      throw this.#damaged(`page ${page} is not what was written`);
    }
  }

  #damaged(problem: string): RunDamaged {
    return new RunDamaged(this.file.path, problem);
  }
}

function mapped(path: string): { bytes: Uint8Array; inode: number } {
  try {
    return { bytes: Bun.mmap(path, { shared: false }), inode: statSync(path).ino };
  } catch (error) {
    throw new RunDamaged(path, `it cannot be read: ${String(error)}`);
  }
}
