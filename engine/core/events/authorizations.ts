/** Events of booking authorizations, and of the policy that requires them. */
import type { EncryptedFields } from "../parties.ts";
import type { Party } from "../price/quote.ts";
import type { Declarations } from "./declaration.ts";
import {
  APPROVAL,
  APPROVER,
  AUTHORIZATION_RULE,
  CURRENCY,
  ID,
  INSTANT,
  integer,
  MINOR,
  MONEY,
  optional,
  orNull,
  REQUIRED_WHEN,
  STAY,
} from "./members.ts";

const AUTHORIZATION = { authorization_id: ID };
const CHANGES = { subject: "authorization", reads: ["authorization"] } as const;

/** On the events of a payment and of a booking that used an authorization. */
export const USED = { authorization: optional(APPROVAL) };

export const AUTHORIZATION_EVENTS = {
  "authorization.requested": {
    meaning: "A booking needs an authorization: an operator must approve it.",
    subject: "authorization",
    state: "pending",
    data: {
      ...{ ...AUTHORIZATION, agent_id: ID, property_id: ID, room_type_id: ID, rate_plan_id: ID },
      stay: STAY,
      /** Null when an operator grants it unasked. */
      policy: orNull(AUTHORIZATION_RULE),
      threshold: orNull(MONEY),
      /** Total of the booking. */
      amount: orNull(MINOR),
      max_amount: MINOR,
      ...{ currency: CURRENCY, expires_at: INSTANT },
    },
  },
  "authorization.approved": {
    ...CHANGES,
    meaning: "An operator approved an authorization; one booking may use it.",
    state: "approved",
    data: { ...AUTHORIZATION, max_amount: MINOR, currency: CURRENCY },
  },
  "authorization.revoked": {
    ...CHANGES,
    meaning: "An operator revoked an authorization; no booking can use it.",
    state: "revoked",
    data: AUTHORIZATION,
  },
  "authorization.consumed": {
    ...CHANGES,
    meaning: "A booking used an authorization.",
    state: "consumed",
    data: { ...AUTHORIZATION, hold_id: ID, booking_id: ID, payment_id: orNull(ID) },
  },
  "authorization.returned": {
    ...CHANGES,
    meaning: "The payment failed; the authorization can be used again.",
    state: "approved",
    data: { ...AUTHORIZATION, hold_id: ID, payment_id: ID },
  },
  "authorization_policy.changed": {
    meaning: "The tenant changed which bookings need an authorization.",
    subject: "tenant",
    data: {
      required_when: REQUIRED_WHEN,
      over: orNull(MONEY),
      approver: APPROVER,
      ttl_s: integer(1, "Seconds until a request expires."),
      tolerance_bps: integer(
        0,
        "Allowed excess over the requested total, hundredths of a percent.",
      ),
    },
  },
} as const satisfies Declarations;

/** What only folds need, beside `data`. */
export interface AuthorizationSecrets {
  readonly "authorization.requested": {
    readonly secret: { readonly guests: Party; readonly traveler_hash: string | null };
  };
  readonly "authorization.approved": {
    /** The operator's note, and the command that its ciphertext is bound to. */
    readonly secret?: { readonly encrypted: EncryptedFields; readonly key: string };
  };
}
