/**
 * Writes a document in chunks to a plain and a compressed file and records where each part ends.
 * Only one chunk is in memory.
 */
import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { deflated, type Sum, sumOf } from "./gzip.ts";

/** Larger chunks compress no better. */
const CHUNK_CHARACTERS = 256 * 1024;

/** Per UTF-16 unit. */
const UTF8_BYTES_MAX = 3;

/** Synced in pieces, because a large sync would delay the journal's. */
const SYNC_BYTES = 2 * 1024 * 1024;

/** A file opened for appending. */
class Appended {
  bytes = 0;
  #syncedBytes = 0;
  readonly #fd: number;

  constructor(path: string) {
    this.#fd = openSync(path, "wx", 0o600);
  }

  write(chunk: Uint8Array): void {
    for (let done = 0; done < chunk.length; ) done += writeSync(this.#fd, chunk, done);
    this.bytes += chunk.length;
    if (this.bytes - this.#syncedBytes < SYNC_BYTES) return;
    fdatasyncSync(this.#fd);
    this.#syncedBytes = this.bytes;
  }

  /** Truncates to `bytes`, syncs and closes. */
  closeAt(bytes: number): void {
    if (bytes < this.bytes) ftruncateSync(this.#fd, bytes);
    fsyncSync(this.#fd);
    closeSync(this.#fd);
  }
}

/** Ends of parts; index 0 is the end of the first. */
export interface Ends {
  readonly ends: readonly number[];
  readonly gzip_ends: readonly number[];
  /** CRC-32 of the plain file up to each end. */
  readonly crcs: readonly number[];
}

export class SegmentWriter {
  readonly #plain: Appended;
  readonly #zipped: Appended;
  readonly #ends = { ends: [] as number[], gzip_ends: [] as number[], crcs: [] as number[] };
  #text = "";
  #buffer = Buffer.alloc(0);
  #sum: Sum = { crc: 0, bytes: 0 };

  /** Creates both files, which must not exist. */
  constructor(path: string, zippedPath: string) {
    this.#plain = new Appended(path);
    this.#zipped = new Appended(zippedPath);
  }

  /** Size of the plain file including unwritten text. */
  get bytes(): number {
    return this.#sum.bytes + this.#text.length;
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= CHUNK_CHARACTERS) this.#flush();
  }

  /** Ends a part; the next text starts a new chunk. */
  endPart(): void {
    this.#flush();
    this.#ends.ends.push(this.#sum.bytes);
    this.#ends.gzip_ends.push(this.#zipped.bytes);
    this.#ends.crcs.push(this.#sum.crc);
  }

  /** Discards text after the last part and closes the files durably. */
  close(): Ends {
    const { ends, gzip_ends } = this.#ends;
    this.#plain.closeAt(ends.at(-1) ?? 0);
    this.#zipped.closeAt(gzip_ends.at(-1) ?? 0);
    return this.#ends;
  }

  /** Encodes into a shared buffer, to avoid garbage. */
  #encoded(text: string): Uint8Array {
    const bytesMax = text.length * UTF8_BYTES_MAX;
    if (this.#buffer.length < bytesMax) this.#buffer = Buffer.allocUnsafeSlow(bytesMax);
    return this.#buffer.subarray(0, this.#buffer.write(text));
  }

  #flush(): void {
    if (this.#text === "") return;
    const chunk = this.#encoded(this.#text);
    this.#text = "";
    this.#sum = sumOf(chunk, this.#sum);
    this.#plain.write(chunk);
    this.#zipped.write(deflated(chunk));
  }
}
