/**
 * A segment: blocks of old rows in a compressed file that never changes.
 *
 * innkeep segment 1                    format
 * frame, frame …                       zstd, some 256 KB of blocks each
 * [[last row, its chain, where, bytes, crc], …]   the index, a frame each
 * {"journal_id": …, "sha256": …} crc   512 bytes: journal, rows, chains
 *
 * In a frame each block is a line `row crc chain keys bytes`, then its keys in hex and its text.
 * The text repeats the keys in hex, which zstd compresses. Blocks are not packed separately, so
 * content that the blocks of a frame share is stored once.
 *
 * Maintained invariant: a block has the text, the keys and the chain that it had in the database,
 * and its own CRC. Blocks of a segment are checked like all others.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import { Damage } from "../../core/damage.ts";
import { plainBlock, type StoredBlock } from "../block.ts";
import type { Head } from "../head.ts";

const MAGIC = "innkeep segment 1\n";
const FRAME_BYTES = 256 * 1024;
/** Limit for decompression: a frame has at most one large row more than its size. */
const FRAME_MAX_BYTES = 256 * 1024 * 1024;
/** Higher levels cost many times the CPU for a few per cent. */
const LEVEL = 9;
const FACTS_BYTES = 512;
const CHECK_BYTES = 1024 * 1024;
/**
 * Errors of bad sectors, of missing rights (as after an archive by root) and of paths that are not
 * files.
 */
const UNREADABLE: ReadonlySet<string> = new Set([
  ...["EIO", "EACCES", "EPERM", "EISDIR", "ENOTDIR", "ELOOP"],
]);

/**
 * The error to throw for `error`: damage if the file at `path` cannot be read, otherwise `error`.
 */
export function unreadable(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !UNREADABLE.has(code)) return error;
  return new Damage("segment_damaged", `${path} cannot be read: ${code}`);
}

export interface SegmentFacts {
  readonly journal_id: string;
  readonly first: number;
  readonly last: number;
  /** The chain before the first row, and up to the last. */
  readonly chain_before: string;
  readonly chain: string;
  readonly index_at: number;
  readonly index_crc: number;
  /** Of all bytes before the facts. */
  readonly sha256: string;
}

export interface Frame {
  /** Its last row, and the chain up to it. */
  readonly last: number;
  readonly chain: string;
  readonly at: number;
  readonly bytes: number;
  /** Of the compressed bytes. */
  readonly crc: number;
}

/** Writes one segment, from its first block to its facts; the file is durable at the end. */
export class SegmentWriter {
  readonly #fd: number;
  readonly #hash = new Bun.CryptoHasher("sha256");
  readonly #journalId: string;
  readonly #before: Head;
  readonly #frames: Frame[] = [];
  #parts: Buffer[] = [];
  #partBytes = 0;
  #at = 0;
  #end: Head;
  /** Uncompressed size of all blocks so far. */
  bytes = 0;

  /** For the blocks after `before`; overwrites an existing file. */
  constructor(path: string, journalId: string, before: Head) {
    this.#fd = openSync(path, "w", 0o600);
    this.#journalId = journalId;
    this.#before = before;
    this.#end = before;
    this.#write(Buffer.from(MAGIC));
  }

  /** The last row added, and the chain up to it. */
  get end(): Head {
    return this.#end;
  }

  get written(): number {
    return this.#at;
  }

  /** Adds the next block, which must be checked. Returns true when that ended a frame. */
  add(stored: StoredBlock): boolean {
    const { row, keys, payload, crc, chain } = plainBlock(stored);
    const keyText = Buffer.from(keys ? Buffer.from(keys).toString("hex") : "");
    const bodyBytes = keyText.length + payload.length;
    const head = Buffer.from(`${row} ${crc} ${chain} ${keys ? keyText.length : -1} ${bodyBytes}\n`);
    this.#parts.push(head, keyText, payload);
    this.#partBytes += head.length + bodyBytes;
    this.bytes += head.length + bodyBytes;
    this.#end = { row, chain };
    const isFull = this.#partBytes >= FRAME_BYTES;
    if (isFull) this.#endFrame();
    return isFull;
  }

  /** Ends the file and makes it durable. */
  finish(): SegmentFacts {
    this.#endFrame();
    const index = Buffer.from(
      JSON.stringify(
        this.#frames.map(({ last, chain, at, bytes, crc }) => [last, chain, at, bytes, crc]),
      ),
    );
    const index_at = this.#at;
    this.#write(index);
    const facts: SegmentFacts = {
      journal_id: this.#journalId,
      first: this.#before.row + 1,
      last: this.#end.row,
      chain_before: this.#before.chain,
      chain: this.#end.chain,
      index_at,
      index_crc: Bun.hash.crc32(index),
      sha256: this.#hash.digest("hex"),
    };
    writeSync(this.#fd, lineOf(facts));
    fsyncSync(this.#fd);
    return facts;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #endFrame(): void {
    if (this.#partBytes === 0) return;
    const packed = Bun.zstdCompressSync(Buffer.concat(this.#parts), { level: LEVEL });
    const { row: last, chain } = this.#end;
    const crc = Bun.hash.crc32(packed);
    this.#frames.push({ last, chain, at: this.#at, bytes: packed.length, crc });
    this.#write(packed);
    this.#parts = [];
    this.#partBytes = 0;
  }

  #write(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) from += writeSync(this.#fd, bytes, from);
    this.#hash.update(bytes);
    this.#at += bytes.length;
  }
}

function lineOf(facts: SegmentFacts): string {
  const text = JSON.stringify(facts);
  const crc = Bun.hash.crc32(text).toString(16).padStart(8, "0");
  return `${`${text} ${crc}`.padEnd(FACTS_BYTES - 1)}\n`;
}

/** An existing segment. Frames and facts are checked when read. */
export class SegmentFile {
  readonly path: string;
  readonly facts: SegmentFacts;
  #frames: readonly Frame[] | null = null;

  /** @throws Damage when the file is missing, truncated or no segment. */
  constructor(path: string) {
    this.path = path;
    this.facts = this.#reading((fd) => {
      const { size } = fstatSync(fd);
      const text = this.#bytesAt(fd, size - FACTS_BYTES, FACTS_BYTES).toString();
      const facts = JSON.parse(text.slice(0, text.lastIndexOf("}") + 1)) as SegmentFacts;
      if (lineOf(facts) !== text) throw this.#damage("its facts are not what was written");
      return facts;
    });
  }

  get frames(): readonly Frame[] {
    this.#frames ??= this.#reading((fd) => {
      const { index_at, index_crc } = this.facts;
      const index = this.#bytesAt(fd, index_at, fstatSync(fd).size - FACTS_BYTES - index_at);
      if (Bun.hash.crc32(index) !== index_crc) throw this.#damage("its index");
      const entries = JSON.parse(index.toString()) as [number, string, number, number, number][];
      return entries.map(([last, chain, at, bytes, crc]) => ({ last, chain, at, bytes, crc }));
    });
    return this.#frames;
  }

  /** The frame of a row of the segment. */
  frameWith(row: number): Frame {
    const { frames } = this;
    let [low, high] = [0, frames.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (frames[middle]!.last < row) low = middle + 1;
      else high = middle;
    }
    return frames[low]!;
  }

  /** The blocks of a frame with their texts unpacked, not checked yet. */
  blocksOf(frame: Frame): StoredBlock[] {
    const packed = this.#reading((fd) => this.#bytesAt(fd, frame.at, frame.bytes));
    if (Bun.hash.crc32(packed) !== frame.crc) throw this.#damage(`the rows up to ${frame.last}`);
    const blocks = blocksIn(this.#unpacked(packed, frame));
    if (blocks?.at(-1)?.row === frame.last) return blocks;
    throw this.#damage(`the rows up to ${frame.last} are others`);
  }

  #unpacked(packed: Buffer, { last }: Frame): Buffer {
    try {
      return zstdDecompressSync(packed, {
        maxOutputLength: FRAME_MAX_BYTES,
        chunkSize: 2 * FRAME_BYTES,
      });
    } catch (error) {
      throw this.#damage(`the rows up to ${last}: ${String(error)}`);
    }
  }

  /** @throws Damage when any byte was changed. */
  check(): void {
    for (const _bytes of this.checking());
  }

  /** As `check`, a megabyte per step, so that the caller may pause. */
  *checking(): Generator<number> {
    const hash = new Bun.CryptoHasher("sha256");
    const end = this.#reading((fd) => fstatSync(fd).size) - FACTS_BYTES;
    for (let at = 0; at < end; at += CHECK_BYTES) {
      const bytes = this.#reading((fd) => this.#bytesAt(fd, at, Math.min(CHECK_BYTES, end - at)));
      if (at === 0 && bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) {
        throw this.#damage("its first line");
      }
      hash.update(bytes);
      yield at;
    }
    if (hash.digest("hex") !== this.facts.sha256) throw this.#damage("its SHA-256");
  }

  #bytesAt(fd: number, at: number, count: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, count));
    const found = at < 0 ? 0 : readSync(fd, bytes, 0, bytes.length, at);
    if (found !== count) throw this.#damage("it is cut off");
    return bytes;
  }

  #reading<T>(read: (fd: number) => T): T {
    let fd: number | null = null;
    try {
      fd = openSync(this.path, "r");
      return read(fd);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") throw new Damage("segment_missing", `there is no ${this.path}`);
      // JSON that cannot be parsed is damage, and so are errors of the disk.
      if (error instanceof SyntaxError) throw this.#damage("its facts or its index");
      throw unreadable(error, this.path);
    } finally {
      if (fd !== null) closeSync(fd);
    }
  }

  #damage(what: string): Damage {
    return new Damage("segment_damaged", `${this.path} is not what was written: ${what}`);
  }
}

/** The blocks of a frame; null when it has another structure, even with a correct CRC. */
function blocksIn(bytes: Buffer): StoredBlock[] | null {
  const blocks: StoredBlock[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\n", at);
    const [row, crc, chain, keys, count] = bytes.toString("latin1", at, end).split(" ");
    const bodyAt = end + 1;
    const keyChars = Math.max(0, Number(keys));
    at = bodyAt + Number(count);
    if (!(at >= bodyAt + keyChars && at <= bytes.length)) return null;
    blocks.push({
      row: Number(row),
      keys:
        keys === "-1"
          ? null
          : Buffer.from(bytes.toString("latin1", bodyAt, bodyAt + keyChars), "hex"),
      payload: bytes.subarray(bodyAt + keyChars, at),
      crc: Number(crc),
      chain: chain!,
    });
  }
  return blocks;
}
