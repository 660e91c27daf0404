/**
 * The traveler's consent in a command: the binding claims of a verified delegation token. The
 * engine checks them against the state that the command changes, so that a replica that is behind
 * cannot allow more than was agreed.
 */
import type { Rejection } from "./outcomes.ts";

/** The claims that bind a token to one agent, hold or amount. */
export interface BoundClaims {
  /** The agent that it was issued to, by either name. */
  readonly azp?: string;
  readonly client_id?: string;
  readonly hold_id?: string;
  /** The highest amount that may be booked, minor units of the quote's currency. */
  readonly max_amount?: number;
}

export interface Consent {
  readonly claims: BoundClaims;
  readonly jti?: string;
  /** The token has expired but is otherwise valid: it only gets the answer of a known key. */
  readonly is_expired?: boolean;
}

/** The use of a consent: the agent, and the hold where the command names one. */
interface Use {
  readonly agent_id: string;
  readonly hold_id?: string;
}

/** Why the consent does not cover the use, without its amount; null when it does. */
export function consentProblem({ claims, is_expired }: Consent, use: Use): Rejection | null {
  const { azp, client_id } = claims;
  if (azp !== undefined && azp !== use.agent_id) return notMet("azp");
  if (client_id !== undefined && client_id !== use.agent_id) return notMet("client_id");
  const ofOther = use.hold_id === undefined ? null : holdClaimProblem({ claims }, use.hold_id);
  if (ofOther) return ofOther;
  return is_expired ? { code: "delegation_invalid", detail: { reason: "expired" } } : null;
}

/** Why the consent does not cover a hold or its booking; null when it does. */
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
