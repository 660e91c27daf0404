/**
 * The ways to forge a delegation token, by name, each with its answer: the reason of
 * `delegation_invalid` with the claim at fault, or `issuer_unknown`. Times keep a few seconds off
 * the limits, because a running service has its own clock.
 */
import { createHmac } from "node:crypto";
import { exportSPKI } from "jose";
import {
  b64,
  ELSEWHERE,
  ES_ONLY,
  FOREIGN,
  type Forger,
  ISS,
  NEIGHBOUR,
  REVOKED,
  SUSPENDED,
} from "./forger.ts";

export interface Forgery {
  readonly expected: string;
  readonly name: string;
  readonly token: (forger: Forger) => Promise<string> | string;
}

type Ways = Readonly<Record<string, Forgery["token"]>>;

function all(expected: string, ways: Ways): Forgery[] {
  return Object.entries(ways).map(([name, token]) => ({ expected, name, token }));
}

/** A MAC in the place of the signature: what a verifier that takes the key as a secret accepts. */
function macSigned(f: Forger, alg: string, secret: string | Buffer): string {
  const text = `${b64({ alg, kid: "rs" })}.${b64(f.goodClaims())}`;
  return `${text}.${createHmac(alg.replace("HS", "sha"), secret).update(text).digest("base64url")}`;
}

const GOOD_HEADER = { alg: "ES256", kid: "es" };

/** `r` and `s` as ASN.1 instead of 64 bytes, as OpenSSL writes them. */
function asn1(signature: string): string {
  const bytes = Buffer.from(signature, "base64url");
  const halves = [bytes.subarray(0, 32), bytes.subarray(32)].map((half) =>
    Buffer.concat([Buffer.from([2, 33, 0]), half]),
  );
  return b64(Buffer.concat([Buffer.from([0x30, 70]), ...halves]));
}

const P256_ORDER = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

const FORM = all("bad_signature", {
  "one part": () => "abc",
  "two parts": (f) => f.withParts(([header, payload]) => [header, payload]),
  "four parts": (f) => f.withParts((parts) => [...parts, "AAAA"]),
  "five parts, as an encrypted token has": (f) => f.withParts((parts) => [...parts, "a", "b"]),
  "dots only": () => "..",
  "an empty header": (f) => f.withParts(([, payload, signature]) => ["", payload, signature]),
  "an empty payload": (f) => f.withParts(([header, , signature]) => [header, "", signature]),
  "over 8 KiB": (f) => f.sign({ note: "x".repeat(6200) }),
  "a header that is no JSON": (f) => f.unsigned("{"),
  "a header that is an array": (f) => f.unsigned([GOOD_HEADER]),
  "a header that is null": (f) => f.unsigned(null),
  "a payload that is an array": (f) => f.signParts(b64(GOOD_HEADER), b64([f.goodClaims()])),
  "a payload that is text": (f) => f.signParts(b64(GOOD_HEADER), b64('"x"')),
  "a payload cut short": (f) => f.signParts(b64(GOOD_HEADER), b64('{"iss":"x"')),
  padding: async (f) => `${await f.sign()}==`,
  "standard base64": async (f) => `${await f.sign()}+/`,
  "a last bit that means nothing": async (f) => misspelled(await f.sign()),
  "a space inside": async (f) => (await f.sign()).replace(".", ". "),
  quotes: async (f) => `"${await f.sign()}"`,
  "a scheme before it": async (f) => `Bearer ${await f.sign()}`,
  "a second token behind it": async (f) => `${await f.sign()}, ${await f.sign()}`,
  "the JSON serialization": (f) =>
    f
      .withParts(([header, payload, signature]) => [
        JSON.stringify({ protected: header, payload, signature }),
      ])
      .then((text) => text),
  "invalid UTF-8": (f) => f.signParts(b64(GOOD_HEADER), b64(Buffer.from([0x7b, 0xff, 0x7d]))),
  "a byte order mark": (f) => f.signParts(b64(GOOD_HEADER), b64(`\uFEFF${claimsText(f)}`)),
  "half a surrogate pair in a claim": (f) => f.sign({ jti: "\ud800" }),
  "half a surrogate pair in a member's name": (f) => f.sign({ "\udfff": 1 }),
  "a nested token": (f) => f.sign({}, { cty: "JWT" }),
  "a token as payload": async (f) => f.signParts(b64(GOOD_HEADER), b64(await f.sign())),
});

function claimsText(f: Forger): string {
  return JSON.stringify(f.goodClaims());
}

/** The same signature bytes in another spelling: 86 characters carry four bits too many. */
function misspelled(token: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1)!) + 1];
}

const ALGORITHM = all("unsupported_algorithm", {
  "alg none, unsigned": (f) => f.unsigned({ alg: "none" }, f.goodClaims(), ""),
  "alg None": (f) => f.unsigned({ alg: "None" }, f.goodClaims(), ""),
  "alg NONE with a good signature": (f) =>
    f.withParts(([, payload, signature]) => [b64({ alg: "NONE" }), payload, signature]),
  "no alg": (f) => f.unsigned({ kid: "es" }),
  "an empty alg": (f) => f.unsigned({ alg: "" }),
  "alg null": (f) => f.unsigned({ alg: null }),
  "alg as a number": (f) => f.unsigned({ alg: 256 }),
  "alg as an array": (f) => f.unsigned({ alg: ["ES256"] }),
  "alg in lower case": (f) => f.unsigned({ alg: "es256" }),
  "alg with a space": (f) => f.unsigned({ alg: "ES256 " }),
  "alg twice, the last one none": (f) => f.unsigned('{"alg":"ES256","alg":"none"}'),
  "HS256 with the public key as PEM": async (f) =>
    macSigned(f, "HS256", await exportSPKI(f.rs.publicKey)),
  "HS256 with the public key as JWK": (f) => macSigned(f, "HS256", JSON.stringify(f.rsPublic)),
  "HS256 with the modulus": (f) => macSigned(f, "HS256", Buffer.from(f.rsPublic.n!, "base64url")),
  "HS256 with no secret": (f) => macSigned(f, "HS256", ""),
  HS512: (f) => macSigned(f, "HS512", JSON.stringify(f.rsPublic)),
  PS256: (f) => f.unsigned({ alg: "PS256", kid: "rs" }),
  RS512: (f) => f.unsigned({ alg: "RS512", kid: "rs" }),
  ES384: (f) => f.unsigned({ alg: "ES384", kid: "es" }),
  EdDSA: (f) => f.unsigned({ alg: "EdDSA", kid: "es" }),
  "an alg its issuer does not allow, before a missing claim": (f) =>
    f.sign({ iss: ES_ONLY, sub: undefined }, { alg: "RS256" }),
  "alg none of an unknown issuer": (f) => f.unsigned({ alg: "none" }, { iss: "x" }, ""),
});

function missing(claim: string, ways: Ways): Forgery[] {
  return all(`missing_claim ${claim}`, ways);
}

const CLAIMS = [
  ...missing("iss", {
    "no iss": (f) => f.sign({ iss: undefined }),
    "iss as a number": (f) => f.sign({ iss: 1 }),
    "iss as a list": (f) => f.sign({ iss: [ISS] }),
    "no claim at all": (f) => f.signParts(b64(GOOD_HEADER), b64({})),
    "claims of a prototype": (f) =>
      f.signParts(b64(GOOD_HEADER), b64(`{"__proto__":${claimsText(f)}}`)),
  }),
  ...missing("sub", {
    "no sub": (f) => f.sign({ sub: undefined }),
    "an empty sub": (f) => f.sign({ sub: "" }),
    "sub as an object": (f) => f.sign({ sub: { id: "traveler-1" } }),
    "no sub of an unknown issuer": (f) => f.sign({ iss: "x", sub: undefined }),
    "no sub and a stranger's key": (f) => f.sign({ sub: undefined }, {}, f.stranger),
  }),
  ...missing("aud", {
    "no aud": (f) => f.sign({ aud: undefined }),
    "an empty list as aud": (f) => f.sign({ aud: [] }),
    "a number among the audiences": (f) => f.sign({ aud: [f.audience, 1] }),
    "aud as an object": (f) => f.sign({ aud: { [f.audience]: true } }),
  }),
  ...missing("exp", {
    "no exp": (f) => f.sign({ exp: undefined }),
    "exp as text": (f) => f.sign({ exp: String(f.at(300)) }),
    "exp null": (f) => f.sign({ exp: null }),
    "exp beyond all numbers": (f) =>
      f.signParts(b64(GOOD_HEADER), b64(claimsText(f).replace(/"exp":\d+/, '"exp":1e999'))),
  }),
  ...missing("nbf", { "nbf as text": (f) => f.sign({ nbf: "0" }) }),
  ...missing("iat", { "iat as text": (f) => f.sign({ iat: "0" }) }),
];

const ISSUER = all("issuer_unknown", {
  "an unregistered issuer": (f) => f.sign({ iss: "https://evil.example" }),
  "an issuer with a slash more": (f) => f.sign({ iss: `${ISS}/` }),
  "an issuer in upper case": (f) => f.sign({ iss: ISS.toUpperCase() }),
  "an issuer with a look-alike letter": (f) => f.sign({ iss: ISS.replace("e", "е") }),
  "another tenant's issuer": (f) => f.sign({ iss: FOREIGN }),
  "a suspended issuer": (f) => f.sign({ iss: SUSPENDED }),
  "a revoked issuer": (f) => f.sign({ iss: REVOKED }),
  "this service itself as issuer": (f) => f.sign({ iss: f.audience }),
  "a prototype's name as issuer": (f) => f.sign({ iss: "__proto__" }),
  "an unknown issuer and a bad header": (f) => f.sign({ iss: "x" }, { kid: 7 }),
});

const SIGNATURE = all("bad_signature", {
  "an embedded key": (f) => f.sign({}, { jwk: f.esPublic }, f.stranger),
  "an embedded key beside a good signature": (f) => f.sign({}, { jwk: f.esPublic }),
  jku: (f) => f.sign({}, { jku: "https://evil.example/jwks" }),
  x5u: (f) => f.sign({}, { x5u: "https://evil.example/cert" }),
  x5c: (f) => f.sign({}, { x5c: ["MIIB"] }),
  crit: (f) => f.sign({}, { crit: ["urn:x"], "urn:x": 1 }),
  "an empty crit": (f) => f.signParts(b64({ ...GOOD_HEADER, crit: [] }), b64(f.goodClaims())),
  "an unknown kid": (f) => f.sign({}, { kid: "other" }),
  "a path as kid": (f) => f.sign({}, { kid: "../../../dev/null" }),
  "a query as kid": (f) => f.sign({}, { kid: "x' UNION SELECT 'AA" }),
  "an address as kid": (f) => f.sign({}, { kid: "https://evil.example/jwks" }),
  "an empty kid": (f) => f.sign({}, { kid: "" }),
  "a kid that is no text": (f) => f.sign({}, { kid: 7 }),
  "a kid that is null": (f) => f.sign({}, { kid: null }),
  "another issuer's kid and key": (f) => f.sign({}, { kid: "neighbour" }, f.neighbour),
  "another issuer's key": (f) => f.sign({}, {}, f.neighbour),
  "this issuer's key for another": (f) => f.sign({ iss: NEIGHBOUR }, { kid: "neighbour" }),
  "a key of another type": (f) => f.sign({}, { kid: "rs" }),
  "RS256 with the key of ES256": (f) => f.sign({}, { alg: "RS256", kid: "es" }),
  "a key for encryption": (f) => f.sign({}, { alg: "RS256", kid: "enc" }),
  "a stranger's key": (f) => f.sign({}, {}, f.stranger),
  "a stranger's RSA key": (f) => f.sign({}, { alg: "RS256" }, f.strangerRs),
  "a stranger's key and no audience": (f) => f.sign({ aud: "x" }, {}, f.stranger),
  "a stranger's key, run out": (f) => f.sign({ exp: 1 }, {}, f.stranger),
  "an empty signature": (f) => f.withParts(([header, payload]) => [header, payload, ""]),
  "r and s of zero": (f) =>
    f.withParts(([header, payload]) => [header, payload, b64(Buffer.alloc(64))]),
  "r and s of the curve's order": (f) =>
    f.withParts(([header, payload]) => [
      header,
      payload,
      b64(Buffer.from(P256_ORDER.repeat(2), "hex")),
    ]),
  "a signature as ASN.1": (f) =>
    f.withParts(([header, payload, signature]) => [header, payload, asn1(signature)]),
  "a signature cut short": (f) =>
    f.withParts(([header, payload, signature]) => [header, payload, signature.slice(0, -2)]),
  "a signature of another token": async (f) => {
    const other = (await f.sign({ jti: "j2" })).split(".")[2]!;
    return f.withParts(([header, payload]) => [header, payload, other]);
  },
  "a payload swapped in": (f) =>
    f.withParts(([header, , signature]) => {
      return [header, b64({ ...f.goodClaims(), sub: "traveler-2" }), signature];
    }),
  "a header swapped in": (f) =>
    f.withParts(([, payload, signature]) => [
      b64({ ...GOOD_HEADER, typ: "JWT" }),
      payload,
      signature,
    ]),
  "payload and header exchanged": (f) =>
    f.withParts(([header, payload, signature]) => [
      b64({ ...GOOD_HEADER, ...JSON.parse(Buffer.from(payload, "base64url").toString()) }),
      b64({ ...f.goodClaims(), ...JSON.parse(Buffer.from(header, "base64url").toString()) }),
      signature,
    ]),
});

function mismatched(claim: string, ways: Ways): Forgery[] {
  return all(`audience_mismatch ${claim}`, ways);
}

const AUDIENCE = [
  ...mismatched("typ", {
    "the type of an access token": (f) => f.sign({}, { typ: "at+jwt" }),
    "the media type of an access token": (f) => f.sign({}, { typ: "application/at+jwt" }),
    "the type of an access token in other letters": (f) => f.sign({}, { typ: "AT+JWT" }),
    "the type of an event": (f) => f.sign({}, { typ: "secevent+jwt" }),
    "the type of a logout": (f) => f.sign({}, { typ: "logout+jwt" }),
    "an empty type": (f) => f.sign({}, { typ: "" }),
    "a type that is no text": (f) => f.sign({}, { typ: ["JWT"] }),
    "a type that is null": (f) => f.sign({}, { typ: null }),
    "a type with something before it": (f) => f.sign({}, { typ: "x-JWT" }),
    "a type with something behind it": (f) => f.sign({}, { typ: "JWT\n" }),
    "another media type": (f) => f.sign({}, { typ: "text/jwt" }),
    "the type of an access token, for another audience": (f) =>
      f.sign({ aud: "x" }, { typ: "at+jwt" }),
  }),
  ...mismatched("aud", {
    "another audience": (f) => f.sign({ aud: "https://x.example" }),
    "an audience with a slash more": (f) => f.sign({ aud: `${f.audience}/` }),
    "an audience that only begins alike": (f) => f.sign({ aud: `${f.audience}.evil.example` }),
    "other audiences": (f) => f.sign({ aud: ["https://x.example", `${f.audience}/v1`] }),
    "an audience its issuer may not name": (f) => f.sign({ iss: ELSEWHERE }),
    "another audience, run out": (f) => f.sign({ aud: "x", exp: 1 }),
  }),
  ...mismatched("azp", {
    "another agent's azp": (f) => f.sign({ azp: "agt_another" }),
    "an azp that only begins alike": (f) => f.sign({ azp: `${f.agentId}x` }),
    "an empty azp": (f) => f.sign({ azp: "" }),
    "azp null": (f) => f.sign({ azp: null }),
    "a list as azp": (f) => f.sign({ azp: [f.agentId] }),
    "another agent's azp and the own client_id": (f) =>
      f.sign({ azp: "agt_another", client_id: f.agentId }),
    "another agent's azp, run out": (f) =>
      f.sign({ azp: "agt_another", iat: f.at(-400), exp: f.at(-100) }),
  }),
  ...mismatched("client_id", {
    "another agent's client_id": (f) => f.sign({ client_id: "agt_another" }),
    "a client_id of a wrong type": (f) => f.sign({ client_id: 1 }),
    "another agent's client_id and the own azp": (f) =>
      f.sign({ azp: f.agentId, client_id: "agt_another" }),
  }),
  ...mismatched("hold_id", {
    "a hold_id of a wrong type": (f) => f.sign({ hold_id: 1 }),
    "an empty hold_id": (f) => f.sign({ hold_id: "" }),
    "a list of holds": (f) => f.sign({ hold_id: ["hld_1"] }),
  }),
  ...mismatched("max_amount", {
    "a fractional max_amount": (f) => f.sign({ max_amount: 0.5 }),
    "max_amount as text": (f) => f.sign({ max_amount: "1000000" }),
    "a max_amount beyond all amounts": (f) => f.sign({ max_amount: 1e300 }),
  }),
];

function untimely(claim: string, ways: Ways): Forgery[] {
  return all(`expired ${claim}`, ways);
}

const TIMES = [
  ...untimely("nbf", {
    "nbf beyond the skew": (f) => f.sign({ nbf: f.at(75) }),
    "nbf in milliseconds": (f) => f.sign({ nbf: f.at(0) * 1000 }),
  }),
  ...untimely("iat", { "iat beyond the skew": (f) => f.sign({ iat: f.at(75) }) }),
  ...untimely("max_ttl_s", {
    "too long a life": (f) => f.sign({ exp: f.at(640) }),
    "too long a rest and no start": (f) => f.sign({ iat: undefined, exp: f.at(700) }),
    "exp in milliseconds": (f) => f.sign({ exp: f.at(300) * 1000 }),
    "exp at the end of numbers": (f) => f.sign({ exp: Number.MAX_VALUE }),
    "iat before all time": (f) => f.sign({ iat: -Number.MAX_VALUE }),
    "too long a life, run out": (f) => f.sign({ iat: 0, exp: f.at(-90) }),
  }),
];

/** All of them, in the order of the checks. */
export const FORGERIES: readonly Forgery[] = [
  ...FORM,
  ...ALGORITHM,
  ...CLAIMS,
  ...ISSUER,
  ...SIGNATURE,
  ...AUDIENCE,
  ...TIMES,
];
