/** Bodies of `/v1/admin/delegation-issuers`. */
import { type Static, Type } from "@sinclair/typebox";
import { addressProblem } from "../../../jobs/net/address-guard.ts";
import { DELEGATION_ALGS } from "../../access/control/issuers.ts";
import { documented } from "../../http/schema/annotations.ts";
import {
  BodyKey,
  called,
  closed,
  distinct,
  integer,
  oneOf,
  text,
} from "../../http/schema/request-parts.ts";
import { nameOf } from "../../http/schema/text-formats.ts";
import { type Body, type FieldError, json } from "../../http/validate.ts";

const ADDRESS_MAX = 2048;
const AUDIENCES_MAX = 20;
const KEYS_MAX = 100;
const TTL_S_MAX = 86_400;
const SKEW_S_MAX = 300;
/** Verification rejects tokens over 8 KiB with a reason; this limit is higher. */
const TOKEN_MAX = 16_384;

function member(most: number) {
  return Type.Optional(text(1, most));
}

/**
 * Public members only (RFC 7517 §4, RFC 7518 §6.2.1, §6.3.1): a private key sent by mistake is
 * rejected and never stored.
 */
const Jwk = called(
  "DelegationKey",
  closed({
    kty: oneOf(["EC", "RSA"]),
    kid: documented(member(256), "Id of the signing key."),
    use: documented(member(16), "`sig`, if present."),
    alg: documented(member(16), "Algorithm of the key."),
    key_ops: Type.Optional(Type.Array(text(1, 16), { maxItems: 8 })),
    ext: documented(Type.Optional(Type.Boolean()), "Stored and ignored."),
    crv: documented(member(16), "The curve."),
    x: documented(member(256), "First coordinate of an EC key."),
    y: documented(member(256), "Second coordinate of an EC key."),
    n: documented(member(2048), "Modulus of an RSA key."),
    e: documented(member(16), "Exponent of an RSA key."),
    x5c: Type.Optional(Type.Array(text(1, 8192), { maxItems: 8 })),
    x5t: documented(member(128), "Stored and ignored."),
    "x5t#S256": documented(member(128), "Stored and ignored."),
    x5u: documented(member(ADDRESS_MAX), "Stored and ignored."),
  }),
);

/** Signature algorithms of travelers' tokens. */
export const DelegationAlg = called("DelegationAlg", oneOf(DELEGATION_ALGS));
const Name = nameOf(200);
const JwksUrl = text(1, ADDRESS_MAX);
const Jwks = called(
  "DelegationKeySet",
  closed({ keys: Type.Array(Jwk, { minItems: 1, maxItems: KEYS_MAX }) }),
);
const Audiences = distinct(text(1, ADDRESS_MAX), 1, AUDIENCES_MAX);
const Algs = distinct(DelegationAlg, 1, 2);
const TERMS = {
  allowed_audiences: Type.Optional(Audiences),
  allowed_algs: Type.Optional(Algs),
  max_ttl_s: Type.Optional(integer(1, TTL_S_MAX)),
  clock_skew_s: Type.Optional(integer(0, SKEW_S_MAX)),
  jwks_url: Type.Optional(JwksUrl),
  jwks: Type.Optional(Jwks),
  idempotency_key: BodyKey,
};

export const IssuerBody = closed({ iss: text(1, 512), name: Name, ...TERMS });

const NO_SOURCE: FieldError = {
  path: "/jwks_url",
  message: "is missing: send jwks_url or jwks",
  expected: "exactly one of jwks_url and jwks",
};

const stated = json(IssuerBody);
/** A new issuer. A missing key source is reported with all other errors. */
export const NewIssuer: Body<IssuerRequest> = {
  schema: IssuerBody,
  read(value, nowMs) {
    const reading = stated.read(value, nowMs);
    const isObject = typeof value === "object" && value !== null;
    if (reading.ok || !isObject || "jwks" in value || "jwks_url" in value) return reading;
    return { ok: false, errors: [...reading.errors, NO_SOURCE] };
  },
};

export const IssuerPatchBody = closed({ name: Type.Optional(Name), ...TERMS });
export type IssuerRequest = Static<typeof IssuerBody>;
export type IssuerPatchRequest = Static<typeof IssuerPatchBody>;

export const IssuerTestBody = closed({ token: text(1, TOKEN_MAX) });

/** Where an issuer's keys come from. */
interface KeySource {
  readonly jwks_url?: string | undefined;
  readonly jwks?: Static<typeof Jwks> | undefined;
}

export interface SourceRules {
  /** Exactly one source is required, as for a new issuer. */
  readonly isRequired: boolean;
  /** Development only: key sets may be fetched from this machine and its network. */
  readonly allowPrivate: boolean;
}

/** Errors of key sources: none or both, a forbidden address, incomplete keys. */
export function sourceProblems({ jwks_url, jwks }: KeySource, rules: SourceRules): FieldError[] {
  const count = Number(jwks_url !== undefined) + Number(jwks !== undefined);
  if (rules.isRequired && count === 0) return [NO_SOURCE];
  if (count > 1) return [{ ...NO_SOURCE, message: "cannot be combined with jwks" }];
  if (jwks_url !== undefined) return addressProblems(jwks_url, rules.allowPrivate);
  return (jwks?.keys ?? []).flatMap(keyProblems);
}

function addressProblems(address: string, allowPrivate: boolean): FieldError[] {
  const message = addressProblem(address, { allowPrivate });
  if (message === null) return [];
  const expected = "an https address of a public host, without user, password and fragment";
  return [{ path: "/jwks_url", message, expected }];
}

/** Missing members of a key. */
function keyProblems(jwk: Static<typeof Jwk>, at: number): FieldError[] {
  const needed = jwk.kty === "EC" ? (["crv", "x", "y"] as const) : (["n", "e"] as const);
  const missing = needed.filter((name) => jwk[name] === undefined);
  return missing.map((name) => {
    const expected = `a member that every ${jwk.kty} key needs`;
    return { path: `/jwks/keys/${at}/${name}`, message: "is missing", expected };
  });
}
