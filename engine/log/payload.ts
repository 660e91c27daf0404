/**
 * A block's text as stored bytes: plain when short, else packed with zstd, which stores once what
 * the rows of a group share. A packed text is a byte that UTF-8 never has, the size of the text (4
 * bytes, little-endian), and a zstd frame.
 *
 * Maintained invariant: the first byte distinguishes the two, so both can be stored side by side.
 */
import { Damage } from "./care/damage.ts";
import { contentBytesOf } from "./zstd-frame.ts";

/** Higher levels cost at least twice the CPU without gain: the rest is random. */
const LEVEL = 1;
/** Some two dozen holds. Packing a shorter text costs a group a tenth more time for little gain. */
export const PACKED_FROM_BYTES = 16 * 1024;
/** Longer texts are not packed, which limits the memory for unpacking damaged bytes. */
const PACKED_MAX_BYTES = 16 * 1024 * 1024;
const MARK = 0xff;
const HEAD_BYTES = 5;

/** The stored bytes of a text, packed from `fromBytes` on. */
export function payloadOf(text: string, fromBytes: number): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.length < fromBytes || bytes.length > PACKED_MAX_BYTES) return bytes;
  const frame = Bun.zstdCompressSync(bytes, { level: LEVEL });
  if (HEAD_BYTES + frame.length >= bytes.length) return bytes;
  const packed = Buffer.allocUnsafe(HEAD_BYTES + frame.length);
  packed[0] = MARK;
  packed.writeUInt32LE(bytes.length, 1);
  packed.set(frame, HEAD_BYTES);
  return packed;
}

/**
 * The UTF-8 bytes of a payload's text.
 *
 * @throws Damage when a packed payload is damaged.
 */
export function textBytesOf(payload: Uint8Array): Buffer {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  if (bytes[0] !== MARK) return bytes;
  const count = bytes.length < HEAD_BYTES ? 0 : bytes.readUInt32LE(1);
  if (count > PACKED_MAX_BYTES) throw damage(`${count} bytes of text are more than are packed`);
  const frame = bytes.subarray(HEAD_BYTES);
  // Unpacks only when the frame declares the same size, which bounds the memory used.
  const said = contentBytesOf(frame);
  if (count > 0 && said === count) return unpacked(frame);
  throw damage(`a frame of ${said} bytes of text, ${count} were packed`);
}

function unpacked(frame: Buffer): Buffer {
  try {
    return Bun.zstdDecompressSync(frame);
  } catch (error) {
    throw damage(String(error));
  }
}

function damage(what: string): Damage {
  return new Damage("journal_row_damaged", `a packed text cannot be read: ${what}`);
}
