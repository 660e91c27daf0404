/**
 * Goal: for each of the 49 codes it is known whether a call can be refused with it. Method: the
 * codes that routes declare and that the recorded run and the service's tests meet are compared
 * with the list of codes that are not reached. `test/support/declared.ts` compares every answer of
 * every other test with the same list, so an answer with a listed code fails its test.
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

test("the codes that no route can answer are the listed ones, of 49", () => {
  expect(REFUSAL_CODES).toHaveLength(49);
  const undeclared = REFUSAL_CODES.filter((code) => !DECLARED.has(code));
  expect(undeclared).toEqual(REFUSAL_CODES.filter(isNamedIn(UNDECLARED)));
});

test("a test or the recorded run meets every other code, except the listed ones", () => {
  const others = REFUSAL_CODES.filter((code) => DECLARED.has(code) && !(code in UNMET));
  expect(others.filter((code) => !isMet(code))).toEqual([]);
  const recorded = REFUSAL_CODES.filter((code) => code in UNMET && EXAMPLES.errors[code]);
  expect(recorded).toEqual([]);
});

test("an answer with a code that is listed as not reached fails its test", () => {
  const body = JSON.stringify({ error: { code: "policy_not_found_for_rate_plan" } });
  expect(() => expectDeclared("POST", "/v1/quotes", 409, body)).toThrow("named as not reached");
});
