/** Finds bookings: at the desk by many criteria, for agents by code or hold. */
import { Type } from "@sinclair/typebox";
import type { Booking } from "../../../engine/core/records.ts";
import { requireScope } from "../../access/control/principal.ts";
import { invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { AS_TABLE, FORMAT } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { listOf } from "../../http/schema/answer-parts.ts";
import { describedAs, text } from "../../http/schema/request-parts.ts";
import { nextTurnEach } from "../../lib/run-in-slices.ts";
import { bookingActions } from "../bookings/actions.ts";
import { ownBookings } from "../bookings/own-bookings.ts";
import { FoundBooking } from "../bookings/responses.ts";
import { bookingDetail, withRemaining } from "../bookings/views.ts";
import { BOOKERS } from "../callers.ts";
import { instantParameter, wordParameter } from "../parameters.ts";
import { HOLD_ARGUMENT } from "../tool-arguments.ts";
import { bookingIdsOf, bookingOf } from "../visible.ts";
import { deskBooking, READS_GUESTS } from "./booking-views.ts";
import {
  BOOKING_STATES,
  BOOKINGS_QUERY,
  bookingOfHold,
  bookingsAsked,
  CONFIRMATION_CODE,
  codeFrom,
  HOLD_ID,
} from "./parameters.ts";
import { DeskBookings } from "./responses.ts";

/** More than any property has in a day. */
const BOOKINGS_MAX = 10_000;

async function list(call: Call): Promise<Success | Refusal> {
  const unseen = call.query.has("guest") ? requireScope(call.principal, READS_GUESTS) : null;
  if (unseen) return refuse(unseen.code, unseen.detail);
  const asked = bookingsAsked(call);
  if (asked === null) return { ok: true, data: { items: [] } };
  if ("code" in asked) return asked;
  const ids = bookingIdsOf(call, asked, BOOKINGS_MAX + 1);
  if (ids.length > BOOKINGS_MAX) {
    const expected = `dates, a property or a state that match at most ${BOOKINGS_MAX} bookings`;
    return invalid([{ path: "?property_id", message: "matches too many bookings", expected }]);
  }
  const items = [];
  for await (const id of nextTurnEach(ids)) {
    const booking = bookingOf(call, id);
    if (!("code" in booking)) items.push(deskBooking(call, booking));
  }
  return { ok: true, data: { items } };
}

function find(call: Call): Success | Promise<Success | Refusal> {
  const { query, context, principal, may } = call;
  const code = query.get("confirmation_code");
  const hold_id = query.get("hold_id");
  if (code === undefined && hold_id === undefined) return ownBookings(call);
  const ofHold = hold_id === undefined ? undefined : bookingOfHold(call, hold_id);
  const asked = {
    ...(code !== undefined && { confirmation_code: codeFrom(code) }),
    ...(ofHold && { booking_id: ofHold }),
  };
  const ids = ofHold === null ? [] : bookingIdsOf(call, asked, 1);
  const seen = ids.map((id) => bookingOf(call, id)).filter((each) => !("code" in each));
  const [first] = seen as Booking[];
  const items = first ? [bookingDetail(context, first)] : [];
  const actions = first
    ? bookingActions(withRemaining(context, first), context.timeIn(principal), may)
    : [];
  return { ok: true, data: { items }, actions };
}

export const deskBookingRoutes = [
  route({
    id: "find_bookings",
    tag: "Bookings",
    method: "GET",
    path: "/v1/bookings",
    summary: "List your bookings, or find one",
    description:
      "Without `confirmation_code` and `hold_id` all bookings of the credential's own agent, " +
      "newest first, without personal data; filter by `state` and time of creation. With a code " +
      "or a hold that one booking, complete; with both, both must match. Bookings that the " +
      "caller may not see are not found: the list is empty.",
    access: { kinds: BOOKERS, scope: "bookings:read", touches: "properties" },
    query: {
      confirmation_code: CONFIRMATION_CODE,
      hold_id: HOLD_ID,
      state: wordParameter(BOOKING_STATES, "Of the list: only bookings in this state."),
      created_from: instantParameter("Of the list: bookings made at this instant or later."),
      created_to: instantParameter("Of the list: bookings made at this instant or earlier."),
    },
    readsReplica: true,
    success: {
      status: 200,
      description: "The bookings, or an empty list.",
      data: listOf(FoundBooking),
    },
    errors: [],
    tool: {
      title: "Find bookings",
      description:
        "Finds a booking by the traveler's code or its hold; without both, lists all of yours.",
      tags: ["booking"],
      nextRel: "get",
      queryArguments: {
        confirmation_code: Type.Optional(describedAs(text(1, 32), "the traveler's code")),
        hold_id: Type.Optional(HOLD_ARGUMENT),
      },
      example: { confirmation_code: "K7QW2MXP" },
    },
    handle: find,
  }),
  route({
    id: "admin_list_bookings",
    tag: "Desk",
    method: "GET",
    path: "/v1/admin/bookings",
    summary: "Find bookings at the desk",
    description:
      "Bookings that match all criteria, newest first, with the guest and the amount due. " +
      "Without the scope `bookings:read` the personal fields are null and a search by `guest` is " +
      "`forbidden`. A range has at most 366 days. The list is complete; a search with more than " +
      `${BOOKINGS_MAX} matches is refused. Guests are found by keyed hashes; the index contains ` +
      "no names or addresses.",
    access: { kinds: ["operator"], scope: "admin:bookings", touches: "properties" },
    query: { ...BOOKINGS_QUERY, format: FORMAT },
    readsReplica: true,
    renderer: "table",
    success: {
      status: 200,
      description: "The bookings.",
      data: DeskBookings,
      alternatives: AS_TABLE,
    },
    errors: ["property_not_found", "resource_access_denied"],
    handle: list,
  }),
];
