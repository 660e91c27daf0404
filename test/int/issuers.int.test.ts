/**
 * Goal: a tenant decides who may vouch for travelers, its decision holds at once, and a token that
 * does not pass shows where it fails. Method: two api processes, an issuer with key pairs of the
 * test's own and one whose keys are fetched, and every check of the verification failed once.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import type { TraceStep } from "../../src/access/auth/delegation-trace.ts";
import { keysOf, steps } from "../support/answer.ts";
import {
  createHotel,
  type Hotel,
  newHold,
  newKey,
  sendBooking,
  stayRequest,
} from "../support/client.ts";
import { Service, until } from "../support/service.ts";

const ISSUERS = "/v1/admin/delegation-issuers";

interface IssuerOut {
  readonly issuer_id: string;
  readonly iss: string;
  readonly status: string;
  readonly jwks_url: string | null;
  readonly jwks: { readonly keys: readonly JWK[] } | null;
  readonly allowed_audiences: readonly string[];
  readonly version: number;
}

interface Trace {
  readonly valid: boolean;
  readonly steps: readonly TraceStep[];
  readonly claims?: Readonly<Record<string, unknown>>;
}

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

let service: Service;
let hotel: Hotel;
let pair: Pair;
let jwk: JWK;
let privateJwk: JWK;
let keyServer: Bun.Server<undefined>;
let audience: string;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "2", WEBHOOKS_ALLOW_PRIVATE: "1" });
  hotel = await createHotel(service);
  audience = service.demo.delegation.aud;
  pair = await generateKeyPair("ES256", { extractable: true });
  const name = { kid: "k1", alg: "ES256", use: "sig" };
  jwk = { ...(await exportJWK(pair.publicKey)), ...name };
  privateJwk = { ...(await exportJWK(pair.privateKey)), ...name };
  const answer = () => Response.json({ keys: [jwk] });
  keyServer = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
});
afterAll(async () => {
  await keyServer.stop(true);
  await service.stop();
});

function admin(method: string, path: string, body?: unknown, options: object = {}) {
  const agent = service.demo.admin;
  return service.api(method, path, { agent, ...(body === undefined ? {} : { body }), ...options });
}

async function newIssuer(terms: object = {}): Promise<IssuerOut> {
  const iss = `https://${crypto.randomUUID()}.example`;
  const body = { iss, name: "Travel desk", jwks: { keys: [jwk] }, ...terms };
  return (await admin("POST", ISSUERS, body)).ok<IssuerOut>(201).data;
}

interface TokenTerms {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly signer?: Pair;
}

function tokenOf(iss: string, { claims = {}, header = {}, signer = pair }: TokenTerms = {}) {
  const iat = Math.floor(Date.now() / 1000);
  const all = { iss, sub: "traveler-9", aud: audience, iat, exp: iat + 300, ...claims };
  return new SignJWT(all)
    .setProtectedHeader({ alg: "ES256", kid: "k1", ...header })
    .sign(signer.privateKey, { crit: { "urn:x": true } });
}

async function traced(issuer: IssuerOut, token: string): Promise<Trace> {
  return (await admin("POST", `${ISSUERS}/${issuer.issuer_id}/test`, { token })).ok<Trace>().data;
}

/** The code that bookings with the issuer's tokens are answered with now; null when they pass. */
async function codeOfBooking(iss: string): Promise<string | null> {
  const hold = await newHold(service, stayRequest(hotel));
  const answer = await sendBooking(service, hold, { delegation: await tokenOf(iss) });
  return answer.status === 201 ? null : answer.anyRefusal().code;
}

test("a new issuer has the defaults, and its travelers can book", async () => {
  const issuer = await newIssuer();
  expect(keysOf(issuer)).toEqual([
    ...["allowed_algs", "allowed_audiences", "clock_skew_s", "created_at", "iss", "issuer_id"],
    ...["jwks", "jwks_url", "max_ttl_s", "name", "status", "version"],
  ]);
  expect(issuer).toMatchObject({
    ...{ status: "active", jwks_url: null, jwks: { keys: [jwk] }, version: 1 },
    ...{ allowed_audiences: [audience], allowed_algs: ["RS256", "ES256"] },
    ...{ max_ttl_s: 600, clock_skew_s: 60 },
  } as never);
  await until("its tokens pass", async () => (await codeOfBooking(issuer.iss)) === null, 1_000);
  const path = `${ISSUERS}/${issuer.issuer_id}`;
  expect((await admin("GET", path)).ok<IssuerOut>().data).toEqual(issuer as never);
  const items = (await admin("GET", ISSUERS)).ok<{ items: IssuerOut[] }>().data.items;
  expect(items[0]).toEqual(issuer as never);
});

test("what an operator of mode test does to a name changes nothing for live bookings", async () => {
  const agent = service.demo.test_admin;
  const stranger = await generateKeyPair("ES256");
  const theirs = { ...(await exportJWK(stranger.publicKey)), kid: "k1", alg: "ES256" };
  const { issuer_id, iss } = await newIssuer();
  await until("its tokens pass", async () => (await codeOfBooking(iss)) === null, 1_000);
  const body = { iss, name: "Of tests", jwks: { keys: [theirs] } };
  const made = (await admin("POST", ISSUERS, body, { agent })).ok<IssuerOut>(201).data;
  const forged = await tokenOf(iss, { signer: stranger });
  const hold = await newHold(service, stayRequest(hotel));
  const answer = await sendBooking(service, hold, { delegation: forged });
  expect(answer.refused("delegation_invalid").detail).toEqual({ reason: "bad_signature" });
  for (const verb of ["suspend", "revoke"]) {
    const path = `${ISSUERS}/${issuer_id}/${verb}`;
    (await admin("POST", path, undefined, { agent })).refused("delegation_issuer_not_found");
    (await admin("POST", `${ISSUERS}/${made.issuer_id}/${verb}`, undefined, { agent })).ok();
    expect(await codeOfBooking(iss)).toBeNull();
  }
  const ids = async (by: object) => {
    const { items } = (await admin("GET", ISSUERS, undefined, by)).ok<{ items: IssuerOut[] }>()
      .data;
    return items.filter((item) => item.iss === iss).map((item) => item.issuer_id);
  };
  expect([await ids({}), await ids({ agent })]).toEqual([[issuer_id], [made.issuer_id]]);
});

test("a revoked name is registered anew with other keys, and its old tokens stay refused", async () => {
  const first = await newIssuer();
  const { iss } = first;
  const signer = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(signer.publicKey)), kid: "k1", alg: "ES256" };
  const old = await tokenOf(iss);
  await until("its tokens pass", async () => (await codeOfBooking(iss)) === null, 1_000);
  (await admin("POST", `${ISSUERS}/${first.issuer_id}/revoke`)).ok();
  const second = await newIssuer({ iss, jwks: { keys: [key] } });
  expect(second.issuer_id).not.toBe(first.issuer_id);
  const book = async (delegation: string) => {
    const hold = await newHold(service, stayRequest(hotel));
    return sendBooking(service, hold, { delegation });
  };
  const isNewTaken = async () => (await book(await tokenOf(iss, { signer }))).status === 201;
  await until("the new tokens pass", isNewTaken, 1_000);
  for (const token of [old, await tokenOf(iss)]) {
    expect((await book(token)).refused("delegation_invalid").detail).toEqual({
      reason: "bad_signature",
    });
  }
  expect((await traced(first, old)).steps.at(-1)).toMatchObject({ step: "issuer", ok: false });
  expect((await traced(second, await tokenOf(iss, { signer }))).valid).toBeTrue();
  const listed = async (query: string) => {
    const list = await service.api("GET", `/.well-known/delegation-issuers${query}`);
    return JSON.parse(list.text).issuers.filter((row: { iss: string }) => row.iss === iss);
  };
  for (const query of ["", "?mode=live"]) {
    expect(await listed(query)).toMatchObject([{ iss, status: "active" }]);
  }
  expect(await listed("?mode=test")).toEqual([]);
  const unknown = await service.api("GET", "/.well-known/delegation-issuers?mode=prod");
  expect(unknown.faults()).toEqual(["?mode"]);
});

test("keys can be fetched from the issuer", async () => {
  const jwks_url = `http://127.0.0.1:${keyServer.port}/keys`;
  const issuer = await newIssuer({ jwks: undefined, jwks_url });
  expect(issuer).toMatchObject({ jwks: null, jwks_url });
  await until("its tokens pass", async () => (await codeOfBooking(issuer.iss)) === null, 2_000);
  const fixed = await admin("PATCH", `${ISSUERS}/${issuer.issuer_id}`, { jwks: { keys: [jwk] } });
  expect(fixed.ok<IssuerOut>().data).toMatchObject({ jwks_url: null, version: 2 });
});

test("a suspended issuer's tokens fail within a second, and revocation is for good", async () => {
  const issuer = await newIssuer();
  const path = `${ISSUERS}/${issuer.issuer_id}`;
  const refused = async () => (await codeOfBooking(issuer.iss)) === "delegation_issuer_unknown";
  expect((await admin("POST", `${path}/suspend`)).ok<IssuerOut>().data).toMatchObject({
    ...{ status: "suspended", version: 2 },
  });
  await until("suspended", refused, 1_000);
  expect((await admin("POST", `${path}/suspend`)).ok<IssuerOut>().data.version).toBe(2);
  (await admin("POST", `${path}/activate`)).ok();
  await until("active", async () => (await codeOfBooking(issuer.iss)) === null, 1_000);
  expect((await admin("POST", `${path}/revoke`)).ok<IssuerOut>().data.status).toBe("revoked");
  await until("revoked", refused, 1_000);
  expect((await admin("DELETE", path)).ok<IssuerOut>().data.status).toBe("revoked");
  for (const answer of [
    await admin("POST", `${path}/activate`),
    await admin("POST", `${path}/suspend`),
    await admin("PATCH", path, { name: "Again" }),
  ]) {
    const { detail, next_actions } = answer.refused("conflict");
    expect(detail).toEqual({ reason: "revoked", issuer_id: issuer.issuer_id });
    expect(steps(next_actions)[0]).toBe(`get GET ${path}`);
  }
});

test("a name is registered once in a tenant, and replays are the same bytes", async () => {
  const headers = { "idempotency-key": newKey() };
  const iss = `https://${crypto.randomUUID()}.example`;
  const body = { iss, name: "Once", jwks: { keys: [jwk] } };
  const first = await admin("POST", ISSUERS, body, { headers });
  const { issuer_id } = first.ok<IssuerOut>(201).data;
  const second = await admin("POST", ISSUERS, body, { headers });
  expect([second.text, second.isReplayed]).toEqual([first.text, true]);
  const taken = (await admin("POST", ISSUERS, body)).refused("conflict");
  expect(taken.detail).toEqual({ reason: "iss_taken", issuer_id });
  const agent = service.demo.second_tenant.admin;
  (await admin("POST", ISSUERS, body, { agent })).ok(201);
  const path = `${ISSUERS}/${issuer_id}`;
  const renamed = await admin("PATCH", path, { name: "New" }, { headers: { "if-match": "1" } });
  renamed.ok();
  const stale = await admin("PATCH", path, { name: "Old" }, { headers: { "if-match": "1" } });
  expect(stale.refused("conflict").detail).toMatchObject({ reason: "version_mismatch" });
});

test("private keys, two sources and addresses that must not be fetched are refused", async () => {
  const body = { iss: "https://bad.example", name: "Bad" };
  const faults = async (terms: object) =>
    (await admin("POST", ISSUERS, { ...body, ...terms })).faults();
  const mixed = await admin("POST", ISSUERS, { ...body, jwks: { keys: [jwk, privateJwk] } });
  expect(mixed.faults()).toEqual(["/jwks/keys/1/d"]);
  expect(mixed.text).not.toContain(privateJwk.d!);
  const symmetric = { kty: "oct", k: "c2VjcmV0" };
  expect(await faults({ jwks: { keys: [symmetric] } })).toEqual([
    ...["/jwks/keys/0/k", "/jwks/keys/0/kty"],
  ]);
  expect(await faults({ jwks: { keys: [{ kty: "RSA", e: "AQAB" }] } })).toEqual(["/jwks/keys/0/n"]);
  expect(await faults({ jwks: { keys: Array(101).fill(jwk) } })).toEqual(["/jwks/keys"]);
  expect(await faults({})).toEqual(["/jwks_url"]);
  const jwks_url = "https://keys.example/jwks.json";
  expect(await faults({ jwks_url, jwks: { keys: [jwk] } })).toEqual(["/jwks_url"]);
  for (const address of [
    ...["http://keys.example/jwks", "ftp://keys.example/", "keys.example", "file:///etc/passwd"],
    ...[
      "https://user:word@keys.example/",
      "https://keys.example/#x",
      `https://${"a".repeat(2050)}`,
    ],
  ]) {
    expect(await faults({ jwks_url: address })).toEqual(["/jwks_url"]);
  }
  expect(await faults({ jwks: { keys: [jwk] }, allowed_algs: ["HS256"], max_ttl_s: 0 })).toEqual([
    ...["/allowed_algs/0", "/max_ttl_s"],
  ]);
});

test("the service itself is no issuer of consent", async () => {
  const own = service.demo.base_url;
  for (const iss of [own, `${own}/`]) {
    const body = { iss, name: "Ourselves", jwks: { keys: [jwk] } };
    const answer = await admin("POST", ISSUERS, body);
    expect(answer.faults()).toEqual(["/iss"]);
  }
});

test("a test of a good token shows every step and not the traveler", async () => {
  const issuer = await newIssuer();
  const answer = await admin("POST", `${ISSUERS}/${issuer.issuer_id}/test`, {
    token: await tokenOf(issuer.iss, { claims: { jti: "j-1" } }),
  });
  const { valid, steps: passed, claims } = answer.ok<Trace>().data;
  expect(valid).toBeTrue();
  expect(passed.every(({ ok }) => ok)).toBeTrue();
  expect(passed.map(({ step }) => step)).toEqual([
    ...(["format", "algorithm", "claims", "issuer", "header", "key", "signature"] as const),
    ...(["audience", "bound_claims", "lifetime"] as const),
  ]);
  expect(claims).toMatchObject({ iss: issuer.iss, aud: audience, jti: "j-1" });
  expect(answer.text).not.toContain("traveler-9");
});

test("a test of a bad token ends at the step that fails, with the reason of a booking", async () => {
  const issuer = await newIssuer({ allowed_algs: ["ES256"] });
  const stranger = await generateKeyPair("ES256", { extractable: true });
  const now = Math.floor(Date.now() / 1000);
  const cases: readonly (readonly [TokenTerms | string, object])[] = [
    ["not-a-token", { step: "format", reason: "bad_signature" }],
    [{ claims: { sub: "" } }, { step: "claims", reason: "missing_claim", claim: "sub" }],
    [
      { claims: { iss: "https://else.example" } },
      {
        ...{ step: "issuer", reason: "delegation_issuer_unknown" },
      },
    ],
    [{ header: { jku: "https://evil.example" } }, { step: "header", reason: "bad_signature" }],
    [{ header: { kid: "k2" } }, { step: "key", reason: "bad_signature" }],
    [{ signer: stranger }, { step: "signature", reason: "bad_signature" }],
    [
      { header: { typ: "at+jwt" } },
      {
        ...{ step: "audience", reason: "audience_mismatch", claim: "typ" },
      },
    ],
    [{ claims: { aud: "else" } }, { step: "audience", reason: "audience_mismatch", claim: "aud" }],
    [
      { claims: { max_amount: "1" } },
      {
        ...{ step: "bound_claims", reason: "audience_mismatch", claim: "max_amount" },
      },
    ],
    [
      { claims: { iat: now - 900, exp: now - 600 } },
      {
        ...{ step: "lifetime", reason: "expired", claim: "exp" },
      },
    ],
    [{ claims: { exp: now + 9_000 } }, { step: "lifetime", reason: "expired", claim: "max_ttl_s" }],
  ];
  for (const [terms, fault] of cases) {
    const token = typeof terms === "string" ? terms : await tokenOf(issuer.iss, terms);
    const { valid, steps: seen } = await traced(issuer, token);
    expect(valid).toBeFalse();
    expect(seen.at(-1)).toEqual({ ok: false, ...fault } as never);
    expect(seen.slice(0, -1).every(({ ok }) => ok)).toBeTrue();
  }
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa("{}").replaceAll("=", "")}.`.replace("=", "");
  expect((await traced(issuer, unsigned)).steps.at(-1)).toMatchObject({
    ...{ step: "algorithm", reason: "unsupported_algorithm" },
  });
  (await admin("POST", `${ISSUERS}/${issuer.issuer_id}/suspend`)).ok();
  const { steps: suspended } = await traced(issuer, await tokenOf(issuer.iss));
  expect(suspended.at(-1)).toMatchObject({ step: "issuer", ok: false });
});

test("another tenant's operator cannot see or change an issuer", async () => {
  const { issuer_id, iss } = await newIssuer();
  const agent = service.demo.second_tenant.admin;
  const list = await admin("GET", ISSUERS, undefined, { agent });
  list.ok();
  expect(list.text).not.toContain(iss);
  const path = `${ISSUERS}/${issuer_id}`;
  for (const [method, at, body] of [
    ...(
      [
        ["GET", ""],
        ["DELETE", ""],
        ["POST", "/revoke"],
      ] as const
    ).map((each) => [...each, undefined] as const),
    ["PATCH", "", { name: "x" }] as const,
    ["POST", "/test", { token: "x" }] as const,
  ]) {
    const answer = await admin(method, path + at, body, { agent });
    const { detail, next_actions } = answer.refused("delegation_issuer_not_found");
    expect(detail).toEqual({ issuer_id });
    expect(steps(next_actions)).toEqual([`get GET ${ISSUERS}`]);
  }
});
