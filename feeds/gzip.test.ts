import { expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { combined, deflated, deflatedEnd, GZIP_HEADER, sumOf } from "./gzip.ts";

const part = fc.uint8Array({ maxLength: 3_000 });

test("the combined checksum of two parts equals that of both in one piece", () => {
  fc.assert(
    fc.property(part, part, (a, b) => {
      const whole = sumOf(Buffer.concat([a, b]));
      expect(combined(sumOf(a), sumOf(b))).toEqual(whole);
      expect(sumOf(b, sumOf(a))).toEqual(whole);
    }),
  );
});

test("the checksum of a hundred megabytes is combined like that of a few bytes", () => {
  const chunk = Buffer.alloc(1_000_000, "innkeep ");
  let byParts = sumOf(Buffer.from("head"));
  let inOne = byParts;
  for (let i = 0; i < 100; i += 1) {
    byParts = combined(byParts, sumOf(chunk));
    inOne = sumOf(chunk, inOne);
  }
  expect(byParts).toEqual(inOne);
  expect(inOne.bytes).toBe(100_000_004);
});

test("separately compressed parts form one member", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), part, (parts, tail) => {
      const whole = Buffer.concat([...parts, tail]);
      const zipped = [GZIP_HEADER, ...parts.map(deflated), deflatedEnd(tail, sumOf(whole))];
      expect(gunzipSync(Buffer.concat(zipped)).equals(whole)).toBeTrue();
      expect(Buffer.from(Bun.gunzipSync(Buffer.concat(zipped))).equals(whole)).toBeTrue();
    }),
  );
});
