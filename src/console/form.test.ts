/** Goal: a forged form is refused by each check alone. */
import { expect, test } from "bun:test";
import type { Config } from "../config.ts";
import type { Context } from "../http/context.ts";
import { formToken, hasToken, isOfOurPages, readForm, TOKEN_FIELD } from "./form.ts";

const config = { baseUrl: "https://inn.example/hotels" } as Config;
const context = { config, keys: { hmac: Buffer.alloc(32, 7) } } as unknown as Context;
const session = { id_hash: "a", credential_id: "crd_1", created_at: 0, seen_at: 0 };
const PATH = "/console/bookings/bkg_1/check-in";

function sentWith(headers: Record<string, string>, body = ""): Request {
  return new Request("https://inn.example/", { method: "POST", headers, body });
}

test("a form is of our pages by what the browser says of its origin", () => {
  const isOurs = (headers: Record<string, string>) =>
    isOfOurPages({ context, request: sentWith(headers) });
  expect(isOurs({ "sec-fetch-site": "same-origin" })).toBe(true);
  expect(isOurs({ origin: "https://inn.example" })).toBe(true);
  for (const site of ["cross-site", "same-site", "none", ""]) {
    expect(isOurs({ "sec-fetch-site": site, origin: "https://inn.example" })).toBe(false);
  }
  for (const origin of ["null", "http://inn.example", "https://inn.example.evil.example"]) {
    expect(isOurs({ origin })).toBe(false);
  }
  expect(isOurs({})).toBe(false);
});

test("a token is of one session and one address", () => {
  const token = formToken(context, session, PATH);
  const isTaken = (value: string, path = PATH, id_hash = "a") => {
    return hasToken({ context, path }, { ...session, id_hash }, new Map([[TOKEN_FIELD, value]]));
  };
  expect(isTaken(token)).toBe(true);
  expect(isTaken(token, "/console/bookings/bkg_1/cancel")).toBe(false);
  expect(isTaken(token, PATH, "b")).toBe(false);
  expect(isTaken("")).toBe(false);
  expect(isTaken(token.slice(1))).toBe(false);
  expect(hasToken({ context, path: PATH }, session, new Map())).toBe(false);
});

test("only a form within its size is read, with the last value of each name", async () => {
  const type = "application/x-www-form-urlencoded";
  const read = (contentType: string, body: string, bytesMax = 100) =>
    readForm({ request: sentWith({ "content-type": contentType }, body) }, bytesMax);
  expect(await read(`${type}; charset=UTF-8`, "a=1&b=%C3%BC+x&a=2")).toEqual(
    new Map([
      ["a", "2"],
      ["b", "ü x"],
    ]),
  );
  expect(await read("application/json", "{}")).toBeNull();
  expect(await read("text/plain", "a=1")).toBeNull();
  expect(await read(type, "a".repeat(101))).toBeNull();
  expect(await read(type, "a=1&".repeat(10_001), 100_000)).toBeNull();
});
