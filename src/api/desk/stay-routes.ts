/**
 * A property's writes to its own bookings: cancel, check in, undo that, no-show, check out.
 * Unlike agents, the property needs no traveler's consent; the operator is named in the audit.
 */
import type { Refusal, Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { encryptedNote } from "../bookings/personal-fields.ts";
import { CANCELLED, CHECK_IN_UNDONE, CHECKED_IN, COMPLETED, NO_SHOW } from "../bookings/render.ts";
import { DeskCancelBody, type DeskCancelRequest } from "../bookings/requests.ts";
import {
  Cancellation,
  CheckedIn,
  CheckInUndone,
  CompletedStay,
  NoShow,
} from "../bookings/responses.ts";
import { BOOKING_ID } from "../parameters.ts";
import { bookingOf } from "../visible.ts";

type AtBooking<B = unknown> = Call<B, "id">;

async function cancel(call: AtBooking<DeskCancelRequest>): Promise<Success | Refusal> {
  const { body, context, params } = call;
  const command = {
    ...commandMeta(call),
    type: "CancelAtDesk" as const,
    booking_id: params.id,
    waives_fee: body.waive_fee ?? false,
    ...encryptedNote(context, body.reason, () => bookingOf(call, params.id)),
  };
  return execute(call, command, CANCELLED);
}

function checkIn(call: AtBooking): Promise<Success | Refusal> {
  const { id: booking_id } = call.params;
  return execute(call, { ...commandMeta(call), type: "CheckInGuest", booking_id }, CHECKED_IN);
}

function undoCheckIn(call: AtBooking): Promise<Success | Refusal> {
  const { id: booking_id } = call.params;
  return execute(call, { ...commandMeta(call), type: "UndoCheckIn", booking_id }, CHECK_IN_UNDONE);
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
      "The fee comes from the policy frozen with the booking; `waive_fee` refunds everything " +
      "that was paid. No delegation token is needed; the audit names the operator. The `reason` " +
      "is stored encrypted, for the property's own records. The room is on sale again at once, " +
      "the guest gets a mail, and the answer has the receipt of a cancellation.",
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
      "From the check-in day on, in the property's time zone; earlier calls are refused with " +
      "`conflict`, reason `too_early` and `from`. The booking can no longer be cancelled. Until " +
      "`undo_until` the check-in can be undone.",
    success: { status: 200, description: "The booking is checked in.", data: CheckedIn },
    handle: checkIn,
  }),
  route({
    ...AT_BOOKING,
    ...NO_WORDS,
    id: "admin_undo_check_in",
    path: "/v1/admin/bookings/:id/undo-check-in",
    summary: "Undo a check-in",
    description:
      "Until the day of the check-in ends at the property; later calls are refused with " +
      "`conflict`, reason `too_late` and `until`. The booking is `confirmed` again: it can be " +
      "cancelled, changed, checked in or recorded as a no-show by its terms. A booking with 100 " +
      "changes is refused with reason `change_limit`.",
    success: { status: 200, description: "The booking is confirmed again.", data: CheckInUndone },
    handle: undoCheckIn,
  }),
  route({
    ...AT_BOOKING,
    ...NO_WORDS,
    id: "admin_no_show",
    path: "/v1/admin/bookings/:id/no-show",
    summary: "Record a no-show",
    description:
      "From the check-in time on (`policy_snapshot.anchor`). The fee is that of `no_show` in the " +
      "policy frozen with the booking; the rest is refunded as after a cancellation. Tonight and " +
      "later nights are on sale again at once.",
    success: { status: 200, description: "Fee, refund and nights.", data: NoShow },
    handle: noShow,
  }),
  route({
    ...AT_BOOKING,
    ...NO_WORDS,
    id: "admin_complete_booking",
    path: "/v1/admin/bookings/:id/complete",
    summary: "Check a guest out",
    description:
      "For a guest who is checked in. Unused nights from tonight on are on sale again at once; " +
      "they are not refunded.",
    success: { status: 200, description: "The stay is over.", data: CompletedStay },
    handle: complete,
  }),
];
