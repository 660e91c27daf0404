/**
 * A block's text as the bytes that are stored: as it is where it is short, else packed with zstd,
 * which says once what the rows of a group share. What is packed is a byte that no UTF-8 has, how
 * many bytes the text has (4, the least first), and a zstd frame.
 *
 * Maintained invariant: the first byte tells which it is, so that both kinds lie side by side.
 */
import { Damage } from "./damage.ts";
import { contentBytesOf } from "./zstd-frame.ts";

/** Higher levels cost twice the CPU and more, for nothing: what is left is random. */
const LEVEL = 1;
/**
 * Some two dozen holds. What is shorter costs its group a tenth more time, and is small by itself:
 * groups are short where there is little to do.
 */
export const PACKED_FROM_BYTES = 16 * 1024;
/** No longer one is packed, so that none has to be made from bytes that say they are. */
const PACKED_MAX_BYTES = 16 * 1024 * 1024;
const MARK = 0xff;
const HEAD_BYTES = 5;

/** The bytes that are stored for a text, which is packed from so many bytes on. */
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
 * The UTF-8 bytes of the text that a payload was made of.
 *
 * @throws Damage when it is packed and was made of none.
 */
export function textBytesOf(payload: Uint8Array): Buffer {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  if (bytes[0] !== MARK) return bytes;
  const count = bytes.length < HEAD_BYTES ? 0 : bytes.readUInt32LE(1);
  if (count > PACKED_MAX_BYTES) throw damage(`${count} bytes of text are more than are packed`);
  const frame = bytes.subarray(HEAD_BYTES);
  // No more is made than the frame says, so that it is not opened where it says anything else.
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
  return new Damage("journal_row_damaged", `what is packed cannot be read: ${what}`);
}
