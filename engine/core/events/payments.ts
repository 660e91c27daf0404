/** Events of payments and refunds. */
import type { EncryptedFields, Traveler } from "../parties.ts";
import { USED } from "./authorizations.ts";
import type { Declarations } from "./declaration.ts";
import {
  CURRENCY,
  ID,
  INSTANT,
  integer,
  JTI,
  MINOR,
  OTHER_METHOD,
  oneOf,
  onlyTrue,
  optional,
  orNull,
  RECEIPT,
  REFUND_REASON,
  text,
} from "./members.ts";

const PAYMENT = { payment_id: ID, hold_id: ID };
const REFUND = { refund_id: ID, payment_id: ID, booking_id: orNull(ID) };
const PROVIDER_CODE = { provider_code: orNull(text("The provider's own code.")) };

export const PAYMENT_EVENTS = {
  "payment.pending": {
    meaning: "A payment was started; its hold waits for the result.",
    subject: "payment",
    state: "pending",
    data: {
      ...PAYMENT,
      ...{ booking_id: ID, attempt: integer(1), amount: MINOR, currency: CURRENCY },
      ...{ method: text(), jti: JTI },
      ...USED,
    },
  },
  "payment.referenced": {
    meaning: "The payment provider registered the payment as `provider_ref`.",
    subject: "payment",
    data: { ...PAYMENT, provider_ref: text() },
  },
  "payment.captured": {
    meaning: "The payment was captured.",
    subject: "payment",
    state: "captured",
    data: { ...PAYMENT, booking_id: ID, amount: MINOR, currency: CURRENCY },
  },
  "payment.failed": {
    meaning: "The payment definitively failed.",
    subject: "payment",
    state: "failed",
    data: {
      ...{ ...PAYMENT, ...PROVIDER_CODE },
      hold_state: oneOf(["held", "expired"], "State of the hold after it."),
    },
  },
  "payment.unknown": {
    meaning: "The payment outcome is not known yet; the provider is queried again.",
    subject: "payment",
    state: "unknown",
    data: PAYMENT,
    dataName: "PaymentUnknown",
  },
  "payment.outcome_unknown": {
    meaning: "The payment provider gave no definitive answer in time; the hold was released.",
    subject: "payment",
    state: "unknown",
    data: PAYMENT,
    dataName: "PaymentUnknown",
  },
  "payment.disputed": {
    meaning: "The guest's bank disputes the payment: what is not refunded yet is withheld.",
    subject: "payment",
    state: "disputed",
    reads: ["payment", "booking"],
    data: {
      ...{ ...PAYMENT, booking_id: orNull(ID), dispute_id: text("The provider's id.") },
      disputed: MINOR,
      reason: text("The bank's reason, a word of the payment provider."),
      due_by: orNull(INSTANT),
    },
  },
  "payment.dispute_closed": {
    meaning: "The bank decided a dispute: `won` by the property, or `lost`.",
    subject: "payment",
    reads: ["payment", "booking"],
    data: {
      ...{ ...PAYMENT, booking_id: orNull(ID), dispute_id: text("The provider's id.") },
      outcome: oneOf(["won", "lost"]),
    },
  },
} as const satisfies Declarations;

export const REFUND_EVENTS = {
  "refund.requested": {
    meaning: "A refund was requested.",
    subject: "refund",
    state: "pending",
    reads: ["payment", "booking"],
    data: {
      ...REFUND,
      ...{ property_id: ID, amount: MINOR, currency: CURRENCY, reason: REFUND_REASON },
      retry_of: optional(ID),
    },
  },
  "refund.succeeded": {
    meaning: "A refund succeeded, with its receipt.",
    subject: "refund",
    state: "succeeded",
    reads: ["refund", "payment", "booking"],
    data: { ...REFUND, amount: MINOR, receipt: RECEIPT },
  },
  "refund.failed": {
    meaning: "The payment provider declined a refund, or could not complete it after its success.",
    subject: "refund",
    state: "failed",
    reads: ["refund", "payment", "booking"],
    data: {
      ...{ ...REFUND, ...PROVIDER_CODE },
      after_success: optional(
        onlyTrue("The refund had succeeded: its receipt is void, the amount is refundable again."),
      ),
      /** With `after_success`. */
      amount: optional(MINOR),
    },
  },
  "refund.settled_elsewhere": {
    meaning: "The property gave the money of a failed refund back itself, with its receipt.",
    subject: "refund",
    state: "succeeded",
    reads: ["refund", "payment", "booking"],
    data: { ...REFUND, amount: MINOR, method: OTHER_METHOD, receipt: RECEIPT },
  },
} as const satisfies Declarations;

/** What only folds need, beside `data`. */
export interface PaymentSecrets {
  readonly "payment.pending": {
    readonly secret: {
      readonly key: string;
      readonly body_hash: string;
      readonly docs: string;
      readonly confirmation_code: string;
      readonly traveler: Traveler;
      readonly encrypted: EncryptedFields;
    };
  };
  readonly "refund.requested": {
    readonly secret?: {
      /** Key of the call that waits: answered when the refund settles, or after a short wait. */
      readonly key: string;
      readonly body_hash: string;
      readonly docs: string;
      /** The operator's note. */
      readonly encrypted?: EncryptedFields;
    };
  };
  readonly "refund.settled_elsewhere": {
    readonly secret?: { readonly encrypted: EncryptedFields };
  };
}
