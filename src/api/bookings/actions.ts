/** Next actions of a booking. */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { SuccessOf } from "../../../engine/core/outcomes.ts";
import { feeAt } from "../../../engine/core/price/policy.ts";
import type { FrozenQuote } from "../../../engine/core/price/quote.ts";
import { CONSENT, offeredKey } from "../../actions/call-parts.ts";
import {
  action,
  type CancellationCost,
  type May,
  type NextAction,
  type Offer,
  offered,
  post,
} from "../../actions/next-action.ts";

interface BookingStep {
  readonly booking_id: string;
  readonly state: string;
  readonly quote: Pick<FrozenQuote, "fees" | "due_now" | "currency">;
  /** What of the payment can still be refunded; absent when nothing was refunded. */
  readonly remaining?: number;
  readonly cancellation?: { readonly refund_id: string | null } | null;
  /** The no-show, if any. */
  readonly no_show?: { readonly refund_id: string | null };
}

/**
 * At a booking: its reads, and `cancel` with its cost at `atMs` while the booking is `confirmed`,
 * else the refund. A cancellation with a fee comes after its preview.
 */
export function bookingActions(booking: BookingStep, atMs: number, may?: May): NextAction[] {
  const { booking_id, state, cancellation, no_show } = booking;
  const refund_id = (cancellation ?? no_show)?.refund_id ?? null;
  if (state !== "confirmed") return settledActions({ booking_id, refund_id }, may);
  const path = bookingPath(booking_id);
  const cost = cancellationCost(booking, atMs);
  const preview = action("get", "GET", `${path}/cancellation-quote`);
  return offered(
    [
      ...readsAt(path),
      ...(cost.fee.amount > 0 ? [["get_cancellation_quote", preview] as const] : []),
      cancelOffer(booking_id, cost, atMs, may),
    ],
    may,
  );
}

/** At the preview of a cancellation at `atMs`: the reads, and `cancel` with its cost. */
export function previewActions(booking: BookingStep, atMs: number, may?: May): NextAction[] {
  const { booking_id, state } = booking;
  const cancel = cancelOffer(booking_id, cancellationCost(booking, atMs), atMs, may);
  const reads = readsAt(bookingPath(booking_id));
  return offered(state === "confirmed" ? [...reads, cancel] : reads, may);
}

const CANCEL_FILL_IN = [CONSENT];

const DESK_FILL_IN = [{ path: "/reason", meaning: "why the property cancels" }];

/** The desk cancels without a traveler's token. */
function cancelOffer(bookingId: string, cost: CancellationCost, atMs: number, may?: May): Offer {
  const idempotency_key = offeredKey("cancel", bookingId, atMs);
  const desk = deskPath(bookingId, "cancel");
  if (may?.("POST", desk, "admin_cancel_booking")) {
    const body = { reason: "<why the property cancels>", idempotency_key };
    return ["admin_cancel_booking", post("cancel", desk, body, { fill_in: DESK_FILL_IN, cost })];
  }
  const parts = { fill_in: CANCEL_FILL_IN, cost };
  const href = `${bookingPath(bookingId)}/cancel`;
  return ["cancel", post("cancel", href, { idempotency_key }, parts)];
}

/** Fee and refund of a cancellation at an instant, by the table that `cancel` uses. */
export function cancellationCost(
  { quote, remaining }: Pick<BookingStep, "quote" | "remaining">,
  atMs: number,
): CancellationCost {
  const { fees, due_now, currency } = quote;
  const { fee, next_change_at } = feeAt(fees, atMs);
  return {
    fee: { amount: fee, currency },
    refund: { amount: Math.min(due_now - fee, remaining ?? due_now), currency },
    until: next_change_at === null ? null : instantIso(next_change_at),
  };
}

/** For an ended booking; `refund_id` is null without a refund. */
export function settledActions(
  done: { readonly booking_id: string; readonly refund_id: string | null },
  may?: May,
): NextAction[] {
  const path = bookingPath(done.booking_id);
  if (done.refund_id === null) return offered(readsAt(path), may);
  const refund = `${path}/refunds/${encodeURIComponent(done.refund_id)}`;
  return offered([...readsAt(path), ["get_refund", action("get_refund", "GET", refund)]], may);
}

/** At the desk, after a check-in: the reads, and its undo until the day ends. */
export function checkedInActions(
  { booking_id, checked_in_at, undo_until }: SuccessOf<"checked_in">["data"],
  may?: May,
): NextAction[] {
  const path = bookingPath(booking_id);
  if (undo_until === undefined) return offered(readsAt(path), may);
  const idempotency_key = offeredKey("undo-check-in", booking_id, Date.parse(checked_in_at));
  const href = deskPath(booking_id, "undo-check-in");
  const undo = post("cancel", href, { idempotency_key }, { expires_at: undo_until });
  return offered([...readsAt(path), ["admin_undo_check_in", undo]], may);
}

/** At the desk, after the undo of a check-in: the reads, and the check-in. */
export function undoneActions(
  { booking_id, undone_at }: SuccessOf<"check_in_undone">["data"],
  may?: May,
): NextAction[] {
  const idempotency_key = offeredKey("check-in", booking_id, Date.parse(undone_at));
  const checkIn = post("confirm", deskPath(booking_id, "check-in"), { idempotency_key });
  return offered([...readsAt(bookingPath(booking_id)), ["admin_check_in", checkIn]], may);
}

function readsAt(path: string): Offer[] {
  return [
    ["get_booking", action("get", "GET", path)],
    ["get_audit", action("get_audit", "GET", `${path}/audit`)],
  ];
}

function bookingPath(bookingId: string): string {
  return `/v1/bookings/${encodeURIComponent(bookingId)}`;
}

function deskPath(bookingId: string, step: string): string {
  return `/v1/admin/bookings/${encodeURIComponent(bookingId)}/${step}`;
}
