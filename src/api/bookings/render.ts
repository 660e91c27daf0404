/** Renders outcomes of booking commands. */
import type { SuccessOf } from "../../../engine/core/outcomes.ts";
import type { Context } from "../../http/context.ts";
import type { Rendering } from "../../http/execute.ts";
import { unfoldedIfKnown } from "../quotes/shown.ts";
import { bookingActions, checkedInActions, settledActions, undoneActions } from "./actions.ts";
import { travelerOf } from "./personal-fields.ts";
import { failureOf } from "./views.ts";

/** The 201 of `POST /v1/bookings`. */
export const BOOKED: Rendering<"booking"> = {
  kind: "booking",
  answer({ may, context }, { data, trace_id, receipt }) {
    const actions = bookingActions(data, Date.parse(data.created_at), may);
    return { status: 201, data: bookingOut(context, data), actions, trace_id, receipt };
  },
};

/** The 200 of a cancellation. */
export const CANCELLED: Rendering<"cancellation"> = {
  kind: "cancellation",
  answer({ may }, { data, trace_id, receipt }) {
    const { booking_id, refund } = data;
    const ids = { booking_id, refund_id: refund?.refund_id ?? null };
    const actions = settledActions(ids, may);
    return { data: { ...data, refund: refund && refundIn(refund) }, actions, trace_id, receipt };
  },
};

/** The 200 of a check-in. */
export const CHECKED_IN: Rendering<"checked_in"> = {
  kind: "checked_in",
  answer({ may }, { data, trace_id }) {
    return { data, actions: checkedInActions(data, may), trace_id };
  },
};

/** The 200 of a check-in that was undone. */
export const CHECK_IN_UNDONE: Rendering<"check_in_undone"> = {
  kind: "check_in_undone",
  answer({ may }, { data, trace_id }) {
    return { data, actions: undoneActions(data, may), trace_id };
  },
};

/** The 200 of a no-show. */
export const NO_SHOW: Rendering<"no_show"> = {
  kind: "no_show",
  answer({ may }, { data, trace_id }) {
    const { booking_id, refund } = data;
    const ids = { booking_id, refund_id: refund?.refund_id ?? null };
    const shown = { ...data, refund: refund && refundIn(refund) };
    return { data: shown, actions: settledActions(ids, may), trace_id };
  },
};

/** The 200 of a departure. */
export const COMPLETED: Rendering<"completed"> = {
  kind: "completed",
  answer({ may }, { data, trace_id }) {
    const actions = settledActions({ booking_id: data.booking_id, refund_id: null }, may);
    return { data, actions, trace_id };
  },
};

/** A refund in an answer; only a failed one has failure texts. */
export function refundIn(refund: NonNullable<SuccessOf<"cancellation">["data"]["refund"]>) {
  const { refund_id, amount, state } = refund;
  return { refund_id, amount, state, ...(state === "failed" ? failureOf(refund) : {}) };
}

/** A confirmed booking. */
function bookingOut(context: Context, stored: SuccessOf<"booking">["data"]) {
  const { booking_id, confirmation_code, state, hold_id, quote, payment } = stored;
  const { created_at, version, seq } = stored;
  return {
    ...{ booking_id, confirmation_code, state, hold_id },
    quote_id: quote.quote_id,
    property_id: quote.property_id,
    room_type_id: quote.room_type_id,
    rate_plan_id: quote.rate_plan_id,
    stay: quote.stay,
    guests: quote.guests,
    ...unfoldedIfKnown(context, quote),
    payment,
    traveler: travelerOf(context, booking_id, stored.traveler_iss),
    ...{ created_at, version, seq },
  };
}
