/**
 * Nights as they stand in a snapshot: from the first that is set to the last, as the bytes of the
 * narrowest integers that they fit in, little-endian, in base64. Equal nights pack to equal text.
 */
import type { Nights } from "./nights.ts";

type Width = 1 | 2 | 4;

/** First night, bytes of each, and the bytes; null when none is set. */
export type PackedNights = readonly [firstDay: number, width: Width, base64: string] | null;

const LIMITS: readonly (readonly [Width, number])[] = [
  [1, 2 ** 8],
  [2, 2 ** 16],
  [4, 2 ** 32],
];

/** What `unpackNights` restores. */
export function packNights(nights: Nights): PackedNights {
  const span = nights.span();
  if (!span) return null;
  const values = new Float64Array(span.last - span.first + 1);
  nights.copy(span.first, values);
  const { unset, shift } = nights.sheet;
  let greatest = 0;
  for (let i = 0; i < values.length; i += 1) {
    values[i] = values[i] === unset ? 0 : values[i]! + shift;
    greatest = Math.max(greatest, values[i]!);
  }
  const [width] = LIMITS.find(([, limit]) => greatest < limit)!;
  const { buffer } = arrayOf(width, values);
  return [span.first, width, new Uint8Array(buffer).toBase64()];
}

/** Sets what was packed on nights of which none is set. */
export function unpackNights(nights: Nights, packed: PackedNights): Nights {
  if (!packed) return nights;
  const [firstDay, width, base64] = packed;
  const stored = arrayOf(width, Uint8Array.fromBase64(base64).buffer);
  nights.sheet.paste(nights.lane, firstDay, stored);
  return nights;
}

function arrayOf(
  width: Width,
  from: Float64Array | ArrayBuffer,
): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return new Uint8Array(from as ArrayBuffer);
  return width === 2 ? new Uint16Array(from as ArrayBuffer) : new Uint32Array(from as ArrayBuffer);
}
