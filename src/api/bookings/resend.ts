/**
 * `POST /v1/admin/bookings/{id}/resend-confirmation`: sends the guest's last mail again. Unlike the
 * first mail it is sent while the caller waits, so that the answer has the mail server's result.
 */
import type { Booking } from "../../../engine/core/records.ts";
import { COPIES_MAX, COPIES_WINDOW_MS } from "../../../jobs/mail/mail-store.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { type ControlOutcome, keyedEffect } from "../../http/control-write.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { BOOKING_ID } from "../parameters.ts";
import { bookingOf } from "../visible.ts";
import { bookingActions } from "./actions.ts";
import { SentNotification } from "./responses.ts";
import { withRemaining } from "./views.ts";

/** Timeout of the mail server. */
const SEND_MS_MAX = 10_000;
/** Characters of the key in the message id, to distinguish copies. */
const COPY_CHARS = 16;

/** Sends a copy, up to the hourly limit of the booking. */
async function limited(call: Call, booking: Booking): Promise<Success | Refusal> {
  const { mails, engineNow } = call.context;
  const taken = mails.takeCopy(booking.booking_id, Math.floor(engineNow()));
  if (!taken.ok) {
    const window_s = COPIES_WINDOW_MS / 1_000;
    const detail = { policy: "resend_confirmation", limit: COPIES_MAX, window_s };
    return refuse("rate_limited", detail, { retry_after: Math.ceil(taken.retryInMs / 1_000) });
  }
  const outcome = await sent(call, booking);
  // After a timeout the mail server may have the mail.
  if (!outcome.ok && outcome.detail?.reason !== "timeout") mails.giveBackCopy(taken.id);
  return outcome;
}

async function sent(call: Call, booking: Booking): Promise<Success | Refusal> {
  const { mailWriter, engineNow } = call.context;
  const { booking_id, cancellation, history } = booking;
  const changed = history.some(({ type }) => type === "booking.modified");
  const confirmed = changed ? "modification" : "confirmation";
  const kind = cancellation ? "cancellation" : confirmed;
  // The same key makes the same message id.
  const message_id = mailWriter.messageIdOf(
    booking,
    kind,
    commandMeta(call).key!.slice(0, COPY_CHARS),
  );
  const mail = { kind, message_id, dateMs: engineNow() } as const;
  const posted = await mailWriter.post(booking, mail, AbortSignal.timeout(SEND_MS_MAX));
  if (!posted.ok) {
    const { reason, status } = posted;
    if (reason === "property_unknown")
      return refuse("upstream_unavailable", { upstream: "replica" });
    return refuse("notification_delivery_failed", { booking_id, reason, status });
  }
  const { via } = mailWriter.mailerOf(booking.mode);
  const data = { booking_id, notification: kind, message_id, via };
  const { context, principal, may } = call;
  const step = withRemaining(context, booking);
  return { ok: true, data, actions: bookingActions(step, context.timeIn(principal), may) };
}

/** Sends the last mail of the booking of the path again. */
export async function resend(call: Call<unknown, "id">): Promise<ControlOutcome> {
  const booking = bookingOf(call, call.params.id);
  return "code" in booking ? booking : keyedEffect(call, () => limited(call, booking));
}

export const resendRoutes = [
  route({
    id: "resend_confirmation",
    tag: "Bookings",
    method: "POST",
    path: "/v1/admin/bookings/:id/resend-confirmation",
    summary: "Resend the confirmation",
    description:
      "Sends the confirmation of a booking again, to the guest's address; for a cancelled " +
      "booking, that of its cancellation. The booking does not change, even if the mail fails. " +
      `At most ${COPIES_MAX} per booking and hour, then 429 \`rate_limited\` with the policy ` +
      "`resend_confirmation`.",
    access: { kinds: ["operator"], scope: "admin:bookings", touches: "properties" },
    params: { id: BOOKING_ID },
    key: "accepted",
    body: json(EmptyBody),
    isBodyOptional: true,
    readsReplica: true,
    success: { status: 200, description: "The sent mail.", data: SentNotification },
    errors: ["booking_not_found", "notification_delivery_failed", "upstream_unavailable"],
    handle: resend,
  }),
];
