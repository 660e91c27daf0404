/**
 * Nights in a snapshot: from the first to the last set one, as the narrowest integers that fit,
 * little-endian, in base64. Equal nights pack to equal text.
 */
import type { Nights } from "../state/nights.ts";

type Width = 1 | 2 | 4;

/** First night, bytes per night, and the bytes; null when none is set. */
export type PackedNights = readonly [firstDay: number, width: Width, base64: string] | null;

const LIMITS: readonly (readonly [Width, number])[] = [
  [1, 2 ** 8],
  [2, 2 ** 16],
  [4, 2 ** 32],
];

/** The packed form, which `Unpacker` restores. */
export function packNights(nights: Nights): PackedNights {
  const span = nights.span();
  if (!span) return null;
  const values = new Float64Array(span.last - span.first + 1);
  const { unset, shift } = nights.sheet;
  nights.addTo(values, span.first, 1, unset);
  let greatest = 0;
  for (let i = 0; i < values.length; i += 1) {
    values[i] = values[i] === unset ? 0 : values[i]! + shift;
    greatest = Math.max(greatest, values[i]!);
  }
  const [width] = LIMITS.find(([, limit]) => greatest < limit)!;
  const { buffer } = arrayOf(width, values);
  return [span.first, width, new Uint8Array(buffer).toBase64()];
}

/**
 * Unpacks nights through one shared buffer: a snapshot has hundreds of thousands, and each would
 * otherwise leave an array behind.
 */
export class Unpacker {
  #cells = cellsIn(new ArrayBuffer(4_096));

  /** Sets packed nights on empty ones. */
  unpack(nights: Nights, packed: PackedNights): Nights {
    if (!packed) return nights;
    const [firstDay, width, base64] = packed;
    // Four characters encode three bytes.
    if (base64.length > this.#cells[1].length) {
      this.#cells = cellsIn(new ArrayBuffer(4 * base64.length));
    }
    const { written } = this.#cells[1].setFromBase64(base64);
    nights.sheet.paste(nights.lane, firstDay, this.#cells[width], written / width);
    return nights;
  }
}

/** The same bytes as integers of each width. */
function cellsIn(buffer: ArrayBuffer) {
  return {
    1: new Uint8Array(buffer),
    2: new Uint16Array(buffer),
    4: new Uint32Array(buffer),
  } as const;
}

function arrayOf(width: Width, from: Float64Array): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return new Uint8Array(from);
  return width === 2 ? new Uint16Array(from) : new Uint32Array(from);
}
