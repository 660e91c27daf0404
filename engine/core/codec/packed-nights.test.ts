/** Packing is reversible, and equal nights pack to equal text. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Lanes } from "../state/nights.ts";
import { packNights, Unpacker } from "./packed-nights.ts";

const UNSETS = [0, 0xffff, 0xffffffff];

test("nights survive packing and unpacking, in a lane of any sheet", () => {
  const day = fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 20_000, max: 20_300 }) },
    // A clock that was years ahead.
    { weight: 1, arbitrary: fc.integer({ min: 20_000, max: 26_000 }) },
  );
  const value = fc.oneof(
    fc.nat({ max: 300 }),
    fc.nat({ max: 0xfffe }),
    fc.nat({ max: 0xfffffffe }),
  );
  const writes = fc.array(fc.tuple(day, value), { maxLength: 40 });
  const unpacker = new Unpacker();
  fc.assert(
    fc.property(writes, fc.constantFrom(...UNSETS), fc.boolean(), (pairs, unset, isLate) => {
      const [here, there] = [new Lanes(unset, 7), new Lanes(unset, 16)];
      if (isLate) for (let i = 0; i < 9; i += 1) there.take();
      const nights = here.take();
      for (const [at, each] of pairs) nights.set(at, each);
      const packed = packNights(nights);
      const unpacked = unpacker.unpack(there.take(), JSON.parse(JSON.stringify(packed)));
      expect(unpacked.entries()).toEqual(nights.entries());
      expect(packNights(unpacked)).toEqual(packed);
    }),
  );
});

test("unset nights pack to nothing, and small numbers to a byte each", () => {
  const nights = new Lanes(0xffffffff, 1).take();
  expect(packNights(nights)).toBeNull();
  nights.set(20_000, 0);
  nights.set(20_002, 254);
  expect(packNights(nights)).toEqual([20_000, 1, new Uint8Array([1, 0, 255]).toBase64()]);
  nights.set(20_001, 255);
  expect(packNights(nights)?.[1]).toBe(2);
});
