/** Refusals about money. */
import type { RefusalCode } from "../../engine/core/refusals.ts";
import * as step from "../actions/steps.ts";
import {
  BOOKING_ID,
  type DetailField,
  HOLD_ID,
  PAYMENT_ID,
  PROVIDER_CODE,
  type RefusalRecord,
} from "./record.ts";

const OF_REFUND: readonly DetailField[] = [
  ["booking_id?", "string", "The booking; absent for a capture that came too late for one."],
  ["refund_id?", "string", "The failed refund that the call names."],
];
const FIGURES: readonly DetailField[] = [
  ["captured", "integer", "Minor units."],
  ["refunded", "integer", "Minor units."],
  ["pending", "integer", "Pending refunds, minor units."],
  ["disputed?", "integer", "Withheld because the guest's bank disputes the payment, minor units."],
];

export const PAYMENT = {
  payment_failed: {
    status: 402,
    message: "The payment was declined.",
    remediation: "Confirm again with a new token and a new key, or show detail.provider_message.",
    recovery: [step.CONFIRM, step.RELEASE],
    detail: [
      HOLD_ID,
      PAYMENT_ID,
      ["provider_message", "string", "The payment provider's message; can be shown to travelers."],
      ["provider_code?", PROVIDER_CODE[1], PROVIDER_CODE[2]],
      [
        "reason?",
        "string",
        "`outcome_unknown`: no definitive answer of the provider within 24 hours.",
      ],
    ],
  },
  payment_provider_error: {
    status: 502,
    message: "The payment provider answered with an error.",
    remediation: "Retry with backoff or use another payment method.",
    retry_after: 2,
    recovery: [step.RETRY],
    detail: [HOLD_ID, PAYMENT_ID, PROVIDER_CODE],
  },
  payment_timeout: {
    status: 504,
    message: "The payment outcome is not known yet.",
    remediation: ({ key }) => `Retry with the same ${key}; never use a new key.`,
    retry_after: 5,
    recovery: [step.RETRY],
    retrying:
      "Never sealed: the outcome is open. Retry only with the same `Idempotency-Key`; " +
      "the retry finds the payment and never makes a second one.",
    detail: [HOLD_ID, PAYMENT_ID],
  },
  no_capturable_payment: {
    status: 409,
    message: "The booking has no captured payment.",
    remediation: "Read the booking: it has nothing to refund.",
    recovery: [step.GET_BOOKING],
    detail: [BOOKING_ID],
  },
  payment_not_refundable: {
    status: 409,
    message: "The payment cannot be refunded in its state.",
    remediation: "Refund only captured or partially_refunded payments that are not disputed.",
    recovery: [step.GET_BOOKING, step.GET_DESK_REFUND],
    detail: [
      ...OF_REFUND,
      [
        "state",
        "string",
        "`refunded`, also while the rest is pending; `disputed` while the guest's bank decides and " +
          "when it decided for the guest.",
      ],
      ...FIGURES,
    ],
  },
  refund_exceeds_remaining: {
    status: 409,
    message: "The refund exceeds the refundable amount.",
    remediation: (_terms, { asked }) =>
      asked === undefined
        ? "Reduce the amount to detail.remaining."
        : "Change the stay with another `difference`, and refund detail.remaining at most.",
    recovery: [step.ISSUE_REFUND, step.MODIFY_ANYWAY],
    detail: [
      ...OF_REFUND,
      ["requested", "integer", "Minor units."],
      ["remaining", "integer", "Largest possible refund, minor units."],
      ...FIGURES,
      ["asked?", "string", "Of a change of a booking: the `difference` of the request."],
      ["difference?", "integer", "Of a change: how much the new stay costs more, minor units."],
    ],
  },
} satisfies Readonly<Partial<Record<RefusalCode, RefusalRecord>>>;
