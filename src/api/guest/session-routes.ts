/** Links by mail and sessions of guests. A request without proof always gets the same answer. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { type GuestOf, LINK_TTL_MS } from "../../access/control/guest-sessions.ts";
import { action } from "../../actions/next-action.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import type { Call, PublicCall } from "../../http/call.ts";
import { unauthenticatedGuest } from "../../http/guest-admission.ts";
import { type Route, route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { bookingFor, bookingOfLink } from "./proof.ts";
import {
  GuestSessionBody,
  type GuestSessionRequest,
  MagicLinkBody,
  type MagicLinkRequest,
} from "./requests.ts";
import { GuestSessionEnded, GuestSessionOut, MagicLinkAsked } from "./responses.ts";

const ASKING = { name: "guest_links", perMinute: 10 } as const;
const ENTERING = { name: "guest_sessions", perMinute: 10 } as const;
const LEAVING = { name: "guest_deeds", perMinute: 30 } as const;

const ENGLISH = "en";

function askForLink({ context, body }: PublicCall<MagicLinkRequest>): Success {
  context.guests.ask(bookingFor(context, body), body.language ?? ENGLISH, context.now());
  return { ok: true, status: 202, data: { link_expires_in_s: LINK_TTL_MS / 1_000 } };
}

const MISSING = "is missing";
const EXPECTED = "the token of a link, or e-mail address, confirmation code and code of a mail";

function startSession({ context, body }: PublicCall<GuestSessionRequest>): Success | Refusal {
  const { token, email, confirmation_code, code } = body;
  if (token !== undefined) return started(context, context.guests.takeToken(token, context.now()));
  if (email === undefined || confirmation_code === undefined || code === undefined) {
    return invalid([{ path: "/token", message: MISSING, expected: EXPECTED }]);
  }
  const booking_id = bookingFor(context, { email, confirmation_code })?.booking_id ?? "";
  return started(context, context.guests.takeCode(booking_id, code, context.now()));
}

/** One refusal for all that is wrong with a link or a code. */
function started(
  context: PublicCall["context"],
  taken: Pick<GuestOf, "booking_id" | "email_hash"> | null,
): Success | Refusal {
  const of = taken && bookingOfLink(context, taken);
  if (of === null) return unauthenticatedGuest("link_not_valid");
  const { secret, expires_at } = context.guests.open(of, context.now());
  const until = instantIso(expires_at);
  const data = { session_secret: secret, booking_id: of.booking_id, expires_at: until };
  return { ok: true, status: 201, data, actions: [action("get", "GET", "/v1/guest/booking")] };
}

function endSession(call: PublicCall): Success {
  const { context, principal } = call as Call;
  context.guests.end({ id_hash: principal.credential_id });
  return { ok: true, data: { booking_id: principal.agent_id } };
}

const GUEST = { tag: "Guest", access: "public" } as const;

export const guestSessionRoutes: readonly Route[] = [
  route({
    ...GUEST,
    id: "ask_guest_link",
    method: "POST",
    path: "/v1/guest/magic-links",
    summary: "Mail a guest a link to the booking",
    description:
      "If there is a booking with this code whose guest has this e-mail address, a mail with a " +
      "link and a code of six digits goes there. The answer is the same if there is none. A guest " +
      "gets at most five such mails an hour.",
    addressLimit: ASKING,
    body: json(MagicLinkBody),
    readsReplica: true,
    success: { status: 202, description: "Taken.", data: MagicLinkAsked },
    errors: ["upstream_unavailable"],
    handle: askForLink,
  }),
  route({
    ...GUEST,
    id: "start_guest_session",
    method: "POST",
    path: "/v1/guest/sessions",
    summary: "Start a guest's session",
    description:
      "With the token of the link (the part after `t=`), or with e-mail address, confirmation " +
      "code and the six digits of the newest mail, of which five wrong ones are taken. A link is " +
      "good for 15 minutes and one use, and for another minute after it. The session is of that " +
      "one booking and lasts 30 minutes; it ends at once when the guest's data is erased or the " +
      "guest gets another address.",
    addressLimit: ENTERING,
    body: json(GuestSessionBody),
    readsReplica: true,
    success: { status: 201, description: "The session.", data: GuestSessionOut },
    errors: ["unauthenticated", "upstream_unavailable"],
    handle: startSession,
  }),
  route({
    ...GUEST,
    id: "end_guest_session",
    method: "DELETE",
    path: "/v1/guest/session",
    summary: "End a guest's session",
    description: "The secret is good for nothing afterwards.",
    isForGuests: true,
    addressLimit: LEAVING,
    success: { status: 200, description: "Ended.", data: GuestSessionEnded },
    errors: ["upstream_unavailable"],
    handle: endSession,
  }),
];
