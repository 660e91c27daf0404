/**
 * `<shard>.head`: a witness beside the journal, rewritten after every commit without fsync. SQLite
 * can drop acknowledged WAL frames after one flipped bit without an error; then the journal is
 * behind this file and the start is refused as `journal_behind_witness`. It ends in its own CRC-32:
 * a torn one is ignored.
 *
 * It is written before replies leave, and by every engine that starts: while it is unchanged, no
 * row was acknowledged that a reader has not seen.
 */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { mappedFile } from "./files.ts";
import { GENESIS_CHAIN } from "./stored-row.ts";

const LINE_BYTES = 128;

/** A position in the journal: the last row and the chain up to it. */
export interface Head {
  readonly row: number;
  readonly chain: string;
}

/** Before the first row. */
export const BEGINNING: Head = { row: 0, chain: GENESIS_CHAIN };

function lineOf(journalId: string, head: Head): string {
  const text = `${journalId} ${head.row} ${head.chain}`;
  const crc = Bun.hash.crc32(text).toString(16).padStart(8, "0");
  return `${`${text} ${crc}`.padEnd(LINE_BYTES - 1)}\n`;
}

export class HeadWitness {
  readonly #fd: number;
  readonly #journalId: string;

  constructor(path: string, journalId: string) {
    this.#fd = openSync(path, "a+", 0o600);
    closeSync(this.#fd);
    this.#fd = openSync(path, "r+");
    this.#journalId = journalId;
  }

  /** Overwrites the witness; fixed length, so that one write replaces the other whole. */
  write(head: Head): void {
    writeSync(this.#fd, lineOf(this.#journalId, head), 0);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** The witness and its journal id; null when it is missing or torn. */
export function readHead(path: string): (Head & { readonly journalId: string }) | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return null;
  }
  const match = /^([0-9a-f]{32}) (\d+) ([0-9a-f]{64}) [0-9a-f]{8} *\n$/.exec(text);
  if (!match) return null;
  const [, journalId, row, chain] = match as unknown as [string, string, string, string];
  const head = { journalId, row: Number(row), chain };
  return text === lineOf(journalId, head) ? head : null;
}

/** Unacknowledged rows may be seen this much later. */
const TRUSTED_MS = 50;

/** Shows a follower whether there may be new rows. */
export class HeadWatch {
  readonly #path: string;
  #file: Uint8Array | null = null;
  readonly #seen = Buffer.alloc(LINE_BYTES);
  #trustedUntil = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * False while the witness is unchanged since the last true, for 50 ms at most, because another
   * file may have replaced it. Call before reading the journal, not after.
   */
  hasMoved(): boolean {
    this.#file ??= mappedFile(this.#path, LINE_BYTES);
    const nowMs = performance.now();
    if (this.#file === null) return true;
    if (nowMs < this.#trustedUntil && this.#seen.equals(this.#file)) return false;
    this.#seen.set(this.#file);
    this.#trustedUntil = nowMs + TRUSTED_MS;
    return true;
  }
}
