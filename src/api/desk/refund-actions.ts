/** Next actions of a refund, for the property. */
import { offeredKey } from "../../actions/call-parts.ts";
import {
  action,
  type May,
  type NextAction,
  type Offer,
  offered,
  post,
} from "../../actions/next-action.ts";
import { isPermanent } from "../bookings/views.ts";

interface RefundStep {
  readonly refund_id: string;
  readonly booking_id: string | null;
  readonly state: string;
  readonly provider_code?: string | null;
  readonly retried_by?: string;
}

/**
 * The refund and its booking; of a failed one what gives the money back, unless it was repeated;
 * and a further refund while something of the payment remains.
 */
export function refundActions(refund: RefundStep, remaining: number, may?: May): NextAction[] {
  const { refund_id, booking_id, state, retried_by } = refund;
  const path = refundPath(refund_id);
  const mending = state === "failed" && !retried_by ? mendingOf(refund) : [];
  const last = retried_by ? refundPath(retried_by) : path;
  const reads: Offer[] = [["admin_get_refund", action("get_refund", "GET", last)]];
  if (booking_id !== null) {
    const booking = `/v1/bookings/${encodeURIComponent(booking_id)}`;
    reads.push(["get_booking", action("get", "GET", booking)]);
  }
  return offered([...mending, ...reads, ...furtherOf(refund, remaining)], may);
}

function refundPath(refundId: string): string {
  return `/v1/admin/refunds/${encodeURIComponent(refundId)}`;
}

/** A card that is closed refuses every repeat: then only another way is left. */
function mendingOf({ refund_id, provider_code }: RefundStep): Offer[] {
  const path = refundPath(refund_id);
  const retry = { idempotency_key: offeredKey("retry", refund_id, 1) };
  const settle = { method: "bank_transfer", idempotency_key: offeredKey("settle", refund_id, 1) };
  const elsewhere: Offer = [
    "admin_settle_refund",
    post("issue_refund", `${path}/settle-elsewhere`, settle),
  ];
  if (isPermanent(provider_code)) return [elsewhere];
  return [["admin_retry_refund", post("issue_refund", `${path}/retry`, retry)], elsewhere];
}

function furtherOf({ refund_id, booking_id }: RefundStep, remaining: number): Offer[] {
  if (booking_id === null || remaining === 0) return [];
  const href = `/v1/admin/bookings/${encodeURIComponent(booking_id)}/refunds`;
  const idempotency_key = offeredKey("refund", booking_id, refund_id);
  const body = { amount: remaining, reason: "requested", idempotency_key };
  return [["admin_refund_booking", post("issue_refund", href, body)]];
}
