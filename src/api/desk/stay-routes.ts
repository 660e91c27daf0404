/**
 * What a property does with its own bookings (domain §1): cancel, check in, note that nobody came,
 * see off. The traveler's consent binds agents; whoever runs the house needs none, and is named in
 * the audit.
 */
import type { Refusal, Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { BOOKING_ID } from "../bookings/parameters.ts";
import { CANCELLED, CHECKED_IN, COMPLETED, NO_SHOW } from "../bookings/render.ts";
import { DeskCancelBody, type DeskCancelRequest } from "../bookings/requests.ts";
import { Cancellation, CheckedIn, CompletedStay, NoShow } from "../bookings/responses.ts";
import { encryptNote } from "../bookings/traveler.ts";
import { bookingOf } from "../visible.ts";

type AtBooking<B = unknown> = Call<B, "id">;

async function cancel(call: AtBooking<DeskCancelRequest>): Promise<Success | Refusal> {
  const { body, context, params } = call;
  // What the caller may not see is the engine's to refuse; the reason is only encrypted here.
  const booking = bookingOf(call, params.id);
  const encrypted = "code" in booking ? null : encryptNote(context, booking, body.reason);
  const command = {
    ...commandMeta(call),
    type: "CancelAtDesk" as const,
    booking_id: params.id,
    waives_fee: body.waive_fee ?? false,
    ...(encrypted ? { encrypted } : {}),
  };
  return execute(call, command, CANCELLED);
}

function checkIn(call: AtBooking): Promise<Success | Refusal> {
  const { id: booking_id } = call.params;
  return execute(call, { ...commandMeta(call), type: "CheckInGuest", booking_id }, CHECKED_IN);
}

function noShow(call: AtBooking): Promise<Success | Refusal> {
  const { id: booking_id } = call.params;
  return execute(call, { ...commandMeta(call), type: "RecordNoShow", booking_id }, NO_SHOW);
}

function complete(call: AtBooking): Promise<Success | Refusal> {
  const { id: booking_id } = call.params;
  return execute(call, { ...commandMeta(call), type: "CompleteStay", booking_id }, COMPLETED);
}

const AT_BOOKING = {
  tag: "Desk",
  method: "POST",
  access: { kinds: ["operator"], scope: "admin:bookings", touches: "properties" },
  params: { id: BOOKING_ID },
  key: "accepted",
} as const;

const NO_WORDS = {
  body: json(EmptyBody),
  isBodyOptional: true,
  errors: ["booking_not_found", "conflict"],
} as const;

export const stayRoutes = [
  route({
    ...AT_BOOKING,
    id: "admin_cancel_booking",
    path: "/v1/admin/bookings/:id/cancel",
    summary: "Cancel a booking for the property",
    description:
      "The fee comes from the policy frozen with the booking; `waive_fee` gives back all that was " +
      "paid. No delegation token: the property acts for itself, and the audit names who did. The " +
      "`reason` is stored encrypted, for the property's own records. The room is on sale again at " +
      "once, the guest is written to, and the receipt is that of every cancellation.",
    body: json(DeskCancelBody),
    success: {
      status: 200,
      description: "The cancellation, with its receipt.",
      data: Cancellation,
      hasReceipt: true,
    },
    errors: ["booking_not_found", "booking_not_cancellable"],
    handle: cancel,
  }),
  route({
    ...AT_BOOKING,
    ...NO_WORDS,
    id: "admin_check_in",
    path: "/v1/admin/bookings/:id/check-in",
    summary: "Check a guest in",
    description:
      "From the check-in day on, in the property's own zone; before it is `conflict` with reason " +
      "`too_early` and `from`. The booking can no longer be cancelled.",
    success: { status: 200, description: "The booking is checked in.", data: CheckedIn },
    handle: checkIn,
  }),
  route({
    ...AT_BOOKING,
    ...NO_WORDS,
    id: "admin_no_show",
    path: "/v1/admin/bookings/:id/no-show",
    summary: "Note that a guest never came",
    description:
      "From the check-in time on (`policy_snapshot.anchor`). The fee is that of `no_show` in the " +
      "policy frozen with the booking; what was paid beyond it goes back as after a cancellation. " +
      "Tonight and the nights after it are on sale again at once.",
    success: { status: 200, description: "Fee, refund and nights.", data: NoShow },
    handle: noShow,
  }),
  route({
    ...AT_BOOKING,
    ...NO_WORDS,
    id: "admin_complete_booking",
    path: "/v1/admin/bookings/:id/complete",
    summary: "See a guest off",
    description:
      "For a guest who is checked in. Nights that were not slept, tonight the first of them, are " +
      "on sale again at once; nothing is paid back for them.",
    success: { status: 200, description: "The stay is over.", data: CompletedStay },
    handle: complete,
  }),
];
