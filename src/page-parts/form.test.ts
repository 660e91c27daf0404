/** Goal: a form is taken from our own page of the same session and address alone. */
import { expect, test } from "bun:test";
import type { Context } from "../http/context.ts";
import { type FormOf, hasTokenOf, isOfOurPages, readForm, TOKEN_FIELD, tokenOf } from "./form.ts";

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

test("only a form within its size is read, with the last value of each name", async () => {
  const type = "application/x-www-form-urlencoded";
  const read = (contentType: string, body: string, bytesMax = 100) => {
    const headers = { "content-type": contentType };
    const request = new Request("https://inn.example/", { method: "POST", headers, body });
    return readForm({ request }, bytesMax);
  };
  expect(await read(`${type}; charset=UTF-8`, "a=1&b=%C3%BC+x&a=2")).toEqual(
    new Map([
      ["a", "2"],
      ["b", "ü x"],
    ]),
  );
  expect(await read("application/json", "{}")).toBeNull();
  expect(await read(type, "a".repeat(101))).toBeNull();
  expect(await read(type, "a=1&".repeat(10_001), 100_000)).toBeNull();
});
