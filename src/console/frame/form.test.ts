/** Goal: a token is good for one form of one session. */
import { expect, test } from "bun:test";
import type { Config } from "../../config.ts";
import type { Context } from "../../http/context.ts";
import { formToken, hasToken, TOKEN_FIELD } from "./form.ts";

const config = { baseUrl: "https://inn.example/hotels" } as Config;
const context = { config, keys: { hmac: Buffer.alloc(32, 7) } } as unknown as Context;
const session = { id_hash: "a", caller_id: "crd_1", created_at: 0, seen_at: 0, proved_at: 0 };
const PATH = "/console/bookings/bkg_1/check-in";

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
