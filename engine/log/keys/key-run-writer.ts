/** Writes a run under a temporary name, complete and synced before it is renamed. */
import type { FileHandle } from "node:fs/promises";
import { ENTRY, isRefusedAt, SHARDS } from "./key-index.ts";
import { ENTRY_BYTES, headerPage, PAGE_BYTES, RUN_FORMAT, type RunHeader } from "./key-run.ts";

const BUFFER_BYTES = 256 * PAGE_BYTES;

/** File operations; tests interrupt them anywhere. */
export interface RunDisk {
  open(path: string): Promise<FileHandle>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
}

export class KeyRunWriter {
  readonly #file: FileHandle;
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);
  readonly #starts = new Uint32Array(SHARDS + 1);
  readonly #crcs: number[] = [];
  #used = 0;
  #at = PAGE_BYTES;
  #count = 0;
  #refused = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Appends the entries of a shard; shards come in order. */
  async append(shard: number, entries: Uint32Array): Promise<void> {
    this.#starts[shard] = this.#count;
    this.#count += entries.length / ENTRY;
    for (let at = 0; at < entries.length; at += ENTRY) {
      if (isRefusedAt(entries, at)) this.#refused += 1;
    }
    const { buffer, byteOffset, byteLength } = entries;
    let rest = new Uint8Array(buffer, byteOffset, byteLength);
    while (rest.length > 0) {
      const part = rest.subarray(0, BUFFER_BYTES - this.#used);
      this.#buffer.set(part, this.#used);
      this.#used += part.length;
      rest = rest.subarray(part.length);
      if (this.#used === BUFFER_BYTES) await this.#flush();
    }
  }

  /** Writes the tables and the header, syncs and closes. Returns the number of keys. */
  async finish(
    about: Omit<RunHeader, "format" | "count" | "refused" | "tables_crc">,
  ): Promise<number> {
    await this.#flush();
    this.#starts[SHARDS] = this.#count;
    const tables = Buffer.concat([bytesOf(this.#starts), bytesOf(Uint32Array.from(this.#crcs))]);
    const sums = { count: this.#count, refused: this.#refused };
    const header = { format: RUN_FORMAT, ...about, ...sums, tables_crc: Bun.hash.crc32(tables) };
    await this.#write(tables, PAGE_BYTES + this.#count * ENTRY_BYTES);
    await this.#write(headerPage(header), 0);
    await this.#file.sync();
    return this.#count;
  }

  async #flush(): Promise<void> {
    for (let at = 0; at < this.#used; at += PAGE_BYTES) {
      const end = Math.min(at + PAGE_BYTES, this.#used);
      this.#crcs.push(Bun.hash.crc32(this.#buffer.subarray(at, end)));
    }
    await this.#write(this.#buffer.subarray(0, this.#used), this.#at);
    this.#at += this.#used;
    this.#used = 0;
  }

  async #write(bytes: Uint8Array, at: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, at + done);
      done += bytesWritten;
    }
  }
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
