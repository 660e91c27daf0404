/** Terms of booking authorizations: the policy that requires them, their states, their use. */

export interface Amount {
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
}

/** The longest life of a request and its approval. */
export const AUTHORIZATION_TTL_S_MAX = 604_800;

export const REQUIRED_WHEN = ["never", "over_amount", "always", "non_refundable"] as const;
/** Travelers cannot approve yet: that takes a page of their own. */
export const APPROVERS = ["operator"] as const;

/** A tenant's policy in one mode. */
export interface AuthorizationPolicy {
  readonly required_when: (typeof REQUIRED_WHEN)[number];
  /** The limit of `over_amount`; null for the other rules. */
  readonly over: Amount | null;
  readonly approver: (typeof APPROVERS)[number];
  /** Seconds from the request until it, and its approval, expire. */
  readonly ttl_s: number;
  /** How much dearer than requested the booking may be, in hundredths of a percent. */
  readonly tolerance_bps: number;
}

/** The policy of a realm that has set none: only agents' own limits apply. */
export const DEFAULT_POLICY: AuthorizationPolicy = {
  required_when: "never",
  over: null,
  approver: "operator",
  ttl_s: 86_400,
  tolerance_bps: 0,
};

/** The rules by which a booking can need an authorization. */
export const RULES = ["max_booking_amount", "over_amount", "always", "non_refundable"] as const;

/** Why a booking needs an authorization. */
export interface Requirement {
  readonly policy: (typeof RULES)[number];
  /** The amount that the rule allows; null for rules without one. */
  readonly threshold: Amount | null;
}

export type AuthorizationState = "pending" | "approved" | "consumed" | "revoked";
/** `expired` is not journaled: it follows from the clock, and no inventory depends on it. */
export type AuthorizationStateAt = AuthorizationState | "expired";

/** What a booking, its payment and its audit keep of the authorization that they used. */
export interface Approval {
  readonly authorization_id: string;
  /** The operator. */
  readonly approved_by: string;
  /** RFC 3339. */
  readonly approved_at: string;
}
