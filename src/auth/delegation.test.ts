/**
 * Goal: no forged, foreign or untimely token passes, and each gets the reason of rules §3. Method:
 * one valid token, and variants that differ from it in the one or two points under test.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { addIssuer } from "../control/issuers.ts";
import { createTenant } from "../control/tenants.ts";
import { openTestControl } from "../control/test-control.ts";
import { verifyDelegation } from "./delegation.ts";

const control = openTestControl();
const { store, view, tenantId } = control;
afterAll(control.close);

const NOW_S = 1_800_000_000;
const AUDIENCE = "https://innkeep.example";
const ISS = "https://issuer.example";

type Json = Record<string, unknown>;
type Pair = { publicKey: CryptoKey; privateKey: CryptoKey };

let es: Pair;
let rs: Pair;
let stranger: Pair;
let esPublic: JWK;
let rsPublic: JWK;
let rsEncryption: JWK;

function registered(iss: string, more: Json = {}) {
  const keys = [esPublic, rsPublic, rsEncryption];
  return { iss, name: iss, allowed_audiences: [AUDIENCE], jwks: { keys }, ...more };
}
beforeAll(async () => {
  const extractable = { extractable: true };
  [es, rs, stranger] = await Promise.all([
    generateKeyPair("ES256", extractable),
    generateKeyPair("RS256", extractable),
    generateKeyPair("ES256", extractable),
  ]);
  esPublic = { ...(await exportJWK(es.publicKey)), kid: "es", alg: "ES256" };
  rsPublic = { ...(await exportJWK(rs.publicKey)), kid: "rs", alg: "RS256" };
  rsEncryption = { ...rsPublic, kid: "enc", use: "enc" };
  addIssuer(store, tenantId, registered(ISS));
  addIssuer(store, tenantId, registered("https://suspended.example", { status: "suspended" }));
  addIssuer(store, tenantId, registered("https://revoked.example", { status: "revoked" }));
  addIssuer(store, tenantId, registered("https://es-only.example", { allowed_algs: ["ES256"] }));
  addIssuer(store, tenantId, registered("https://elsewhere.example", { allowed_audiences: ["x"] }));
  addIssuer(store, createTenant(store, "Other"), registered("https://other-tenant.example"));
  view.refresh();
});

const GOOD: Json = {
  iss: ISS,
  sub: "traveler-1",
  aud: AUDIENCE,
  exp: NOW_S + 300,
  iat: NOW_S,
  jti: "j1",
};

/** A signed token; a claim or header set to undefined is left out. */
function sign(claims: Json, header: Json = {}, pair?: Pair): Promise<string> {
  const alg = header.alg === "RS256" ? "RS256" : "ES256";
  const known = alg === "RS256" ? rs : es;
  return new SignJWT({ ...GOOD, ...claims })
    .setProtectedHeader({ alg, kid: alg === "RS256" ? "rs" : "es", ...header } as { alg: string })
    .sign((pair ?? known).privateKey, { crit: { "urn:x": true } });
}

function b64(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return Buffer.from(text).toString("base64url");
}

function verify(token: string | null, nowMs = NOW_S * 1000) {
  return verifyDelegation({ token, tenantId, audience: AUDIENCE, view, nowMs });
}

async function answer(token: string | null): Promise<string> {
  const result = await verify(token);
  if (result.ok) return result.expired ? "ok, expired" : "ok";
  const { reason, claim } = result.detail;
  return [result.code, reason, claim].filter((part) => part !== undefined).join(" ");
}

test("a good token gives the traveler and its bound claims", async () => {
  expect(await verify(await sign({ hold_id: "hld_1", max_amount: 5000 }))).toEqual({
    ok: true,
    iss: ISS,
    sub: "traveler-1",
    jti: "j1",
    claims: { hold_id: "hld_1", max_amount: 5000 },
    expired: false,
  });
});

test("an absent header is delegation_required", async () => {
  expect(await answer(null)).toBe("delegation_required");
});

const accepted: [string, () => Promise<string>][] = [
  ["RS256", () => sign({}, { alg: "RS256" })],
  ["no kid, where one key fits the algorithm", () => sign({}, { kid: undefined })],
  ["several audiences", () => sign({ aud: ["https://x.example", AUDIENCE] })],
  ["no iat and no jti", () => sign({ iat: undefined, jti: undefined })],
  ["a life of exactly max_ttl_s", () => sign({ exp: NOW_S + 600 })],
  ["nbf and iat within the skew", () => sign({ nbf: NOW_S + 60, iat: NOW_S + 60 })],
  ["exp within the skew", () => sign({ iat: NOW_S - 300, exp: NOW_S - 59 })],
];
test.each(accepted)("a token is accepted with %s", async (_name, token) => {
  expect(await answer(await token())).toBe("ok");
});

const expired: [string, Json][] = [
  ["exp at the skew's end", { iat: NOW_S - 300, exp: NOW_S - 60 }],
  ["exp long ago", { iat: NOW_S - 90_000, exp: NOW_S - 89_700 }],
  ["exp long ago and no iat", { iat: undefined, exp: NOW_S - 89_700 }],
];
test.each(expired)("a token that only ran out is good but expired: %s", async (_name, claims) => {
  expect(await answer(await sign(claims))).toBe("ok, expired");
});

const forged: [string, string, () => Promise<string> | string][] = [
  ["bad_signature", "an empty header", () => ""],
  ["bad_signature", "one part", () => "abc"],
  ["bad_signature", "two parts", async () => (await sign({})).split(".").slice(0, 2).join(".")],
  ["bad_signature", "five parts", async () => `${await sign({})}.a.b`],
  ["bad_signature", "over 8 KiB", () => sign({ note: "x".repeat(8192) })],
  ["bad_signature", "a header that is no JSON", () => `${b64("{")}.${b64(GOOD)}.AAAA`],
  ["bad_signature", "a payload that is an array", () => `${b64({ alg: "ES256" })}.${b64([1])}.AA`],
  ["bad_signature", "padding", async () => `${await sign({})}==`],
  ["bad_signature", "standard base64", async () => `${await sign({})}+/`],
  ["bad_signature", "invalid UTF-8", () => `${b64({ alg: "ES256" })}._w.AAAA`],
  ["bad_signature", "a nested token", () => sign({}, { cty: "JWT" })],
  ["unsupported_algorithm", "alg none, unsigned", () => `${b64({ alg: "none" })}.${b64(GOOD)}.`],
  ["unsupported_algorithm", "no alg", () => `${b64({ kid: "es" })}.${b64(GOOD)}.AAAA`],
  ["unsupported_algorithm", "alg in lower case", () => `${b64({ alg: "es256" })}.${b64(GOOD)}.AA`],
  ["unsupported_algorithm", "alg as an array", () => `${b64({ alg: ["ES256"] })}.${b64(GOOD)}.AA`],
  [
    "unsupported_algorithm",
    "HS256 with the public key as secret",
    () => {
      const text = `${b64({ alg: "HS256", kid: "es" })}.${b64(GOOD)}`;
      const mac = createHmac("sha256", JSON.stringify(esPublic)).update(text);
      return `${text}.${mac.digest("base64url")}`;
    },
  ],
  ["unsupported_algorithm", "PS256", () => `${b64({ alg: "PS256", kid: "rs" })}.${b64(GOOD)}.AAAA`],
  [
    "unsupported_algorithm",
    "an alg that the issuer does not allow, before a missing claim",
    () => sign({ iss: "https://es-only.example", sub: undefined }, { alg: "RS256" }),
  ],
  ["missing_claim iss", "no iss", () => sign({ iss: undefined })],
  ["missing_claim iss", "iss as a number", () => sign({ iss: 1 })],
  ["missing_claim sub", "an empty sub", () => sign({ sub: "" })],
  ["missing_claim sub", "no sub of an unknown issuer", () => sign({ iss: "x", sub: undefined })],
  ["missing_claim aud", "no aud", () => sign({ aud: undefined })],
  ["missing_claim aud", "an empty list as aud", () => sign({ aud: [] })],
  ["missing_claim aud", "a number among the audiences", () => sign({ aud: [AUDIENCE, 1] })],
  ["missing_claim exp", "no exp", () => sign({ exp: undefined })],
  ["missing_claim exp", "exp as text", () => sign({ exp: String(NOW_S + 300) })],
  ["missing_claim nbf", "nbf as text", () => sign({ nbf: "0" })],
  ["issuer_unknown", "an unregistered issuer", () => sign({ iss: "https://evil.example" })],
  ["issuer_unknown", "an issuer with a slash more", () => sign({ iss: `${ISS}/` })],
  ["issuer_unknown", "another tenant's", () => sign({ iss: "https://other-tenant.example" })],
  ["issuer_unknown", "a suspended issuer", () => sign({ iss: "https://suspended.example" })],
  ["issuer_unknown", "a revoked issuer", () => sign({ iss: "https://revoked.example" })],
  ["issuer_unknown", "a prototype's name", () => sign({ iss: "__proto__" })],
  ["bad_signature", "an embedded key", () => sign({}, { jwk: esPublic }, stranger)],
  ["bad_signature", "an embedded key beside a good signature", () => sign({}, { jwk: esPublic })],
  ["bad_signature", "jku", () => sign({}, { jku: "https://evil.example/jwks" })],
  ["bad_signature", "x5u", () => sign({}, { x5u: "https://evil.example/cert" })],
  ["bad_signature", "x5c", () => sign({}, { x5c: ["MIIB"] })],
  ["bad_signature", "crit", () => sign({}, { crit: ["urn:x"], "urn:x": 1 })],
  ["bad_signature", "an unknown kid", () => sign({}, { kid: "other" })],
  ["bad_signature", "a kid that is no text", () => sign({}, { kid: 7 })],
  ["bad_signature", "a key of another type", () => sign({}, { kid: "rs" })],
  ["bad_signature", "a key for encryption", () => sign({}, { alg: "RS256", kid: "enc" })],
  ["bad_signature", "a stranger's key", () => sign({}, {}, stranger)],
  ["bad_signature", "an all-zero signature", () => zeroSignature()],
  ["bad_signature", "an empty signature", async () => (await sign({})).replace(/[^.]+$/, "")],
  ["bad_signature", "a payload swapped in", () => swapPayload({ sub: "traveler-2" })],
  ["bad_signature", "a stranger's key and no audience", () => sign({ aud: "x" }, {}, stranger)],
  ["audience_mismatch aud", "another audience", () => sign({ aud: "https://x.example" })],
  ["audience_mismatch aud", "an audience with a slash more", () => sign({ aud: `${AUDIENCE}/` })],
  ["audience_mismatch aud", "no allowance", () => sign({ iss: "https://elsewhere.example" })],
  ["audience_mismatch aud", "a wrong audience, run out", () => sign({ aud: "x", exp: 1 })],
  ["audience_mismatch hold_id", "a hold_id of a wrong type", () => sign({ hold_id: 1 })],
  ["audience_mismatch max_amount", "a fractional max_amount", () => sign({ max_amount: 0.5 })],
  ["expired nbf", "nbf beyond the skew", () => sign({ nbf: NOW_S + 61 })],
  ["expired iat", "iat beyond the skew", () => sign({ iat: NOW_S + 61 })],
  ["expired max_ttl_s", "too long a life", () => sign({ exp: NOW_S + 601 })],
  ["expired max_ttl_s", "too long a rest", () => sign({ iat: undefined, exp: NOW_S + 661 })],
  ["expired max_ttl_s", "too long and run out", () => sign({ iat: 0, exp: NOW_S - 90 })],
];
test.each(forged)("%s: a token with %s", async (reason, _name, token) => {
  const expected =
    reason === "issuer_unknown" ? "delegation_issuer_unknown" : `delegation_invalid ${reason}`;
  expect(await answer(await token())).toBe(expected);
});

async function zeroSignature(): Promise<string> {
  return (await sign({})).replace(/[^.]+$/, Buffer.alloc(64).toString("base64url"));
}

async function swapPayload(claims: Json): Promise<string> {
  const [header, , signature] = (await sign({})).split(".");
  return `${header}.${b64({ ...GOOD, ...claims })}.${signature}`;
}
