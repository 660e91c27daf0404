/**
 * The booking of a guest's session: read, cancelled, changed, confirmed again. The session is the
 * guest's consent, so no delegation token is needed; the engine knows the guest as the actor.
 */
import type { Booking } from "../../../engine/core/records.ts";
import { isSealed } from "../../../engine/core/refusals.ts";
import { offeredKey } from "../../actions/call-parts.ts";
import { action, type NextAction, permitted } from "../../actions/next-action.ts";
import { GET_GUEST_BOOKING, GET_GUEST_CANCELLATION_QUOTE } from "../../actions/steps.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import { type Call, commandMeta, type PublicCall } from "../../http/call.ts";
import { execute } from "../../http/execute.ts";
import { type Route, route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { MODIFY_ERRORS, modify, previewChange } from "../bookings/modify-routes.ts";
import { cancellationQuoteAt } from "../bookings/read-routes.ts";
import { CANCELLED } from "../bookings/render.ts";
import { resend } from "../bookings/resend.ts";
import { Cancellation, CancellationQuote, SentNotification } from "../bookings/responses.ts";
import { withRemaining } from "../bookings/views.ts";
import { bookingOf } from "../visible.ts";
import {
  GuestCancelBody,
  type GuestCancelRequest,
  type GuestChange,
  guestChangeBody,
  guestChangeQuoteBody,
} from "./requests.ts";
import {
  GuestBooking,
  GuestModification,
  GuestModificationQuote,
  GuestReceipts,
} from "./responses.ts";
import { BOOKING_PATH, guestActions, guestBooking } from "./views.ts";

/** The guest's call, as a call of the booking by its id. */
type AtOwn<B> = Call<B, "id">;

/** The handler of a guest's route: with the session's booking, and ways on that a guest may go. */
function own<B>(
  work: (call: AtOwn<B>, booking: Booking) => Promise<Success | Refusal> | Success | Refusal,
) {
  return async (asked: PublicCall<B>): Promise<Success | Refusal> => {
    const guest = asked as Call<B>;
    const call = { ...guest, params: { id: guest.principal.agent_id } } as AtOwn<B>;
    const booking = bookingOf(call, call.params.id);
    if ("code" in booking) return booking;
    const answer = await work(call, booking);
    if (answer.ok || !isSealed(answer.code)) return answer;
    const isOther = answer.detail?.reason === "refund_changed";
    const recovery = [isOther ? GET_GUEST_CANCELLATION_QUOTE : GET_GUEST_BOOKING];
    return { ...answer, recovery };
  };
}

function show(call: AtOwn<unknown>, booking: Booking): Success {
  const data = guestBooking(call, booking);
  return { ok: true, data, actions: guestActions(call, booking) };
}

function receipts(call: AtOwn<unknown>, booking: Booking): Success {
  return { ok: true, data: { items: booking.receipts }, actions: guestActions(call, booking) };
}

function quoteCancellation(call: AtOwn<unknown>, booking: Booking): Success {
  const { context, principal } = call;
  const step = withRemaining(context, booking);
  const data = cancellationQuoteAt(step, context.timeIn(principal));
  return { ok: true, data, actions: guestActions(call, booking) };
}

async function cancel(call: AtOwn<GuestCancelRequest>): Promise<Success | Refusal> {
  const { expected_refund } = call.body;
  const { id: booking_id } = call.params;
  const asked = { booking_id, expected_refund };
  const command = { ...commandMeta(call), type: "CancelByGuest" as const, ...asked };
  return withReads(call, await execute(call, command, CANCELLED));
}

async function change(call: AtOwn<GuestChange>): Promise<Success | Refusal> {
  const answer = await modify(call);
  if (!answer.ok) return answer;
  const { difference: _d, refund: _r, seq: _s, ...data } = answer.data;
  return withReads(call, { ...answer, data });
}

function quoteChange(call: AtOwn<GuestChange>): Success | Refusal {
  const answer = previewChange(call);
  if (!answer.ok) return answer;
  const { difference: _d, refund: _r, ...data } = answer.data;
  const { booking_id, version } = data as { readonly booking_id: string; readonly version: number };
  const { idempotency_key: _, ...asked } = call.body;
  const body_hint = { ...asked, idempotency_key: offeredKey("guest-modify", booking_id, version) };
  const confirm = action("confirm", "PATCH", BOOKING_PATH, { body_hint });
  return withReads(call, { ...answer, data }, [confirm]);
}

async function sendAgain(call: AtOwn<unknown>): Promise<Success | Refusal> {
  return withReads(call, await resend(call));
}

/** The answer with the ways on of a guest. */
function withReads(
  { may }: Pick<Call, "may">,
  answer: Success | Refusal,
  first: NextAction[] = [],
): Success | Refusal {
  const read = action("get", "GET", BOOKING_PATH);
  return answer.ok ? { ...answer, actions: permitted([...first, read], may) } : answer;
}

const LOOKS = { name: "guest", perMinute: 120 } as const;
const DEEDS = { name: "guest_deeds", perMinute: 30 } as const;

const AT_BOOKING = {
  tag: "Guest",
  access: "public",
  isForGuests: true,
  readsReplica: true,
} as const;
const READ = { ...AT_BOOKING, method: "GET", addressLimit: LOOKS } as const;
const DEED = { ...AT_BOOKING, key: "accepted", addressLimit: DEEDS } as const;
const NOT_FOUND = ["booking_not_found", "upstream_unavailable"] as const;

export const guestRoutes: readonly Route[] = [
  route({
    ...READ,
    id: "get_guest_booking",
    path: BOOKING_PATH,
    summary: "Get the guest's booking",
    description: "The one booking of the session, with hotel, price, terms and guest.",
    success: { status: 200, description: "The booking.", data: GuestBooking },
    errors: NOT_FOUND,
    handle: own(show),
  }),
  route({
    ...READ,
    id: "get_guest_receipts",
    path: `${BOOKING_PATH}/receipts`,
    summary: "Get the guest's receipts",
    description: "Signed proofs of the booking and its changes; anyone can verify them.",
    success: { status: 200, description: "The receipts.", data: GuestReceipts },
    errors: NOT_FOUND,
    handle: own(receipts),
  }),
  route({
    ...READ,
    id: "get_guest_cancellation_quote",
    path: `${BOOKING_PATH}/cancellation-quote`,
    summary: "Preview the guest's cancellation",
    description: "Fee and refund now, by the terms frozen with the booking.",
    success: { status: 200, description: "Fee and refund.", data: CancellationQuote },
    errors: NOT_FOUND,
    handle: own(quoteCancellation),
  }),
  route({
    ...DEED,
    id: "cancel_guest_booking",
    method: "POST",
    path: `${BOOKING_PATH}/cancel`,
    summary: "Cancel the guest's booking",
    description:
      "For the refund that the guest was shown. If a cut-off has passed meanwhile, nothing is " +
      "cancelled: `conflict` with the reason `refund_changed` has the present amounts.",
    body: json(GuestCancelBody),
    success: {
      status: 200,
      description: "The cancellation, with its receipt.",
      data: Cancellation,
      hasReceipt: true,
    },
    errors: [...NOT_FOUND, "booking_not_cancellable", "conflict"],
    handle: own(cancel),
  }),
  route({
    ...DEED,
    id: "modify_guest_booking",
    method: "PATCH",
    path: BOOKING_PATH,
    summary: "Change the guest's booking",
    description:
      "Dates, or the guest's data; absent members stay unchanged. New dates need as many nights " +
      "and the same total, before `modification.allowed_until` of the terms. The e-mail address " +
      "is the proof of who the guest is: only the property changes it.",
    body: guestChangeBody,
    takesIfMatch: true,
    rendersReplica: true,
    success: {
      status: 200,
      description: "The changed booking.",
      data: GuestModification,
      hasReceipt: true,
    },
    errors: MODIFY_ERRORS,
    handle: own(change),
  }),
  route({
    ...AT_BOOKING,
    id: "get_guest_modification_quote",
    method: "POST",
    path: `${BOOKING_PATH}/modification-quote`,
    addressLimit: DEEDS,
    summary: "Preview a change of the guest's booking",
    description: "Price and terms of other dates, or the refusal that the change would get.",
    body: guestChangeQuoteBody,
    success: { status: 200, description: "The change.", data: GuestModificationQuote },
    errors: MODIFY_ERRORS,
    handle: own(quoteChange),
  }),
  route({
    ...DEED,
    id: "resend_guest_confirmation",
    method: "POST",
    path: `${BOOKING_PATH}/resend-confirmation`,
    summary: "Send the guest's confirmation again",
    description: "To the guest's own address; at most as often as for operators.",
    body: json(EmptyBody),
    isBodyOptional: true,
    success: { status: 200, description: "The sent mail.", data: SentNotification },
    errors: [...NOT_FOUND, "notification_delivery_failed"],
    handle: own(sendAgain),
  }),
];
