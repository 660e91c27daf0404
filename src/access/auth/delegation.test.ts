/**
 * Goal: good tokens are accepted until their last second. Method: one valid token and variants
 * that differ in the point under test. Forgeries: `forged-tokens.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Forger, ISS } from "../../../test/support/forger.ts";
import { addIssuer, changeIssuer } from "../control/issuers.ts";
import { createTenant } from "../control/tenants.ts";
import { openTestControl } from "../control/test-control.ts";
import { verifyDelegation } from "./delegation.ts";

const control = openTestControl();
const { store, view, tenantId, realm } = control;
afterAll(control.close);

const NOW_S = 1_800_000_000;
const AUDIENCE = "https://innkeep.example";
const PLATFORM = { platformAudience: AUDIENCE, oauthIssuer: null, baseUrl: "https://api.example" };

type Json = Record<string, unknown>;

let forger: Forger;
beforeAll(async () => {
  forger = await Forger.open(AUDIENCE, "agt_1", () => NOW_S);
  forger.register(store, tenantId, createTenant(store, "Other"));
  view.refresh();
});

function verify(token: string | null) {
  return verifyDelegation({ token, realm, platform: PLATFORM, view, nowMs: NOW_S * 1000 });
}

async function answer(token: string | null): Promise<string> {
  const result = await verify(token);
  if (result.ok) return result.consent.is_expired ? "ok, expired" : "ok";
  const { reason, claim } = result.detail;
  return [result.code, reason, claim].filter((part) => part !== undefined).join(" ");
}

test("a good token gives the traveler and its bound claims", async () => {
  const claims = { azp: "agt_1", client_id: "agt_2", hold_id: "hld_1", max_amount: 5000 };
  expect(await verify(await forger.sign(claims))).toEqual({
    ok: true,
    iss: ISS,
    sub: "traveler-1",
    consent: { jti: "j1", claims },
  });
});

test("an absent header is refused as delegation_required, an empty one is not a token", async () => {
  expect(await answer(null)).toStartWith("delegation_required");
  expect(await answer("")).toBe("delegation_invalid bad_signature");
});

const accepted: [string, Json, Json?][] = [
  ["RS256", {}, { alg: "RS256" }],
  ["no kid, where one key fits the algorithm", {}, { kid: undefined }],
  ["headers that mean nothing here", {}, { "x5t#S256": "AAAA" }],
  ["the type of all tokens", {}, { typ: "JWT" }],
  ["the type of consent", {}, { typ: "delegation+jwt" }],
  ["its type in other letters", {}, { typ: "Delegation+JWT" }],
  ["its type as a media type", {}, { typ: "application/delegation+jwt" }],
  ["several audiences", { aud: ["https://x.example", AUDIENCE] }],
  ["no iat and no jti", { iat: undefined, jti: undefined }],
  ["a life of exactly max_ttl_s", { exp: NOW_S + 600 }],
  ["a rest of exactly max_ttl_s and no start", { iat: undefined, exp: NOW_S + 660 }],
  ["nbf and iat at the skew's end", { nbf: NOW_S + 60, iat: NOW_S + 60 }],
  ["exp within the skew", { iat: NOW_S - 300, exp: NOW_S - 59 }],
];
test.each(accepted)("a token is accepted with %s", async (_name, claims, header = {}) => {
  expect(await answer(await forger.sign(claims, header))).toBe("ok");
});

const expired: [string, Json][] = [
  ["exp at the skew's end", { iat: NOW_S - 300, exp: NOW_S - 60 }],
  ["exp long ago", { iat: NOW_S - 90_000, exp: NOW_S - 89_700 }],
  ["exp long ago and no iat", { iat: undefined, exp: NOW_S - 89_700 }],
];
test.each(expired)("a token that only ran out is good but expired: %s", async (_name, claims) => {
  expect(await answer(await forger.sign(claims))).toBe("ok, expired");
});

const untimely: [string, string, Json][] = [
  ["nbf", "nbf a second beyond the skew", { nbf: NOW_S + 61 }],
  ["iat", "iat a second beyond the skew", { iat: NOW_S + 61 }],
  ["max_ttl_s", "a life a second too long", { exp: NOW_S + 601 }],
  ["max_ttl_s", "a rest a second too long", { iat: undefined, exp: NOW_S + 661 }],
];
test.each(untimely)("expired %s: a token with %s", async (claim, _name, claims) => {
  expect(await answer(await forger.sign(claims))).toBe(`delegation_invalid expired ${claim}`);
});

test("a cached token is validated again in everything but its signature", async () => {
  const bound = await forger.sign({ exp: NOW_S + 300 });
  const at = (nowS: number) =>
    verifyDelegation({ token: bound, realm, platform: PLATFORM, view, nowMs: nowS * 1000 });
  expect(await at(NOW_S)).toEqual(await at(NOW_S));
  expect(await at(NOW_S + 361)).toMatchObject({ ok: true, consent: { is_expired: true } });
  const elsewhere = { ...PLATFORM, platformAudience: "https://other.example" };
  const args = { token: bound, realm, platform: elsewhere, view, nowMs: NOW_S * 1000 };
  expect(await verifyDelegation(args)).toMatchObject({ detail: { claim: "aud" } });
});

test("a valid signature fails with other claims, and valid claims with another signature", async () => {
  const [good, other] = [await forger.sign(), await forger.sign({ sub: "traveler-2" })];
  expect(await answer(good)).toBe("ok");
  const [head, , signature] = good.split(".");
  const [, claims, another] = other.split(".");
  expect(await answer([head, claims, signature].join("."))).toBe(
    "delegation_invalid bad_signature",
  );
  expect(await answer([...good.split(".").slice(0, 2), another].join("."))).toBe(
    "delegation_invalid bad_signature",
  );
});

test("a token without kid is refused when two keys fit", async () => {
  const [first, second] = [forger.esPublic, { ...forger.neighbourPublic, kid: "second" }];
  const iss = "https://two-keys.example";
  const jwks = { keys: [first, second] };
  addIssuer(store, realm, { iss, name: iss, allowed_audiences: [AUDIENCE], jwks });
  view.refresh();
  const token = await forger.sign({ iss }, { kid: undefined });
  expect(await answer(token)).toBe("delegation_invalid bad_signature");
  expect(await answer(await forger.sign({ iss }))).toBe("ok");
});

test("an issuer of the other mode is unknown", async () => {
  const iss = "https://of-tests.example";
  const terms = { iss, name: iss, allowed_audiences: [AUDIENCE] };
  const inTest = { ...realm, mode: "test" } as const;
  addIssuer(store, inTest, { ...terms, jwks: { keys: [forger.esPublic] } });
  view.refresh();
  const token = await forger.sign({ iss });
  expect(await answer(token)).toBe("delegation_issuer_unknown");
  const args = { token, platform: PLATFORM, view, nowMs: NOW_S * 1000 };
  expect(await verifyDelegation({ ...args, realm: inTest })).toMatchObject({ ok: true });
});

test("a re-registered issuer verifies with its new keys only, even if the kid is the same", async () => {
  const iss = "https://reborn.example";
  const register = (key: object) => {
    const jwks = { keys: [{ ...key, kid: "es" }] };
    const id = addIssuer(store, realm, { iss, name: iss, allowed_audiences: [AUDIENCE], jwks });
    view.refresh();
    return id!;
  };
  const [old, fresh] = [
    await forger.sign({ iss }),
    await forger.sign({ iss }, {}, forger.neighbour),
  ];
  const answers = async () => [await answer(old), await answer(fresh)];
  const first = register(forger.esPublic);
  expect(await answers()).toEqual(["ok", "delegation_invalid bad_signature"]);
  changeIssuer(store, first, { status: "revoked" });
  view.refresh();
  expect(await answers()).toEqual(["delegation_issuer_unknown", "delegation_issuer_unknown"]);
  register(forger.neighbourPublic);
  expect(await answers()).toEqual(["delegation_invalid bad_signature", "ok"]);
});
