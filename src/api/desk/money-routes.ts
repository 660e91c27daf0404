/** Pending work of the desk: held rooms, open payments and refunds. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { TSchema } from "@sinclair/typebox";
import { instantIso } from "../../../engine/core/calendar.ts";
import { timeDigits } from "../../../engine/core/ids.ts";
import type { Hold, Payment, Refund } from "../../../engine/core/records.ts";
import { action, permitted } from "../../actions/next-action.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { AS_TABLE, FORMAT } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { pathId, wordParameter } from "../parameters.ts";
import {
  bookingOf,
  holdOf,
  openHoldsOf,
  openPaymentsOf,
  openRefundIdsOf,
  paymentOf,
  propertyOf,
  refundOf,
} from "../visible.ts";
import { paymentWait, refundWait } from "./open-money.ts";
import { OLDER_THAN_S, PROPERTY } from "./parameters.ts";
import { DeskPayment, DeskPayments, DeskRefund, DeskRefunds, OpenHolds } from "./responses.ts";

const ITEMS_MAX = 10_000;
const REFUNDS_AT_ONCE = 64;

const HOLD_STATES = ["held", "confirming"] as const;
const PAYMENT_WAITS = ["pending", "unknown"] as const;
const REFUND_WAITS = ["pending", "failed"] as const;

function tooMany(path: string, what: string): Refusal {
  const expected = `a filter that matches at most ${ITEMS_MAX} ${what}`;
  return invalid([{ path, message: `matches too many ${what}`, expected }]);
}

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
  const named = query.get("property_id");
  const property = named === undefined ? null : propertyOf(call, named);
  if (property && "code" in property) return property;
  const found = openHoldsOf(call).filter((hold) => {
    const isThere = !property || hold.quote.property_id === property.tree.id;
    return isThere && (state === undefined || hold.state === state);
  });
  if (found.length > ITEMS_MAX) return tooMany("?property_id", "holds");
  return { ok: true, data: { items: found.map(holdOut) } };
}

function paymentOut(call: Call, payment: Payment) {
  const { payment_id, state, amount, currency, refunded, property_id, agent_id } = payment;
  const { hold_id, booking_id, attempt, method, provider_ref, provider_code } = payment;
  const hold = holdOf(call, hold_id);
  const isWaiting = !("code" in hold) && hold.state === "confirming";
  const isBooked = !("code" in bookingOf(call, booking_id));
  return {
    ...{ payment_id, state, amount, currency, refunded, property_id, agent_id, hold_id },
    booking_id: isBooked ? booking_id : null,
    ...{ attempt, method, provider_ref, provider_code },
    created_at: instantIso(payment.created_at),
    updated_at: instantIso(payment.updated_at),
    ...paymentWait(payment, isWaiting, call.context.engineNow()),
  };
}

/** Latest creation of matching items, epoch milliseconds. */
function bornBefore({ query, context }: Call): number {
  return context.engineNow() - 1000 * Number(query.get("older_than_s") ?? 0);
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

function refundOut(call: Call, refund: Refund) {
  const { refund_id, state, amount, currency, reason, property_id, agent_id } = refund;
  const { payment_id, booking_id } = refund;
  return {
    ...{ refund_id, state, amount, currency, reason, property_id, agent_id },
    ...{ payment_id, booking_id },
    created_at: instantIso(refund.created_at),
    updated_at: instantIso(refund.updated_at),
    ...refundWait(refund, call.context.engineNow()),
  };
}

async function refunds(call: Call): Promise<Success | Refusal> {
  const asked = call.query.get("state");
  const beforeMs = bornBefore(call);
  const beforeId = `rfd_${timeDigits(beforeMs + 1)}`;
  const states = REFUND_WAITS.filter((state) => asked === undefined || state === asked);
  const ids = states.flatMap((state) => openRefundIdsOf(call, state, beforeId));
  const items = [];
  for (const [nth, id] of ids.sort().reverse().entries()) {
    if (nth % REFUNDS_AT_ONCE === REFUNDS_AT_ONCE - 1) await nextTurn();
    const refund = refundOf(call, id);
    if ("code" in refund || refund.created_at > beforeMs) continue;
    items.push(refundOut(call, refund));
    if (items.length > ITEMS_MAX) return tooMany("?older_than_s", "refunds");
  }
  return { ok: true, data: { items } };
}

function refund(call: Call<unknown, "id">): Success | Refusal {
  const found = refundOf(call, call.params.id);
  if ("code" in found) return found;
  const { booking_id, receipt } = found;
  const booking =
    booking_id && action("get", "GET", `/v1/bookings/${encodeURIComponent(booking_id)}`);
  const actions = permitted(booking ? [booking] : [], call.may);
  return { ok: true, data: refundOut(call, found), actions, ...(receipt && { receipt }) };
}

const READ = {
  tag: "Desk",
  method: "GET",
  readsReplica: true,
  errors: ["resource_access_denied"],
} as const;

/** Access to routes below an admin path. */
function admin<const S extends string>(segment: S) {
  return { kinds: ["operator"], scope: `admin:${segment}`, touches: "properties" } as const;
}

function listed<T extends TSchema>(description: string, data: T) {
  return { status: 200, description, data, alternatives: AS_TABLE } as const;
}

export const moneyRoutes = [
  route({
    ...READ,
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
    ...READ,
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
    ...READ,
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
  route({
    ...READ,
    id: "admin_list_refunds",
    path: "/v1/admin/refunds",
    summary: "List the pending and failed refunds",
    description:
      "`pending` and `failed` refunds, newest first, with what each waits for and the next step, " +
      "in words. `is_stuck` marks those that need attention.",
    access: admin("refunds"),
    query: {
      state: wordParameter(REFUND_WAITS, "Only refunds in this state."),
      older_than_s: OLDER_THAN_S,
      format: FORMAT,
    },
    renderer: "table",
    success: listed("The refunds.", DeskRefunds),
    handle: refunds,
  }),
  route({
    ...READ,
    id: "admin_get_refund",
    path: "/v1/admin/refunds/:id",
    summary: "Get a refund at the desk",
    description:
      "In any state; with what it waits for, in words, and its `refund_issued` receipt after " +
      "success.",
    access: admin("refunds"),
    params: { id: pathId("Id of the refund.") },
    hasUnlistedIds: true,
    success: { status: 200, description: "The refund.", data: DeskRefund, hasReceipt: true },
    handle: refund,
  }),
];
