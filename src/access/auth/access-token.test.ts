/**
 * Goal: only tokens that this service signed for this purpose are accepted (RFC 8725). Method:
 * tokens with one fault each, most of them signed with the service's real key.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { ensureSigningKeys, rotateSigningKey } from "../control/signing-keys.ts";
import { openTestControl } from "../control/test-control.ts";
import { KeyVersions } from "../privacy/key-versions.ts";
import { type AccessToken, AccessTokens } from "./access-token.ts";
import { KeyRing, type Signer } from "./key-ring.ts";

const BASE = "https://innkeep.example";
const MASTER_KEY = new KeyVersions([
  { kid: "encryption-v1", key: Buffer.alloc(32, 5), from_ms: 0 },
]);
const NOW_MS = 1_800_000_000_000;
const NOW_S = NOW_MS / 1000;

const control = openTestControl();
const { store, view, tenantId } = control;
const ring = new KeyRing(view, MASTER_KEY);
const tokens = new AccessTokens(ring, BASE, BASE);
const grant = {
  ...{ agentId: "agt_1", credentialId: "crd_1", tenantId, mode: "live" },
  ...{ scopes: ["search", "quotes"], audience: BASE },
};

let signer: Signer;
let card: Signer;
let stranger: CryptoKeyPair;

beforeAll(async () => {
  await ensureSigningKeys(store, MASTER_KEY, NOW_MS);
  view.refresh();
  signer = await ring.signer("access_token", NOW_MS);
  card = await ring.signer("agent_card", NOW_MS);
  stranger = (await generateKeyPair("RS256", { extractable: true })) as CryptoKeyPair;
});
afterAll(control.close);

const CLAIMS = {
  ...{ iss: BASE, sub: "agt_1", client_id: "agt_1", aud: BASE, iat: NOW_S, exp: NOW_S + 900 },
  ...{ jti: "j", scope: "search", credential_id: "crd_1", tenant_id: "t", mode: "live" },
};

interface Forgery {
  readonly header?: object;
  readonly claims?: object;
  readonly key?: CryptoKey;
}

function signed({ header = {}, claims = {}, key = signer.key as CryptoKey }: Forgery) {
  const protectedHeader = { alg: "RS256", typ: "at+jwt", kid: signer.kid, ...header };
  return new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader(protectedHeader).sign(key);
}

const coded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const unsigned = (header: object, signature = "") =>
  `${coded(header)}.${coded(CLAIMS)}.${signature}`;
const own = () => ({ alg: "RS256", typ: "at+jwt", kid: signer.kid });

const GOOD: readonly [string, Forgery][] = [
  ["as they are minted", {}],
  ["with the type's long name", { header: { typ: "application/at+jwt" } }],
  ["with the type in capitals", { header: { typ: "AT+JWT" } }],
  ["issued by a clock a little ahead", { claims: { iat: NOW_S + 5, nbf: NOW_S + 5 } }],
  ["that ended within the skew", { claims: { exp: NOW_S - 4 } }],
];

for (const [what, forgery] of GOOD) {
  test(`tokens ${what} are accepted`, async () => {
    expect(await tokens.verify(await signed(forgery), NOW_MS)).toMatchObject({ kid: signer.kid });
  });
}

const FORGED: readonly [string, () => string | Promise<string>][] = [
  ["without a signature", () => unsigned({ ...own(), alg: "none" })],
  ["with an empty signature", () => unsigned(own())],
  ["of another type", () => signed({ header: { typ: "JWT" } })],
  ["without a type", () => signed({ header: { typ: undefined } })],
  ["with an unknown kid", () => signed({ header: { kid: "k" } })],
  ["without a kid", () => signed({ header: { kid: undefined } })],
  ["with a kid that is a path", () => signed({ header: { kid: "../../dev/null" } })],
  ["signed by a stranger", () => signed({ key: stranger.privateKey })],
  ["with jku", () => signed({ header: { jku: "https://evil.example/jwks" } })],
  ["with x5u", () => signed({ header: { x5u: "https://evil.example/x" } })],
  ["with x5c", () => signed({ header: { x5c: [] } })],
  ["of another issuer", () => signed({ claims: { iss: "https://other.example" } })],
  ["of an issuer with a slash more", () => signed({ claims: { iss: `${BASE}/` } })],
  ["without an end", () => signed({ claims: { exp: undefined } })],
  ["with an end as text", () => signed({ claims: { exp: "never" } })],
  ["from the future", () => signed({ claims: { iat: NOW_S + 6 } })],
  ["that do not count yet", () => signed({ claims: { nbf: NOW_S + 6 } })],
  ["with several audiences", () => signed({ claims: { aud: [BASE, "x"] } })],
  ["without a credential", () => signed({ claims: { credential_id: undefined } })],
  [
    "with a key of their own",
    async () => {
      const jwk = await exportJWK(stranger.publicKey);
      return signed({ header: { jwk }, key: stranger.privateKey });
    },
  ],
  [
    "signed with the card's key",
    () => {
      const header = { alg: card.alg, kid: card.kid };
      return signed({ header, key: card.key as CryptoKey });
    },
  ],
  [
    "with the public key as a shared secret",
    () => {
      const jwk = ring.publicKeys(NOW_MS).find(({ kid }) => kid === signer.kid);
      const head = `${coded({ ...own(), alg: "HS256" })}.${coded(CLAIMS)}`;
      const hmac = new Bun.CryptoHasher("sha256", JSON.stringify(jwk)).update(head);
      return `${head}.${hmac.digest("base64url")}`;
    },
  ],
  [
    "with other claims than were signed",
    async () => {
      const [header, , signature] = (await signed({})).split(".");
      return `${header}.${coded({ ...CLAIMS, scope: "admin:*" })}.${signature}`;
    },
  ],
];

for (const [what, forge] of FORGED) {
  test(`tokens ${what} are invalid`, async () => {
    expect(await tokens.verify(await forge(), NOW_MS)).toBe("token_invalid");
  });
}

test("text that is not a token is malformed", async () => {
  for (const text of ["..", "a.b", "a.b.c.d", "a.b.c", `${"a".repeat(9000)}.b.c`, "!.!.!"]) {
    expect(await tokens.verify(text, NOW_MS)).toBe("malformed_credential");
  }
});

test("a minted token has the claims of RFC 9068 and lives 900 s", async () => {
  const token = (await tokens.verify(await tokens.mint(grant, NOW_MS), NOW_MS)) as AccessToken;
  expect(token.claims).toEqual({
    ...{ iss: BASE, sub: "agt_1", client_id: "agt_1", aud: BASE, iat: NOW_S, exp: NOW_S + 900 },
    ...{ jti: expect.stringMatching(/^[0-9a-f-]{36}$/), scope: "search quotes" },
    ...{ credential_id: "crd_1", tenant_id: tenantId, mode: "live" },
  });
});

test("a verified token is cached until it expires", async () => {
  const text = await tokens.mint(grant, NOW_MS);
  const token = await tokens.verify(text, NOW_MS);
  expect(await tokens.verify(text, NOW_MS + 1)).toBe(token as AccessToken);
  expect(await tokens.verify(text, NOW_MS + 905_000)).toBe("token_expired");
  expect(await tokens.verify(text, NOW_MS)).not.toBe(token as AccessToken);
});

test("a cached token becomes invalid when its key is removed", async () => {
  const text = await tokens.mint(grant, NOW_MS);
  expect(await tokens.verify(text, NOW_MS)).toBeObject();
  const rotation = { nowMs: NOW_MS, immediately: true };
  await rotateSigningKey(store, MASTER_KEY, "access_token", rotation);
  view.refresh();
  expect(await tokens.verify(text, NOW_MS)).toBe("token_invalid");
  expect(await tokens.verify(await tokens.mint(grant, NOW_MS), NOW_MS)).toBeObject();
});

test("a resource is the service or its MCP endpoint, with or without a trailing slash", () => {
  expect(tokens.audienceOf(undefined)).toBe(BASE);
  expect(tokens.audienceOf(`${BASE}/`)).toBe(BASE);
  expect(tokens.audienceOf(`${BASE}/mcp`)).toBe(`${BASE}/mcp`);
  expect(tokens.audienceOf(`${BASE}/mcp/`)).toBe(`${BASE}/mcp`);
  for (const other of ["", BASE.toUpperCase(), `${BASE}//`, `${BASE}/v1`, "https://x.example"]) {
    expect(tokens.audienceOf(other)).toBeNull();
  }
});
