/**
 * Refunds at the desk: pending and failed ones, those of a booking, and the calls by which a
 * property gives money back.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { refundableOf } from "../../../engine/core/bookings/refundable.ts";
import { timeDigits } from "../../../engine/core/ids.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute } from "../../http/execute.ts";
import { FORMAT } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { encryptedNote } from "../bookings/personal-fields.ts";
import { refundsOf } from "../bookings/views.ts";
import { BOOKING_ID, pathId, wordParameter } from "../parameters.ts";
import { bookingOf, openRefundIdsOf, paymentOf, refundOf } from "../visible.ts";
import { admin, bornBefore, DESK_READ, ITEMS_MAX, listed, tooMany } from "./lists.ts";
import { OLDER_THAN_S } from "./parameters.ts";
import { refundActions } from "./refund-actions.ts";
import { deskRefund, REFUNDED, remainingOf, SETTLED } from "./refund-views.ts";
import {
  RefundBody,
  type RefundRequest,
  SettleElsewhereBody,
  type SettleElsewhereRequest,
} from "./requests.ts";
import { BookingRefunds, DeskRefund, DeskRefunds, MadeRefund } from "./responses.ts";

const REFUNDS_AT_ONCE = 64;
const REFUND_WAITS = ["pending", "failed"] as const;

async function waiting(call: Call): Promise<Success | Refusal> {
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
    items.push(deskRefund(call, refund));
    if (items.length > ITEMS_MAX) return tooMany("?older_than_s", "refunds");
  }
  return { ok: true, data: { items } };
}

type AtId<B = unknown> = Call<B, "id">;

function show(call: AtId): Success | Refusal {
  const found = refundOf(call, call.params.id);
  if ("code" in found) return found;
  const { receipt } = found;
  const actions = refundActions(found, remainingOf(call, found), call.may);
  return { ok: true, data: deskRefund(call, found), actions, ...(receipt && { receipt }) };
}

function ofBooking(call: AtId): Success | Refusal {
  const booking = bookingOf(call, call.params.id);
  if ("code" in booking) return booking;
  const items = refundsOf(call.context, booking).map((refund) => deskRefund(call, refund));
  const money = refundableOf(booking, call.context.replica.records);
  const { currency } = booking.quote;
  const [last] = items.slice(-1);
  const actions = last ? refundActions(last, money?.remaining ?? 0, call.may) : [];
  return { ok: true, data: { items, money: money && { ...money, currency } }, actions };
}

/** Refused before anything is journaled: no provider could make the refund. */
function unready({ context }: Call): Refusal | null {
  const missing = missingForPayments(context.config);
  return missing === null ? null : refuse("service_not_configured", { missing });
}

async function refund(call: AtId<RefundRequest>): Promise<Success | Refusal> {
  const { body, context, params } = call;
  const missing = unready(call);
  if (missing) return missing;
  const command = {
    ...commandMeta(call),
    type: "RefundPayment" as const,
    booking_id: params.id,
    amount: body.amount ?? null,
    reason: body.reason,
    // An empty note is none.
    ...encryptedNote(context, body.note || undefined, () => bookingOf(call, params.id)),
  };
  return execute(call, command, REFUNDED);
}

async function retry(call: AtId): Promise<Success | Refusal> {
  const found = refundOf(call, call.params.id);
  if ("code" in found) return found;
  const missing = unready(call);
  if (missing) return missing;
  const { refund_id } = found;
  return execute(call, { ...commandMeta(call), type: "RetryRefund", refund_id }, REFUNDED);
}

async function settle(call: AtId<SettleElsewhereRequest>): Promise<Success | Refusal> {
  const found = refundOf(call, call.params.id);
  if ("code" in found) return found;
  const { method, note } = call.body;
  const command = {
    ...commandMeta(call),
    type: "SettleRefundElsewhere" as const,
    refund_id: found.refund_id,
    method,
    ...encryptedNote(call.context, note || undefined, () => paymentOf(call, found.payment_id)),
  };
  return execute(call, command, SETTLED);
}

const NO_BOOKING_ERRORS = ["resource_access_denied", "conflict"] as const;
const MONEY_ERRORS = ["payment_not_refundable", "refund_exceeds_remaining"] as const;

const WRITE = {
  tag: "Desk",
  method: "POST",
  access: admin("refunds"),
  key: "accepted",
  readsReplica: true,
} as const;
const REFUND_ID = { id: pathId("Id of the refund.") };

const readRoutes = [
  route({
    ...DESK_READ,
    id: "admin_list_refunds",
    path: "/v1/admin/refunds",
    summary: "List the pending and failed refunds",
    description:
      "`pending` and `failed` refunds, newest first, with what each waits for and the next step, " +
      "in words. `is_stuck` marks those that need attention. A failed refund that was repeated " +
      "or settled elsewhere is not listed.",
    access: admin("refunds"),
    query: {
      state: wordParameter(REFUND_WAITS, "Only refunds in this state."),
      older_than_s: OLDER_THAN_S,
      format: FORMAT,
    },
    renderer: "table",
    success: listed("The refunds.", DeskRefunds),
    handle: waiting,
  }),
  route({
    ...DESK_READ,
    id: "admin_get_refund",
    path: "/v1/admin/refunds/:id",
    summary: "Get a refund at the desk",
    description:
      "In any state; with what it waits for, in words, and its `refund_issued` receipt after " +
      "success.",
    access: admin("refunds"),
    params: REFUND_ID,
    hasUnlistedIds: true,
    success: { status: 200, description: "The refund.", data: DeskRefund, hasReceipt: true },
    handle: show,
  }),
  route({
    ...DESK_READ,
    id: "admin_list_booking_refunds",
    path: "/v1/admin/bookings/:id/refunds",
    summary: "List the refunds of a booking",
    description: "In any state, oldest first, and what of the payment can still be refunded.",
    access: admin("refunds"),
    params: { id: BOOKING_ID },
    errors: ["booking_not_found", "resource_access_denied"],
    success: { status: 200, description: "The refunds.", data: BookingRefunds },
    handle: ofBooking,
  }),
];

export const refundRoutes = [
  ...readRoutes,
  route({
    ...WRITE,
    id: "admin_refund_booking",
    path: "/v1/admin/bookings/:id/refunds",
    summary: "Refund a booking's payment, in whole or in part",
    description:
      "In any state of the booking, which keeps its state. Without `amount` all that remains is " +
      "refunded. Amounts are reserved in one place, so concurrent refunds never exceed what was " +
      "captured. The call waits up to 4.5 seconds for the payment provider: `state` is then " +
      "`succeeded`, with the receipt, or `failed`; else `pending`. A later cancellation refunds " +
      "what its terms promise, as far as it remains.",
    params: { id: BOOKING_ID },
    body: json(RefundBody),
    success: { status: 201, description: "The refund.", data: MadeRefund, hasReceipt: true },
    errors: [
      ...(["booking_not_found", "no_capturable_payment", ...MONEY_ERRORS] as const),
      ...(["conflict", "service_not_configured"] as const),
    ],
    handle: refund,
  }),
  route({
    ...WRITE,
    id: "admin_retry_refund",
    path: "/v1/admin/refunds/:id/retry",
    summary: "Repeat a failed refund",
    description:
      "As a new refund of the same amount, because a provider answers a known refund as before. " +
      "A refund is repeated once; repeat the new one if that fails too.",
    params: REFUND_ID,
    hasUnlistedIds: true,
    body: json(EmptyBody),
    isBodyOptional: true,
    success: { status: 201, description: "The new refund.", data: MadeRefund, hasReceipt: true },
    errors: [...NO_BOOKING_ERRORS, ...MONEY_ERRORS, "service_not_configured"],
    handle: retry,
  }),
  route({
    ...WRITE,
    id: "admin_settle_refund",
    path: "/v1/admin/refunds/:id/settle-elsewhere",
    summary: "Record that a failed refund was paid back another way",
    description:
      "For example by bank transfer. The amount counts as refunded, and the receipt names the " +
      "`method`. Nothing is sent to the payment provider.",
    params: REFUND_ID,
    hasUnlistedIds: true,
    body: json(SettleElsewhereBody),
    success: { status: 200, description: "The refund.", data: MadeRefund, hasReceipt: true },
    errors: [...NO_BOOKING_ERRORS, ...MONEY_ERRORS],
    handle: settle,
  }),
];
