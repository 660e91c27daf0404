/**
 * Goal: every standard encoding of client credentials is accepted, and no other. Method: random
 * text, encoded by RFC 6749 §2.3.1 as real clients do.
 */
import { afterAll, expect, test } from "bun:test";
import { randomInt } from "node:crypto";
import fc from "fast-check";
import { changeAgent, createAgent } from "../control/agents.ts";
import { issueCredential } from "../control/credentials.ts";
import { openTestControl } from "../control/test-control.ts";
import { mintSecret } from "../privacy/credential-secret.ts";
import { authenticateClient, authenticatesTwice, readBasic } from "./client-auth.ts";

const seed = randomInt(2 ** 31);
console.log(`client-auth: seed ${seed}`);

const control = openTestControl();
const { store, view, tenantId } = control;
afterAll(control.close);

const NOW_MS = Date.now();
const base64 = (text: string) => Buffer.from(text).toString("base64");
/** As oauth4webapi and openid-client encode: even what would not need it. */
const zealous = (text: string) =>
  encodeURIComponent(text)
    .replace(/[-_.!~*'()]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
const basic = (id: string, secret: string, encode = (text: string) => text) =>
  `Basic ${base64(`${encode(id)}:${encode(secret)}`)}`;

function newClient() {
  const terms = { name: "Client", kind: "agent", mode: "live" } as const;
  const client_id = createAgent(store, tenantId, terms);
  const { secret: client_secret } = issueCredential(store, client_id);
  view.refresh();
  return { client_id, client_secret };
}

function problemOf(authorization: string | null, body: object = {}): string {
  const reading = authenticateClient(view, authorization, body, NOW_MS);
  return reading.ok ? "ok" : reading.problem;
}

test("any id and secret that a client encodes are decoded unchanged", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(text, text, (client_id, client_secret) => {
      const header = basic(client_id, client_secret, zealous);
      expect(readBasic(header)).toEqual({ client_id, client_secret });
    }),
    { seed, numRuns: 1000 },
  );
});

test("no header value makes the reader throw", () => {
  const anything = fc.oneof(fc.string(), fc.base64String(), fc.string().map(base64));
  fc.assert(
    fc.property(anything, (text) => {
      readBasic(text);
      readBasic(`Basic ${text}`);
    }),
    { seed, numRuns: 2000 },
  );
});

test("ids and secrets are accepted raw or encoded, in the header or the body", () => {
  const client = newClient();
  const { client_id, client_secret } = client;
  for (const header of [
    basic(client_id, client_secret),
    basic(client_id, client_secret, zealous),
    basic(client_id, client_secret).replace("Basic ", "BASIC  "),
  ]) {
    expect(problemOf(header)).toBe("ok");
    expect(problemOf(header, { client_id })).toBe("ok");
  }
  expect(problemOf(null, client)).toBe("ok");
});

test("a header that is not Basic is refused as such, whatever the body contains", () => {
  const client = newClient();
  const malformed = "the Authorization header is not well-formed HTTP Basic";
  for (const header of [
    ...["", "Basic", "Basic ", "Basic ?", `Bearer ${client.client_secret}`],
    ...[`Basic ${base64("no colon")}`, `Basic ${base64("%zz:a")}`, `Basic ${base64("a:%ff")}`],
    `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString("base64")}`,
    `${basic(client.client_id, client.client_secret)}, Basic YTpi`,
  ]) {
    expect(problemOf(header, client)).toBe(malformed);
  }
});

test("header and body must not name two clients", () => {
  const { client_id, client_secret } = newClient();
  const problem = "client_id differs from the Authorization header's";
  expect(problemOf(basic(client_id, client_secret), { client_id: "agt_other" })).toBe(problem);
});

test("a body secret beside a header is a second authentication, a body client_id is not", () => {
  const client = newClient();
  const header = basic(client.client_id, client.client_secret);
  for (const authorization of [header, "Bearer x", ""]) {
    expect(authenticatesTwice(authorization, client)).toBeTrue();
    expect(authenticatesTwice(authorization, { client_id: client.client_id })).toBeFalse();
  }
  expect(authenticatesTwice(null, client)).toBeFalse();
});

test("an incomplete pair's error names the missing part, a wrong pair's error names no part", () => {
  const [one, other] = [newClient(), newClient()];
  expect(problemOf(null)).toBe("client_id is missing");
  expect(problemOf(null, { client_secret: one.client_secret })).toBe("client_id is missing");
  expect(problemOf(null, { client_id: one.client_id })).toBe("client_secret is missing");
  const wrong = "client_id or client_secret is not valid";
  expect(problemOf(null, { ...one, client_id: other.client_id })).toBe(wrong);
  expect(problemOf(null, { ...one, client_id: "agt_unknown" })).toBe(wrong);
  expect(problemOf(null, { ...one, client_secret: mintSecret("live") })).toBe(wrong);
  expect(problemOf(null, { ...one, client_secret: "guess" })).toBe(wrong);
  expect(problemOf(basic("", ""))).toBe(wrong);
  changeAgent(store, one.client_id, { state: "suspended" });
  view.refresh();
  expect(problemOf(null, one)).toBe(wrong);
  changeAgent(store, other.client_id, { state: "revoked" });
  view.refresh();
  expect(problemOf(null, other)).toBe(wrong);
});
