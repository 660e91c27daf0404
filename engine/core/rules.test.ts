/** The stays that the values of a night allow, against its rules one by one. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  isOutside,
  nextInPattern,
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
const ofNights = { closed: fc.boolean(), min_nights: nights, max_nights: nights };
const pattern = fc.stringMatching(/^[YN]{1,6}$/);
const values: fc.Arbitrary<Restriction> = fc.record(
  perRule({ ...ofNights, min_days_ahead: nights, max_days_ahead: nights, pattern }),
  { requiredKeys: [] },
);
const stay = fc.record({ nights: fc.integer({ min: 1, max: 14 }), daysAhead: fc.nat(14) });

test("a night allows no stay that a rule refuses, and without rules of days exactly the others", () => {
  fc.assert(
    fc.property(values, stay, (restriction, { nights: length, daysAhead }) => {
      const { allowed } = restrictedNight(restriction);
      const isTold = (name: keyof Restriction) => restriction[name] !== undefined;
      const isOfDay = (["min_advance_days", "max_advance_days", "los_pattern"] as const).some(
        isTold,
      );
      for (const edge of EDGES) {
        const refusing = RULES_AT[edge].filter((rule) => {
          const value = restriction[rule.name];
          return value !== undefined && refuses(rule, value, { nights: length, daysAhead });
        });
        const isAllowed = !isOutside(allowed[edge], length);
        if (edge === "arrival" && isOfDay) expect(isAllowed && refusing.length > 0).toBe(false);
        else expect(isAllowed).toBe(refusing.length === 0);
      }
    }),
  );
});

test("a minimum or maximum of 0 nights is no limit", () => {
  const none = { min_days_ahead: undefined, max_days_ahead: undefined, pattern: undefined };
  const zeros = perRule({ closed: false, min_nights: 0, max_nights: 0, ...none });
  const { allowed } = restrictedNight(JSON.parse(JSON.stringify(zeros)));
  for (const edge of EDGES) expect(isOutside(allowed[edge], 90)).toBe(false);
});

test("the next length of a pattern is the shortest longer stay that it allows", () => {
  fc.assert(
    fc.property(pattern, fc.integer({ min: 1, max: 8 }), (letters, length) => {
      const longer = Array.from({ length: 9 }, (_, i) => length + 1 + i);
      const isOpen = (asked: number) => letters[Math.min(asked, letters.length) - 1] === "Y";
      expect(nextInPattern(letters, length)).toBe(
        longer.find((asked) => asked <= letters.length && isOpen(asked)) ?? 0,
      );
    }),
  );
});

test("every rule checks one edge, and has its own reason", () => {
  const rules = EDGES.flatMap((edge) => RULES_AT[edge].map(({ name }) => name));
  expect(rules.toSorted()).toEqual((Object.keys(RULES) as typeof rules).toSorted());
  expect(new Set(RULE_REASONS).size).toBe(RULE_REASONS.length);
});
