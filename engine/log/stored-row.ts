/**
 * A row as text, and how texts are checked: a CRC-32 and the chain, SHA-256(previous chain + text).
 * How rows are stored: `block.ts`.
 */

import { encodeRow } from "../core/codec/row-codec.ts";
import type { Row } from "../core/events/event.ts";
import type { RenderedOutcome } from "../core/outcomes.ts";

/** The chain before row 1. */
export const GENESIS_CHAIN = "0".repeat(64);

export interface EncodedRow {
  readonly row: number;
  /** The key that it sets, 32 hex digits. */
  readonly key: string | null;
  readonly payload: string;
}

/**
 * CRC-32 of a text's UTF-8 bytes; NaN, which equals no stored CRC, for other types: after a flipped
 * type bit SQLite returns bytes.
 */
export function crcOf(text: string): number {
  return typeof text === "string" ? Bun.hash.crc32(text) : Number.NaN;
}

/** CRC-32 of a block's keys and payload; NaN when the payload is not bytes. */
export function crcOfBlock(payload: Uint8Array, keys: Uint8Array | null): number {
  if (!(payload instanceof Uint8Array)) return Number.NaN;
  if (keys !== null && !(keys instanceof Uint8Array)) return Number.NaN;
  return Bun.hash.crc32(payload, keys ? Bun.hash.crc32(keys) : 0);
}

/** The next link of the chain, 64 hex digits; of a text or its UTF-8 bytes. */
export function chainOf(previous: string, text: string | Uint8Array): string {
  return new Bun.SHA256().update(previous).update(text).digest("hex");
}

/** A row ready to be written. */
export function prepareRow(row: Omit<Row, "outcome">, rendered: RenderedOutcome): EncodedRow {
  return { row: row.row, key: row.key?.key ?? null, payload: encodeRow(row, rendered) };
}
