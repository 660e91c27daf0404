/** States, reasons and methods of refunds. */

export type RefundState = "pending" | "succeeded" | "failed";

/** Why the property refunds by itself. */
export const OPERATOR_REASONS = ["requested", "service", "goodwill", "duplicate", "other"] as const;
export type OperatorReason = (typeof OPERATOR_REASONS)[number];

/**
 * `late_capture`: the payment was captured after its hold had ended. `modification`: the changed
 * stay costs less.
 */
export type RefundReason =
  | ("cancellation" | "no_show" | "late_capture" | "modification")
  | OperatorReason;

/** How a property gives money back that the payment provider did not. */
export const OTHER_METHODS = [
  "bank_transfer",
  "card_terminal",
  "cash",
  "voucher",
  "other",
] as const;
export type OtherMethod = (typeof OTHER_METHODS)[number];

/** What a property does when a changed stay has another price. */
export const DIFFERENCES = ["refund", "waive", "at_property"] as const;
export type Difference = (typeof DIFFERENCES)[number];
