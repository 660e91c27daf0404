/** Ids sort by creation, contain their time and do not collide within one command. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { confirmationCode, deriveId, idTime, timeDigits } from "./ids.ts";

const AT = Date.UTC(2026, 8, 1, 12);
const RANDOM = "0123456789abcdef0123456789abcdef";
const hex = fc.stringMatching(/^[0-9a-f]{32}$/);

test("an id is its prefix, ten digits of time and eighteen of the random bytes", () => {
  expect(deriveId("hld", AT, RANDOM)).toMatch(/^hld_[0-9a-hjkmnp-tv-z]{28}$/);
  expect(deriveId("hld", AT, RANDOM)).toBe(deriveId("hld", AT, RANDOM));
});

test("the time can be read back from any id, and from nothing else", () => {
  const times = fc.integer({ min: 0, max: 2 ** 45 });
  fc.assert(fc.property(times, hex, (ms, random) => idTime(deriveId("qt", ms, random, 2)) === ms));
  expect(idTime("qt_tooshort")).toBeNaN();
  expect(idTime("")).toBeNaN();
  expect(idTime("qt_UPPERCASE01234567")).toBeNaN();
});

test("ids of later instants sort after earlier ones", () => {
  const times = fc.tuple(fc.integer({ min: 0, max: 2 ** 45 }), fc.integer({ min: 1, max: 1e9 }));
  fc.assert(fc.property(times, ([ms, by]) => timeDigits(ms) < timeDigits(ms + by)));
});

test("the counters of one command give different ids and codes", () => {
  fc.assert(
    fc.property(hex, (random) => {
      const counters = [0, 1, 2, 3];
      const ids = counters.map((counter) => deriveId("bkg", AT, random, counter));
      const codes = counters.map((counter) => confirmationCode(random, counter));
      expect(new Set(ids).size).toBe(4);
      expect(new Set(codes).size).toBeGreaterThan(1);
    }),
  );
});

test("a confirmation code is eight characters, none of them ambiguous", () => {
  fc.assert(
    fc.property(hex, fc.integer({ min: 0, max: 63 }), (random, counter) => {
      expect(confirmationCode(random, counter)).toMatch(/^[2-9BCDFGHJKMNPQRSTVWXYZ]{8}$/);
    }),
  );
});
