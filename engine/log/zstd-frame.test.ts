/** Goal: what comes out of a frame is known before it is opened, and never more than is said. */
import { expect, test } from "bun:test";
import { contentBytesOf } from "./zstd-frame.ts";

const KIB = 1024;
const frameOf = (bytes: Uint8Array, level = 1) => Bun.zstdCompressSync(bytes, { level });
const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));

test.each([0, 1, 255, 256, 65_535 + 256, 65_536 + 256, 300 * KIB, 600 * KIB, 5_000 * KIB])(
  "a frame of %d bytes says so, whatever is in it and however it was packed",
  (count) => {
    for (const level of [1, 3, 19]) {
      expect(contentBytesOf(frameOf(Buffer.alloc(count), level))).toBe(count);
      expect(contentBytesOf(frameOf(Buffer.alloc(count, "hold|"), level))).toBe(count);
    }
    const unlike = Buffer.concat(Array.from({ length: 80 }, () => random(64 * KIB)));
    expect(contentBytesOf(frameOf(unlike.subarray(0, count)))).toBe(count);
  },
);

test("what is cut off, goes on or is none says nothing", () => {
  const whole = frameOf(Buffer.alloc(300 * KIB, "hold|"));
  for (let length = 0; length < whole.length; length += 1) {
    expect(contentBytesOf(whole.subarray(0, length))).toBeNull();
  }
  for (const behind of [Buffer.alloc(1), whole, frameOf(Buffer.alloc(0))]) {
    expect(contentBytesOf(Buffer.concat([whole, behind]))).toBeNull();
  }
  expect(contentBytesOf(Buffer.alloc(1_000, "hold|"))).toBeNull();
});

test("a frame of which nobody says how large it is is not told", () => {
  const whole = frameOf(Buffer.alloc(1_000, "hold|"));
  for (const descriptor of [0x00, 0x21, 0x24, 0x61, 0x64, 0xe0]) {
    const other = Buffer.from(whole);
    other[4] = descriptor;
    expect(contentBytesOf(other)).toBeNull();
  }
});
