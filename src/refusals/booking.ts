/** Refusals of quotes, holds and bookings. */
import type { RefusalCode } from "../../engine/core/refusals.ts";
import * as step from "../actions/steps.ts";
import {
  AUTHORIZATION_ID,
  BOOKING_ID,
  HOLD_ID,
  id,
  QUOTE_ID,
  type RefusalRecord,
} from "./record.ts";

const CHEAPER = [
  step.SEARCH_CHEAPER,
  step.SEARCH_CHEAPER_ELSEWHERE,
  step.GET_HOLD,
  step.RELEASE,
] as const;

const DESPITE_TERMS =
  "Ask the hotel's staff: with `difference` they change it in spite of its terms.";

/** Remediation of a change, by reason. */
const NOT_MODIFIABLE: Readonly<Record<string, string>> = {
  ...{ cutoff_passed: DESPITE_TERMS, non_refundable: DESPITE_TERMS },
  in_house: "Change the check-out alone: the guest has arrived for the rest.",
  check_out_passed: "Choose detail.earliest or later, or check the guest out.",
};

export const BOOKING = {
  quote_not_found: {
    status: 404,
    message: "Quote not found.",
    remediation: "Create a new quote.",
    recovery: [step.SEARCH, step.QUOTE, step.LIST_PROPERTIES],
    detail: [id("quote_id", "The requested id.")],
  },
  quote_expired: {
    status: 410,
    message: "The quote has expired.",
    remediation: ({ quote }) => `Call ${quote} again.`,
    recovery: [step.REQUOTE],
    detail: [
      QUOTE_ID,
      ["expired_at?", "instant", "When it expired; absent once the quote is deleted."],
    ],
  },
  quote_mismatch: {
    status: 409,
    message: "The hold was made for another quote.",
    remediation: "Create a new quote and hold, then book that hold.",
    recovery: [step.REQUOTE],
    detail: [HOLD_ID, id("quote_id", "The quote of the request.")],
  },
  hold_not_found: {
    status: 404,
    message: "Hold not found.",
    remediation: "Create a new quote and hold.",
    recovery: [step.SEARCH, step.QUOTE, step.LIST_HOLDS, step.LIST_PROPERTIES],
    detail: [id("hold_id", "The requested id.")],
  },
  hold_expired: {
    status: 410,
    message: "The hold has expired.",
    remediation: "Create a new quote and hold; the room may be unavailable.",
    recovery: [step.REQUOTE],
    detail: [HOLD_ID, ["expired_at", "instant", "When it expired."]],
  },
  hold_not_active: {
    status: 409,
    message: "The hold is no longer active.",
    remediation: "Read the hold, then create a new quote and hold if needed.",
    recovery: [
      step.GET_HOLD_OR_BOOKING,
      step.RETRY_WHILE_CONFIRMING,
      step.REQUOTE_UNLESS_CONFIRMING,
    ],
    detail: [
      HOLD_ID,
      ["state", "string", "`released`, `consumed` or `confirming`."],
      ["booking_id?", "string", "With `consumed`: the booking."],
    ],
  },
  booking_not_found: {
    status: 404,
    message: "Booking not found.",
    remediation: "Check the id and the tenant.",
    recovery: [step.SEARCH, step.LIST_BOOKINGS, step.LIST_PROPERTIES],
    detail: [id("booking_id", "The requested id.")],
  },
  booking_not_cancellable: {
    status: 409,
    message: "The booking cannot be cancelled in its state.",
    remediation: "Read the booking's state first.",
    recovery: [step.GET_BOOKING, step.GET_AUDIT, step.GET_REFUND],
    detail: [
      BOOKING_ID,
      ["state", "string", "The booking's state."],
      ["cancelled_at", "instant or null", "When it was cancelled, if it was."],
      ["refund_id", "string or null", "The refund of the cancellation, if any."],
    ],
  },
  booking_not_modifiable: {
    status: 409,
    message: "The booking cannot be modified.",
    remediation: (_terms, { reason }) =>
      NOT_MODIFIABLE[String(reason)] ?? "Contact the hotel's staff.",
    recovery: [step.MODIFY_ANYWAY, step.GET_BOOKING, step.GET_AUDIT],
    detail: [
      BOOKING_ID,
      [
        "reason",
        "string",
        "`state`, `change_limit`, `in_house`, `check_out_passed`, `non_refundable`, " +
          "`cutoff_passed`, `room_type_closed` or `guest_erased`.",
      ],
      [
        "fixed?",
        "list of string",
        "With `in_house`: JSON pointers of what does not change after the check-in.",
      ],
      ["earliest?", "date", "With `check_out_passed`: today at the property."],
      ["state?", "string", "With `state`: the booking's state."],
      ["limit?", "integer", "With `change_limit`: how often a booking can be changed."],
      ["cutoff_at?", "instant", "With `cutoff_passed`: until when its terms allowed a change."],
      [
        "difference?",
        "integer",
        "With `cutoff_passed` and `non_refundable`: how much the new stay costs more, minor units.",
      ],
      ["room_type_id?", "string", "With `room_type_closed`: the room type."],
    ],
  },
  booking_modification_price_change: {
    status: 409,
    message: "The new dates would change the price.",
    remediation: "Ask staff, or choose dates of the same length and price.",
    recovery: [step.MODIFY_ANYWAY, step.QUOTE, step.CANCEL],
    detail: [
      BOOKING_ID,
      ["reason", "string", "`length_changed` or `total_changed`."],
      ["currency", "string", "Of the amounts."],
      ["asked?", "string", "The `difference` of the request, which does not fit this price."],
      ["current_total", "integer", "Minor units."],
      ["new_total", "integer", "Minor units."],
      ["difference", "integer", "Minor units."],
      ["nights_current", "integer", "Current length of the stay."],
      ["nights_requested", "integer", "Requested length."],
    ],
  },
  authorization_required: {
    status: 409,
    message: "This booking needs an authorization.",
    remediation: (_terms, { state }) =>
      state === "approved"
        ? "Book with detail.authorization_id: it is approved."
        : "Ask the property's operator to approve detail.authorization_id, read it until it is " +
          "approved, then book with it. Or book a cheaper quote. Release the hold if you stop.",
    recovery: [step.CONFIRM_AUTHORIZED, step.GET_AUTHORIZATION, ...CHEAPER],
    detail: [
      HOLD_ID,
      id("authorization_id", "The request that was opened, or the open one of the same booking."),
      ["state", "string", "`pending`, or `approved` if the booking left out `authorization_id`."],
      ["approval_expires_at", "instant", "When the request and its approval expire."],
      [
        "policy",
        "string",
        "The rule that requires it: `max_booking_amount` of the agent, or the tenant's " +
          "`over_amount`, `always` or `non_refundable`.",
      ],
      [
        "threshold",
        "{amount, currency} or null",
        "The amount that needs none, minor units; null for rules without an amount.",
      ],
      ["amount", "integer", "Total of the booking, minor units."],
      ["currency", "string", "Currency of `amount`."],
    ],
  },
  booking_authorization_invalid: {
    status: 409,
    message: "The booking authorization cannot be used.",
    remediation:
      "Book without authorization_id: if the booking needs an authorization, the answer names " +
      "the one to use or opens a new request. Or book a cheaper quote.",
    recovery: [step.CONFIRM_UNAUTHORIZED, ...CHEAPER],
    detail: [
      AUTHORIZATION_ID,
      HOLD_ID,
      [
        "reason",
        "string",
        "The first of: `unknown`, `agent_mismatch`, `revoked`, `already_consumed`, `expired`, " +
          "`pending_approval`, `traveler_mismatch`, `scope_mismatch` (other room type or dates), " +
          "`currency_mismatch`, `amount_exceeded`.",
      ],
    ],
  },
  booking_authorization_not_found: {
    status: 404,
    message: "Booking authorization not found.",
    remediation: "Check the id; a booking that needs an authorization is answered with its id.",
    recovery: [step.LIST_AUTHORIZATIONS, step.SEARCH, step.LIST_BOOKINGS],
    detail: [id("authorization_id", "The requested id.")],
  },
} satisfies Readonly<Partial<Record<RefusalCode, RefusalRecord>>>;
