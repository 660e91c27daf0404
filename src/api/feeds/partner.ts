/** Whose feed an address names, and whether the caller may have it. */
import { PARTNERS, profileOf } from "../../../feeds/partners.ts";
import type { Profile } from "../../../feeds/profiles/profile.ts";
import { GET_GUIDES, getPointsOfSale, type RecoveryStep } from "../../actions/steps.ts";
import { basicFault } from "../../auth/basic.ts";
import { chargeAddress, spentAddress } from "../../http/admission.ts";
import { type Refusal, refuse } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";

/** Any call below `/feeds/:partner`. */
export type AtPartner = PublicCall<unknown, "partner">;

/** The profile that the path names, which `feedGuard` has let in. */
export function partnerOf({ params }: AtPartner): Profile {
  return profileOf(params.partner)!;
}

/** Whether the partner must show a credential, so that its documents are for nobody else. */
export function isGuarded({ config }: Context, { name }: Profile): boolean {
  return config.feedCredentials.has(name);
}

/** 404 of a partner that there is not, with those that there are. */
export function unknownPartner(recovery: readonly RecoveryStep[]): Refusal {
  const expected = `one of ${PARTNERS.join(", ")}; microsoft is bing`;
  const field_errors = [{ path: "/partner", message: "is unknown", expected }];
  const detail = { field_errors, partners: PARTNERS };
  return refuse("validation_failed", detail, { status: 404, recovery });
}

/** What anyone may read all the same: the document of a partner that needs no credential. */
function readable({ config }: Context): readonly RecoveryStep[] {
  const open = PARTNERS.find((name) => !config.feedCredentials.has(name));
  return [...(open ? [getPointsOfSale(open)] : []), GET_GUIDES];
}

const TRIES = { name: "feed_credentials" } as const;

/**
 * What stands before every route of a partner: that there is one, and its credential where the
 * operator has set one. Wrong ones are counted by address; who has shown too many is refused the
 * right one as well, or trying on would tell it by its answer.
 */
export async function feedGuard(call: AtPartner): Promise<Refusal | null> {
  const { context, params, request } = call;
  const profile = profileOf(params.partner);
  if (!profile) return unknownPartner(readable(context));
  const digest = context.config.feedCredentials.get(profile.name);
  if (!digest) return null;
  const reason = basicFault(request.headers.get("authorization"), digest);
  if (reason === null) return spentAddress(call, TRIES);
  // Clients that wait for the challenge ask without one every time.
  const tooMany = reason === "missing_credential" ? null : await chargeAddress(call, TRIES);
  if (tooMany) return tooMany;
  const challenge = `Basic realm="Feeds for ${profile.title}", charset="UTF-8"`;
  return refuse("unauthenticated", { reason }, { headers: { "www-authenticate": challenge } });
}
