/**
 * Goal: of each of the 49 codes it is known whether a call can be refused with it. Method: what the
 * routes declare, and what the recorded run and the tests of the service have met, are held against
 * the codes that are named as not reached. `test/support/declared.ts` holds every answer of every
 * other test against the same names, so none can be answered unnoticed.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REFUSAL_CODES, type RefusalCode } from "../engine/core/refusals.ts";
import { expectDeclared } from "../test/support/declared.ts";
import { UNDECLARED, UNMET } from "../test/support/unreached.ts";
import { ROUTES } from "./app.ts";
import { refusalCodesOf } from "./http/refusal-codes.ts";
import { EXAMPLES } from "./publish/openapi/examples.ts";

const TESTS = join(import.meta.dir, "..", "test");

/** The texts of the tests that speak to a running service, and of the scenes they play. */
const PLAYED = ["int", "support"].flatMap((folder) => {
  const names = readdirSync(join(TESTS, folder)).filter((name) => /int\.test|-scenes/.test(name));
  return names.map((name) => readFileSync(join(TESTS, folder, name), "utf8"));
});

function isMet(code: RefusalCode): boolean {
  return EXAMPLES.errors[code] !== undefined || PLAYED.some((text) => text.includes(`"${code}"`));
}

const DECLARED = new Set<RefusalCode>(ROUTES.all.flatMap(refusalCodesOf));
const isNamedIn = (names: object) => (code: RefusalCode) => code in names;

test("the codes that no route can answer are the ones that are named, of 49", () => {
  expect(REFUSAL_CODES).toHaveLength(49);
  const undeclared = REFUSAL_CODES.filter((code) => !DECLARED.has(code));
  expect(undeclared).toEqual(REFUSAL_CODES.filter(isNamedIn(UNDECLARED)));
});

test("every other code is met by a test or in the recorded run, but for those that are named", () => {
  const others = REFUSAL_CODES.filter((code) => DECLARED.has(code) && !(code in UNMET));
  expect(others.filter((code) => !isMet(code))).toEqual([]);
  const recorded = REFUSAL_CODES.filter((code) => code in UNMET && EXAMPLES.errors[code]);
  expect(recorded).toEqual([]);
});

test("an answer with a code that is named as not reached fails the test that met it", () => {
  const body = JSON.stringify({ error: { code: "policy_not_found_for_rate_plan" } });
  expect(() => expectDeclared("POST", "/v1/quotes", 409, body)).toThrow("named as not reached");
});
