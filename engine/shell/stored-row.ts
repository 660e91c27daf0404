/**
 * A row as the journal stores it, and the evidence that it is what was written. Rows are dense from
 * 1; `crc` is the CRC-32 of key and payload; `chain` is SHA-256(previous chain + payload).
 */
import type { Row } from "../core/events.ts";
import type { Outcome } from "../core/outcomes.ts";
import { decodeRow, encodeRow } from "../core/row-codec.ts";
import { Damage } from "./damage.ts";
import type { Head } from "./head.ts";

/** The chain before row 1. */
export const GENESIS_CHAIN = "0".repeat(64);

export interface StoredRow {
  readonly row: number;
  /** 16 bytes, or null when the row sets no key. */
  readonly key: Uint8Array | null;
  readonly payload: string;
  readonly crc: number;
  readonly chain: string;
}

export type FoundRow = Pick<StoredRow, "key" | "payload" | "crc">;

/** A row ready to be written. */
export interface EncodedRow {
  readonly row: number;
  readonly key: Buffer | null;
  readonly payload: string;
}

/**
 * CRC-32 of a row's key and its text's UTF-8 bytes; NaN, which no stored CRC equals, for what is no
 * text: one flipped bit of its type makes SQLite hand the same bytes over as a blob.
 */
export function crcOf(text: string, key: Uint8Array | null = null): number {
  if (typeof text !== "string") return Number.NaN;
  return Bun.hash.crc32(text, key ? Bun.hash.crc32(key) : 0);
}

/** The next link of the chain, 64 hex digits. */
export function chainOf(previous: string, payload: string): string {
  return Bun.SHA256.hash(previous + payload, "hex") as string;
}

/** A row as it will be written; `outcomeJson` is its outcome, already encoded for the reply. */
export function prepareRow(
  row: Omit<Row, "outcome">,
  outcome: Outcome,
  outcomeJson: string,
): EncodedRow {
  const key = row.key && Buffer.from(row.key.key, "hex");
  return { row: row.row, key, payload: encodeRow(row, outcome, outcomeJson) };
}

/**
 * A single row that was found by its number or its key, on its own evidence.
 *
 * @throws Damage when the payload is not what was written, or not what was asked for.
 */
export function foundRow(
  found: FoundRow,
  asked: { readonly row: number } | { readonly key: string },
): Row {
  const row = crcOf(found.payload, found.key) === found.crc ? decodeRow(found.payload) : null;
  const isIt = "row" in asked ? row?.row === asked.row : row?.key?.key === asked.key;
  if (!row || !isIt) {
    const [[name, value] = []] = Object.entries(asked);
    throw new Damage("journal_row_damaged", `what is stored for ${name} ${value} is not it`);
  }
  return row;
}

/**
 * Checks a stored row against its own CRC and its place.
 *
 * @throws Damage naming what disagrees.
 */
export function verifyAlone(stored: Omit<StoredRow, "chain">, previousRow: number): void {
  if (stored.row !== previousRow + 1) {
    throw new Damage("journal_gap", `row ${previousRow} is followed by ${stored.row}`);
  }
  if (crcOf(stored.payload, stored.key) !== stored.crc) {
    throw new Damage("journal_row_damaged", `row ${stored.row} does not match its CRC`);
  }
}

/**
 * Checks a stored row against its own CRC, its place and the chain.
 *
 * @throws Damage naming what disagrees.
 */
export function verifyRow(stored: StoredRow, previous: Head): void {
  verifyAlone(stored, previous.row);
  if (chainOf(previous.chain, stored.payload) !== stored.chain) {
    throw new Damage("journal_chain_broken", `row ${stored.row} does not continue the chain`);
  }
}
