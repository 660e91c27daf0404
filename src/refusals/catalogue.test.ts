import { expect, test } from "bun:test";
import { isSealed, REFUSAL_CODES } from "../../engine/core/refusals.ts";
import { STATUS_OF } from "../../test/support/contract.ts";
import { METHODS, RELS, SAME_CALL } from "../actions/steps.ts";
import { REFUSALS, remediationOf, retryAfter } from "./catalogue.ts";
import { catalogueDocument } from "./published.ts";
import { REST_TERMS, TOOL_TERMS } from "./record.ts";

test("the catalogue has exactly the codes of the contract, each with its status", () => {
  const statuses = REFUSAL_CODES.map((code) => [code, REFUSALS[code].status]);
  expect<unknown>(Object.fromEntries(statuses)).toEqual({ ...STATUS_OF });
});

test("a not-found code is a 404 and an expired one a 410", () => {
  const odd = REFUSAL_CODES.filter((code) => {
    const { status } = REFUSALS[code];
    if (code === "policy_not_found_for_rate_plan") return status !== 409;
    return code.endsWith("_not_found") !== (status === 404);
  });
  expect(odd).toEqual([]);
  expect(REFUSAL_CODES.filter((code) => REFUSALS[code].status === 410)).toEqual([
    "quote_expired",
    "hold_expired",
  ]);
});

test("every code has its problem, its remedy and the call that helps", () => {
  for (const code of REFUSAL_CODES) {
    const { message, recovery } = REFUSALS[code];
    expect(message).toMatch(/^[A-Z].*\.$/);
    for (const terms of [REST_TERMS, TOOL_TERMS]) {
      expect(remediationOf(code, terms)).toMatch(/^[A-Z].*\.$/);
    }
    expect(recovery.length).toBeGreaterThan(0);
  }
});

test("every documented reason of a conflict has its remedy", () => {
  const [, , about] = REFUSALS.conflict.detail.find(([name]) => name === "reason")!;
  const general = remediationOf("conflict");
  const reasons = about.match(/(?<=`)[a-z_]+(?=`)/g)!;
  const without = reasons.filter((reason) => {
    return remediationOf("conflict", REST_TERMS, { reason }) === general;
  });
  expect(without).toEqual([]);
});

test("the published document uses only the closed vocabularies of the contract", () => {
  const { errors } = catalogueDocument("https://docs.example", [
    { method: "POST", path: "/v1/search" },
  ]);
  expect(errors.map(({ code }) => code)).toEqual([...REFUSAL_CODES]);
  for (const { code, docs_url, next_actions } of errors) {
    expect(docs_url).toBe(`https://docs.example/errors/${code}`);
    for (const action of next_actions) {
      expect(Object.keys(action)).toEqual(["rel", "method", "href"]);
      expect(RELS).toContain(action.rel);
      expect(METHODS).toContain(action.method);
    }
  }
  const served = errors.flatMap(({ next_actions }) => next_actions.map(({ href }) => href));
  expect(new Set(served)).toEqual(new Set(["/v1/search", SAME_CALL]));
});

test("a refusal's own waiting time takes precedence over the code's", () => {
  expect(retryAfter("payment_timeout")).toBe(5);
  expect(retryAfter("rate_limited", 17)).toBe(17);
  expect(retryAfter("quote_expired")).toBeNull();
});

test("sealed refusals are those of the state: 402, 404, 409 and 410, except a key conflict", () => {
  for (const code of REFUSAL_CODES) {
    const isDecided = [402, 404, 409, 410].includes(REFUSALS[code].status);
    const expected = isDecided && code !== "idempotency_conflict";
    expect({ code, isSealed: isSealed(code) }).toEqual({ code, isSealed: expected });
  }
});
