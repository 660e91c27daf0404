/** Changes of a booking by the property, and their preview. */
import { modificationProblem } from "../../../engine/core/bookings/modify.ts";
import { instantIso } from "../../../engine/core/calendar.ts";
import type { SuccessOf } from "../../../engine/core/outcomes.ts";
import type { FrozenQuote } from "../../../engine/core/price/quote.ts";
import type { Booking } from "../../../engine/core/records.ts";
import { offeredKey } from "../../actions/call-parts.ts";
import { action, permitted } from "../../actions/next-action.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, type Rendering } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { BOOKING_ID } from "../parameters.ts";
import { unfoldedIfKnown } from "../quotes/shown.ts";
import { bookingOf } from "../visible.ts";
import { bookingActions, settledActions } from "./actions.ts";
import { changeOf, refusedChange } from "./modification.ts";
import {
  type ModificationRequest,
  modificationBody,
  modificationQuoteBody,
} from "./modify-requests.ts";
import { refundIn } from "./render.ts";
import { Modification, ModificationQuote } from "./responses.ts";

type Asked = Call<ModificationRequest, "id">;

/** Changes the booking of the path. */
export async function modify(call: Asked): Promise<Success | Refusal> {
  const { id: booking_id } = call.params;
  const booking = bookingOf(call, booking_id);
  if ("code" in booking) return booking;
  const change = changeOf(call, booking);
  if ("ok" in change && call.key === null) return change;
  const asked = "ok" in change ? refusedChange(change) : change;
  const command = { ...commandMeta(call), type: "ModifyBooking" as const, booking_id, ...asked };
  return execute(call, command, MODIFIED);
}

/** The same decision on the replica, without doing it. */
export function previewChange(call: Asked): Success | Refusal {
  const { body, context, principal, may, params } = call;
  const booking = bookingOf(call, params.id);
  if ("code" in booking) return booking;
  const change = changeOf(call, booking);
  if ("ok" in change) return change;
  const { state, records } = context.replica;
  const at = { state, records, now: context.timeIn(principal) };
  const problem = modificationProblem(change, booking, at);
  if (problem) return refuse(problem.code, problem.detail, problem);
  const { quote: before, booking_id, version } = booking;
  const after = change.stay?.quote ?? before;
  const { idempotency_key: _, ...asked } = body;
  const hint = { ...asked, idempotency_key: offeredKey("modify", booking_id, version) };
  const href = `/v1/bookings/${encodeURIComponent(booking_id)}`;
  const confirm = action("confirm", "PATCH", href, { body_hint: hint });
  const data = {
    ...{ booking_id, version },
    ...stayOut(after),
    ...unfoldedIfKnown(context, after),
    difference: differenceOf(change.stay?.priced.total ?? before.total, booking, body),
    refund: { amount: before.due_now - after.due_now, currency: after.currency },
  };
  return { ok: true, data, actions: permitted([confirm, action("get", "GET", href)], may) };
}

function differenceOf(newTotal: number, { quote }: Booking, { difference }: ModificationRequest) {
  const amount = newTotal - quote.total;
  return amount === 0 || !difference
    ? null
    : { kind: difference, amount, currency: quote.currency };
}

function stayOut({ stay, guests, room_type_id, rate_plan_id }: FrozenQuote) {
  return { stay, guests, room_type_id, rate_plan_id };
}

const MODIFIED: Rendering<"modification"> = { kind: "modification", answer: modified };

function modified(call: Call, { data, trace_id, receipt }: SuccessOf<"modification">) {
  const { booking_id, state, version, modified_at, quote, guest_changed, refund, seq } = data;
  const { difference } = data;
  const atMs = Date.parse(modified_at);
  const actions = refund
    ? settledActions({ booking_id, refund_id: refund.refund_id }, call.may)
    : bookingActions({ booking_id, state, quote }, atMs, call.may);
  return {
    data: {
      ...{ booking_id, state, version, modified_at: instantIso(atMs), ...stayOut(quote) },
      ...unfoldedIfKnown(call.context, quote),
      difference,
      refund: refund && refundIn(refund),
      ...{ guest_changed, seq },
    },
    actions,
    trace_id,
    ...(receipt && { receipt }),
  };
}

const AT_BOOKING = {
  tag: "Bookings",
  access: { kinds: ["operator"], scope: "admin:bookings", touches: "properties" },
  params: { id: BOOKING_ID },
  readsReplica: true,
} as const;

/** Refusals of a change. */
export const MODIFY_ERRORS = [
  ...(["booking_not_found", "booking_not_modifiable", "conflict"] as const),
  ...(["booking_modification_price_change", "allocation_failed", "allotment_exhausted"] as const),
  ...(["room_type_not_found", "rate_plan_not_found", "policy_not_found_for_rate_plan"] as const),
  "refund_exceeds_remaining",
] as const;

export const modifyRoutes = [
  route({
    ...AT_BOOKING,
    id: "modify_booking",
    method: "PATCH",
    path: "/v1/bookings/:id",
    summary: "Change a booking",
    description:
      "Stay, party, room type, rate plan, or the guest's data; absent members stay unchanged. A new " +
      "stay is priced with the present rates; the version of the cancellation terms is kept, with " +
      "its cut-offs moved to the new check-in. Without `difference` the booking's own terms bind: " +
      "before `modification.allowed_until`, with as many nights and the same total. With " +
      "`difference` the property overrides them: `refund` gives a lower price back, `waive` keeps " +
      "the former price, `at_property` charges a higher one at the property. Former nights are " +
      "freed and new ones taken at once. A changed stay has a new receipt that names the former " +
      "one (`supersedes`). Of a guest in the house `check_out` and the guest's data change: nights " +
      "before today keep their booked rate, and an earlier departure is possible in any case.",
    body: modificationBody,
    key: "accepted",
    takesIfMatch: true,
    rendersReplica: true,
    success: {
      status: 200,
      description: "The changed booking.",
      data: Modification,
      hasReceipt: true,
    },
    errors: MODIFY_ERRORS,
    handle: modify,
  }),
  route({
    ...AT_BOOKING,
    id: "get_modification_quote",
    method: "POST",
    path: "/v1/bookings/:id/modification-quote",
    summary: "Preview a change of a booking",
    description:
      "Price, terms and refund of a changed stay, or the refusal that the change would get. " +
      "Nothing is changed or reserved.",
    body: modificationQuoteBody,
    success: { status: 200, description: "The change.", data: ModificationQuote },
    errors: MODIFY_ERRORS,
    handle: previewChange,
  }),
];
