/**
 * The traveler's consent as a command brings it: a delegation token that has verified, reduced to
 * what binds its use. Whether it covers the use is decided from the command and the state that the
 * use changes, so that no replica which is behind can say yes to more than was agreed.
 */
import type { Rejection } from "./outcomes.ts";

/** The claims that bind a token to one agent, hold or amount, as they stand in it. */
export interface BoundClaims {
  /** The agent that it was issued to, by either of the two names. */
  readonly azp?: string;
  readonly client_id?: string;
  readonly hold_id?: string;
  /** The most that may be booked, minor units of the quote's currency. */
  readonly max_amount?: number;
}

export interface Consent {
  readonly claims: BoundClaims;
  readonly jti?: string;
  /** It has run out, and nothing else is wrong: only a key that is known is answered. */
  readonly is_expired?: boolean;
}

/** What a consent is used for: by whom, and for which hold where the command names one. */
interface Use {
  readonly agent_id: string;
  readonly hold_id?: string;
}

/** Why the consent does not cover the use, whatever it costs; null when it does. */
export function consentProblem({ claims, is_expired }: Consent, use: Use): Rejection | null {
  const { azp, client_id } = claims;
  if (azp !== undefined && azp !== use.agent_id) return notMet("azp");
  if (client_id !== undefined && client_id !== use.agent_id) return notMet("client_id");
  const ofOther = use.hold_id === undefined ? null : holdClaimProblem({ claims }, use.hold_id);
  if (ofOther) return ofOther;
  return is_expired ? { code: "delegation_invalid", detail: { reason: "expired" } } : null;
}

/** Why the consent does not cover a hold, or the booking that it became; null when it does. */
export function holdClaimProblem(
  { claims }: Pick<Consent, "claims">,
  hold_id: string,
): Rejection | null {
  return claims.hold_id === undefined || claims.hold_id === hold_id ? null : notMet("hold_id");
}

/** Why the consent does not cover an amount; null when it does. */
export function amountProblem({ claims }: Consent, total: number): Rejection | null {
  const { max_amount } = claims;
  return max_amount === undefined || total <= max_amount ? null : notMet("max_amount");
}

function notMet(claim: keyof BoundClaims): Rejection {
  return { code: "delegation_invalid", detail: { reason: "audience_mismatch", claim } };
}
