/**
 * A run: the keys of a range of rows as a file beside the journal, sorted, never altered. It is
 * what a `KeyIndex` of these rows would be, written down, and only ever an optimisation: one that
 * is not what was written, or not of this journal, is passed over, and the journal tells its keys.
 *
 * `<shard>.keys-<journal id>-<first row>-<last row>.run`: a line of JSON that ends in its CRC-32,
 * filled up to a page; entries of 16 bytes, 256 to a page, as `key-index.ts` has them; where each
 * of the 4,096 shards begins; the CRC-32 of every page. The line has the CRC-32 of the latter two
 * and the journal's chain before the first row and at the last, so that rows of another past are
 * not taken for these.
 *
 * It is mapped, not read: a look-up touches about two pages, and a system call for each would cost
 * more than the search. The mapping is private: no stray write reaches the file. A page is checked
 * whenever it is looked at, in a tenth of a microsecond: by then the disk may hand out another one.
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
/** Keys are spread evenly: so many guesses find nearly all; the rest is halved. */
const GUESSES = 4;
/** Pages that are checked in one step: a megabyte. */
const CHECK_PAGES = 256;

export interface RunFile {
  readonly path: string;
  readonly journalId: string;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** What the first line of a run says. */
export interface RunHeader {
  readonly format: number;
  readonly journal_id: string;
  readonly first_row: number;
  readonly last_row: number;
  /** The journal's chain before the first row, and at the last. */
  readonly chain_before: string;
  readonly chain: string;
  readonly count: number;
  /** Keys that only ever came to refusals, and when the last of these was given. */
  readonly refused: number;
  readonly refused_at_ms: number;
  readonly tables_crc: number;
}

/** A run is not what was written; its keys have to be read from the journal. */
export class RunDamaged extends Error {
  override readonly name = "RunDamaged";
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${basename(path)}: ${problem}`);
    this.path = path;
  }
}

/** The name of a run, with the folder of its journal. */
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
  /** Tells a file from one that took its name. */
  readonly inode: number;
  readonly #pages: Uint8Array;
  readonly #entries: Uint32Array;
  /** The number of the first entry of each shard, and of all entries. */
  readonly #starts: Uint32Array;
  readonly #crcs: Uint32Array;

  /** @throws RunDamaged when it is not what its name says, or its tables are damaged. */
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
    // A copy: what was checked must not change behind our back, as what is mapped may.
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
   * @throws RunDamaged when a page that it looks at is not what was written.
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
   * The entries of a shard by the order of their keys; a copy.
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
   * Reads all of its pages, in steps of some hundred.
   *
   * @throws RunDamaged at the first that is not what was written.
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
