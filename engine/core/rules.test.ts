/** The stays that the values of a night allow, against its rules one by one. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  isOutside,
  perRule,
  type Restriction,
  RULE_REASONS,
  RULES,
  RULES_AT,
  refuses,
  restrictedNight,
} from "./rules.ts";

const EDGES = Object.keys(RULES_AT) as (keyof typeof RULES_AT)[];
const nights = fc.integer({ min: 0, max: 12 });
const values: fc.Arbitrary<Restriction> = fc.record(
  perRule({ closed: fc.boolean(), min_nights: nights, max_nights: nights }),
  { requiredKeys: [] },
);

test("a night allows exactly the stays that no rule refuses at its edge", () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 14 }), (restriction, length) => {
      const { allowed } = restrictedNight(restriction);
      for (const edge of EDGES) {
        const refusing = RULES_AT[edge].filter((rule) => {
          const value = restriction[rule.name];
          return value !== undefined && refuses(rule, value, length);
        });
        expect(isOutside(allowed[edge], length)).toBe(refusing.length > 0);
      }
    }),
  );
});

test("a minimum or maximum of 0 nights is no limit", () => {
  const zeros = perRule({ closed: false, min_nights: 0, max_nights: 0 });
  const { allowed } = restrictedNight(zeros);
  for (const edge of EDGES) expect(isOutside(allowed[edge], 90)).toBe(false);
});

test("every rule checks one edge, and has its own reason", () => {
  const rules = EDGES.flatMap((edge) => RULES_AT[edge].map(({ name }) => name));
  expect(rules.toSorted()).toEqual((Object.keys(RULES) as typeof rules).toSorted());
  expect(new Set(RULE_REASONS).size).toBe(RULE_REASONS.length);
});
