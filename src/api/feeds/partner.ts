/** Parameters of feeds, the partner of a path, and the check of its credential. */
import { timingSafeEqual } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { credentialDigest } from "../../../feeds/credentials.ts";
import { PARTNERS, profileOf } from "../../../feeds/partners.ts";
import type { Profile } from "../../../feeds/profiles/profile.ts";
import { GET_GUIDES, getPointsOfSale, type RecoveryStep } from "../../actions/steps.ts";
import { chargeAddress, spentAddress } from "../../http/admission.ts";
import { type Refusal, refuse } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import type { Parameter, QueryParameter } from "../../http/contract.ts";
import { integer, UUID_PATTERN } from "../../http/schema/request-parts.ts";

/** Any call below `/feeds/:partner`. */
export type AtPartner = PublicCall<unknown, "partner">;

/** The profile that the path names, which `feedGuard` has let in. */
export function partnerOf({ params }: AtPartner): Profile {
  return profileOf(params.partner)!;
}

/** Whether the partner needs a credential, which makes its documents private. */
export function isGuarded({ config }: Context, { name }: Profile): boolean {
  return config.feedCredentials.has(name);
}

/** 404 of an unknown partner, with the known ones. */
export function unknownPartner(recovery: readonly RecoveryStep[]): Refusal {
  const expected = `one of ${PARTNERS.join(", ")}; microsoft is bing`;
  const field_errors = [{ path: "/partner", message: "is unknown", expected }];
  const detail = { field_errors, partners: PARTNERS };
  return refuse("validation_failed", detail, { status: 404, recovery });
}

/** A public document: that of a partner without credential. */
function readable({ config }: Context): readonly RecoveryStep[] {
  const open = PARTNERS.find((name) => !config.feedCredentials.has(name));
  return [...(open ? [getPointsOfSale(open)] : []), GET_GUIDES];
}

const TRIES = { name: "feed_credentials" } as const;

/**
 * Guard of every route of a partner: the partner exists, and its credential is right if the
 * operator has set one. Wrong credentials are counted by address; after too many, the right one is
 * refused too, so that guessing cannot detect it.
 */
export async function feedGuard(call: AtPartner): Promise<Refusal | null> {
  const { context, params, request } = call;
  const profile = profileOf(params.partner);
  if (!profile) return unknownPartner(readable(context));
  const digest = context.config.feedCredentials.get(profile.name);
  if (!digest) return null;
  const reason = basicFault(request.headers.get("authorization"), digest);
  if (reason === null) return spentAddress(call, TRIES);
  // Clients that wait for the challenge send their first request without a credential.
  const tooMany = reason === "missing_credential" ? null : await chargeAddress(call, TRIES);
  if (tooMany) return tooMany;
  const challenge = `Basic realm="Feeds for ${profile.title}", charset="UTF-8"`;
  return refuse("unauthenticated", { reason }, { headers: { "www-authenticate": challenge } });
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * `reason` of `unauthenticated`; null when the header matches the digest. Comparing digests takes
 * constant time.
 */
export function basicFault(authorization: string | null, digest: Buffer): string | null {
  if (authorization === null) return "missing_credential";
  const [, coded] = BASIC.exec(authorization) ?? [];
  if (coded === undefined) return "basic_scheme_required";
  const shown = credentialDigest(Buffer.from(coded, "base64"));
  return timingSafeEqual(shown, digest) ? null : "unknown_credential";
}

const NAMES = PARTNERS.map((name) => `\`${name}\``).join(", ");

export const PARTNER: Parameter = {
  schema: Type.String({ minLength: 1, maxLength: 64 }),
  description: `One of ${NAMES}; \`microsoft\` is \`bing\`.`,
};

const UUID = new RegExp(`^${UUID_PATTERN}$`, "i");
const DAYS_MAX = 90;

export const TENANT_ID: QueryParameter = {
  schema: Type.String({ format: "uuid" }),
  description: "The tenant. An unknown tenant has an empty feed.",
  isRequired: true,
  isValid: (value) => UUID.test(value),
  fault: { message: "is malformed", expected: "a uuid" },
};

export const CLICKED_TENANT_ID: QueryParameter = {
  ...TENANT_ID,
  isRequired: false,
  description:
    "The tenant whose hotels the page may show. Without it a click leads to the hotel that was " +
    "on sale first under its id, in any tenant.",
};

export const DAYS: QueryParameter = {
  schema: integer(1, DAYS_MAX),
  description: "Days of arrivals from today at the property; 30 by default.",
  isValid: (value) => /^[1-9]\d?$/.test(value) && Number(value) <= DAYS_MAX,
  fault: { message: "is out of range", expected: `a whole number from 1 to ${DAYS_MAX}` },
};
