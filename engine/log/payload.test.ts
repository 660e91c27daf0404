/** Goal: every stored text is read back, and any other bytes are Damage. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Random } from "../../test/power/random.ts";
import { Damage } from "../core/damage.ts";
import { contentBytesOf, payloadOf, textBytesOf } from "./payload.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const FROM_BYTES = 512;
const isPacked = (payload: Uint8Array) => payload[0] === 0xff;
const frameOf = (bytes: Uint8Array, level = 1) => Bun.zstdCompressSync(bytes, { level });

/** A frame, and its declared decompressed size. */
function packed(frame: Uint8Array, count: number): Buffer {
  const head = Buffer.from([0xff, 0, 0, 0, 0]);
  head.writeUInt32LE(count, 1);
  return Buffer.concat([head, frame]);
}

/** Lines like those of a group: fewer words make them more alike. */
const texts = fc
  .array(fc.string({ unit: "grapheme", maxLength: 60 }), { minLength: 1, maxLength: 8 })
  .chain((words) => fc.array(fc.constantFrom(...words), { maxLength: 400, size: "max" }))
  .map((lines) => `{${lines.join("\n")}`);

test("every text is read back, and none is stored larger than it is", () => {
  let packedCount = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const payload = payloadOf(text, FROM_BYTES);
      expect(textBytesOf(payload).toString()).toBe(Buffer.from(text).toString());
      expect(payload.length).toBeLessThanOrEqual(Buffer.byteLength(text));
      if (isPacked(payload)) packedCount += 1;
    }),
  );
  expect(packedCount).toBeGreaterThan(10);
});

test("a text is stored plain when it is short or has no repetition", () => {
  const random = new Random(7);
  const code = () => (random.below(3) === 0 ? 128 + random.below(1_920) : random.below(128));
  const codes = Array.from({ length: 440 }, code);
  const unlike = `{${String.fromCharCode(...codes)}`;
  expect(Buffer.byteLength(unlike)).toBeGreaterThan(FROM_BYTES);
  for (const text of ["", "{}", "hold|".repeat(102), unlike]) {
    expect(Buffer.from(payloadOf(text, FROM_BYTES)).toString()).toBe(text);
    expect(textBytesOf(payloadOf(text, FROM_BYTES)).toString()).toBe(text);
  }
  expect(isPacked(payloadOf("hold|".repeat(103), FROM_BYTES))).toBeTrue();
  const large = "x".repeat(16 * MIB + 1);
  expect(payloadOf(large, FROM_BYTES).length).toBe(large.length);
});

test("text of every earlier format is read unchanged, with any first byte", () => {
  for (const text of ['{"row":1}', "[1,2]", "hold|1|", "(no frame)", "("]) {
    expect(textBytesOf(Buffer.from(text)).toString()).toBe(text);
  }
});

test("a packed text is its length and a zstd frame after a byte that no text contains", () => {
  const text = "hold|".repeat(200);
  expect(payloadOf(text, FROM_BYTES)).toEqual(packed(frameOf(Buffer.from(text)), 1_000));
});

const FEW = Buffer.alloc(1_000, "hold|");
const MANY = Buffer.alloc(16 * MIB, "hold|");

test.each([
  ["a mark and nothing else", () => Buffer.from([0xff])],
  ["a length and nothing else", () => packed(Buffer.alloc(0), 1_000)],
  ["nothing that was packed", () => packed(frameOf(Buffer.alloc(0)), 0)],
  ["a frame that is cut off", () => packed(frameOf(FEW).subarray(0, 12), 1_000)],
  ["a frame of less than is said", () => packed(frameOf(FEW), 1_001)],
  ["a frame of more than is said", () => packed(frameOf(FEW), 999)],
  ["a frame of far more than is said", () => packed(frameOf(MANY), 1_000)],
  ["many frames", () => packed(Buffer.concat(Array(200).fill(frameOf(MANY))), 16 * MIB)],
  ["more than 16 MiB", () => packed(frameOf(Buffer.alloc(16 * MIB + 1)), 16 * MIB + 1)],
  ["a length of nearly 4 GiB", () => packed(frameOf(FEW), 0xffff_ffff)],
  ["what is no frame", () => packed(FEW, 1_000)],
])("%s is Damage", (_what, made) => {
  expect(() => textBytesOf(made())).toThrow(Damage);
});

test("any bytes after the mark are read or are Damage", () => {
  const whole = payloadOf("hold|1|one\nhold|2|one\n".repeat(50), FROM_BYTES);
  const garbled = fc
    .array(fc.tuple(fc.nat(whole.length - 2), fc.nat(255)), { minLength: 1, maxLength: 8 })
    .map((changes) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of changes) bytes[at + 1] = value;
      return bytes;
    });
  fc.assert(
    fc.property(garbled, (bytes) => {
      try {
        expect(textBytesOf(bytes).length).toBeLessThanOrEqual(16 * MIB);
      } catch (error) {
        expect(error).toBeInstanceOf(Damage);
      }
    }),
  );
});

const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));

test.each([0, 1, 255, 256, 65_535 + 256, 65_536 + 256, 300 * KIB, 600 * KIB, 5_000 * KIB])(
  "a frame of %d bytes declares its size, with any content and packing",
  (count) => {
    for (const level of [1, 3, 19]) {
      expect(contentBytesOf(frameOf(Buffer.alloc(count), level))).toBe(count);
      expect(contentBytesOf(frameOf(Buffer.alloc(count, "hold|"), level))).toBe(count);
    }
    const unlike = Buffer.concat(Array.from({ length: 80 }, () => random(64 * KIB)));
    expect(contentBytesOf(frameOf(unlike.subarray(0, count)))).toBe(count);
  },
);

test("a truncated frame, trailing bytes and bytes without a frame give no size", () => {
  const whole = frameOf(Buffer.alloc(300 * KIB, "hold|"));
  for (let length = 0; length < whole.length; length += 1) {
    expect(contentBytesOf(whole.subarray(0, length))).toBeNull();
  }
  for (const behind of [Buffer.alloc(1), whole, frameOf(Buffer.alloc(0))]) {
    expect(contentBytesOf(Buffer.concat([whole, behind]))).toBeNull();
  }
  expect(contentBytesOf(Buffer.alloc(1_000, "hold|"))).toBeNull();
});

test("a frame without a stated size gives no size", () => {
  const whole = frameOf(Buffer.alloc(1_000, "hold|"));
  for (const descriptor of [0x00, 0x21, 0x24, 0x61, 0x64, 0xe0]) {
    const other = Buffer.from(whole);
    other[4] = descriptor;
    expect(contentBytesOf(other)).toBeNull();
  }
});
