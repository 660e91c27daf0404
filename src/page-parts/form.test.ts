/** Goal: a form is taken from our own page of the same session and address alone. */
import { expect, test } from "bun:test";
import type { Context } from "../http/context.ts";
import { type FormOf, hasTokenOf, isOfOurPages, TOKEN_FIELD, tokenOf } from "./form.ts";

const KEY = new Uint8Array(32).fill(7);
const OF: FormOf = { kind: "checkout", session: "chk_1", path: "/checkout/x/pay" };
const context = { config: { baseUrl: "https://inn.example/hotels" } } as Context;

function isOurs(headers: Readonly<Record<string, string>>): boolean {
  const request = new Request("https://inn.example/checkout", { headers });
  return isOfOurPages({ request, context });
}

test("a token is good for its own kind, session and address", () => {
  const form = new Map([[TOKEN_FIELD, tokenOf(KEY, OF)]]);
  expect(hasTokenOf(KEY, form, OF)).toBeTrue();
  for (const other of [
    { kind: "console" as const },
    { session: "chk_2" },
    { path: "/checkout/x" },
  ]) {
    expect(hasTokenOf(KEY, form, { ...OF, ...other })).toBeFalse();
  }
  expect(hasTokenOf(KEY, new Map(), OF)).toBeFalse();
});

test("the browser's word about the sending site counts before the origin", () => {
  const origin = "https://inn.example";
  expect(isOurs({ "sec-fetch-site": "same-origin" })).toBeTrue();
  expect(isOurs({ origin })).toBeTrue();
  for (const site of ["cross-site", "same-site", "none"]) {
    expect(isOurs({ "sec-fetch-site": site, origin })).toBeFalse();
  }
  expect(isOurs({ origin: "null" })).toBeFalse();
  expect(isOurs({})).toBeFalse();
});
