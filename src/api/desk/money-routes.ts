/** Pending work of the desk: held rooms and open payments. Refunds are in `refund-routes.ts`. */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Hold, Payment } from "../../../engine/core/records.ts";
import { action, permitted } from "../../actions/next-action.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { FORMAT } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { paymentState } from "../bookings/views.ts";
import { pathId, wordParameter } from "../parameters.ts";
import {
  askedProperty,
  bookingOf,
  holdOf,
  openHoldsOf,
  openPaymentsOf,
  paymentOf,
} from "../visible.ts";
import { admin, bornBefore, DESK_READ, ITEMS_MAX, listed, tooMany } from "./lists.ts";
import { paymentWait } from "./open-money.ts";
import { OLDER_THAN_S, PROPERTY } from "./parameters.ts";
import { DeskPayment, DeskPayments, OpenHolds } from "./responses.ts";

const HOLD_STATES = ["held", "confirming"] as const;
const PAYMENT_WAITS = ["pending", "unknown"] as const;
function holdOut({ hold_id, state, quote, agent_id, extensions, payment_id, ...at }: Hold) {
  const { quote_id, property_id, room_type_id, rate_plan_id, stay, guests } = quote;
  return {
    ...{ hold_id, quote_id, state, property_id, agent_id, room_type_id, rate_plan_id },
    expires_at: instantIso(at.expires_at),
    ...{ stay, guests, extensions, payment_id },
    total: { amount: quote.total, currency: quote.currency },
    created_at: instantIso(at.created_at),
  };
}

function holds(call: Call): Success | Refusal {
  const { query } = call;
  const state = query.get("state");
  const property = askedProperty(call);
  if (property && "code" in property) return property;
  const found = openHoldsOf(call).filter((hold) => {
    const isThere = !property || hold.quote.property_id === property.tree.id;
    return isThere && (state === undefined || hold.state === state);
  });
  if (found.length > ITEMS_MAX) return tooMany("?property_id", "holds");
  return { ok: true, data: { items: found.map(holdOut) } };
}

function paymentOut(call: Call, payment: Payment) {
  const { payment_id, amount, currency, refunded, property_id, agent_id } = payment;
  const { hold_id, booking_id, attempt, method, provider_ref, provider_code } = payment;
  const hold = holdOf(call, hold_id);
  const isWaiting = !("code" in hold) && hold.state === "confirming";
  const isBooked = !("code" in bookingOf(call, booking_id));
  return {
    ...{
      payment_id,
      state: paymentState(payment),
      amount,
      currency,
      refunded,
      property_id,
      agent_id,
      hold_id,
    },
    booking_id: isBooked ? booking_id : null,
    ...{ attempt, method, provider_ref, provider_code },
    authorization: payment.authorization ?? null,
    dispute: payment.dispute ?? null,
    created_at: instantIso(payment.created_at),
    updated_at: instantIso(payment.updated_at),
    ...paymentWait(payment, isWaiting, call.context.engineNow()),
  };
}

function payments(call: Call): Success | Refusal {
  const state = call.query.get("state");
  const beforeMs = bornBefore(call);
  const found = openPaymentsOf(call).filter((payment) => {
    const isMeant = state === undefined || payment.state === state;
    return isMeant && payment.created_at <= beforeMs;
  });
  if (found.length > ITEMS_MAX) return tooMany("?older_than_s", "payments");
  return { ok: true, data: { items: found.map((payment) => paymentOut(call, payment)) } };
}

function payment(call: Call<unknown, "id">): Success | Refusal {
  const found = paymentOf(call, call.params.id);
  if ("code" in found) return found;
  const data = paymentOut(call, found);
  const path = data.booking_id === null ? "/v1/holds" : "/v1/bookings";
  const href = `${path}/${encodeURIComponent(data.booking_id ?? data.hold_id)}`;
  return { ok: true, data, actions: permitted([action("get", "GET", href)], call.may) };
}

export const moneyRoutes = [
  route({
    ...DESK_READ,
    id: "admin_list_holds",
    path: "/v1/admin/holds",
    summary: "List the active holds",
    description:
      "All `held` holds, and `confirming` ones while their payment is open; newest first.",
    access: admin("holds"),
    query: {
      property_id: PROPERTY,
      state: wordParameter(HOLD_STATES, "Only holds in this state."),
      format: FORMAT,
    },
    renderer: "table",
    success: listed("The holds.", OpenHolds),
    errors: ["property_not_found", "resource_access_denied"],
    handle: holds,
  }),
  route({
    ...DESK_READ,
    id: "admin_list_payments",
    path: "/v1/admin/payments",
    summary: "List the open payments",
    description:
      "`pending` and `unknown` payments, newest first, with what each waits for and the next " +
      "step, in words. `is_stuck` marks those that need attention.",
    access: admin("payments"),
    query: {
      state: wordParameter(PAYMENT_WAITS, "Only payments in this state."),
      older_than_s: OLDER_THAN_S,
      format: FORMAT,
    },
    renderer: "table",
    success: listed("The payments.", DeskPayments),
    handle: payments,
  }),
  route({
    ...DESK_READ,
    id: "admin_get_payment",
    path: "/v1/admin/payments/:id",
    summary: "Get a payment",
    description: "In any state; with what it waits for, in words.",
    access: admin("payments"),
    params: { id: pathId("Id of the payment.") },
    hasUnlistedIds: true,
    success: { status: 200, description: "The payment.", data: DeskPayment },
    handle: payment,
  }),
];
