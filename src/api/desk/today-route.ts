/** `GET /v1/admin/desk/today`: the day of a front desk in one read. */
import { dateOf } from "../../../engine/core/calendar.ts";
import { action, type Offer, offered } from "../../actions/next-action.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { nextTurnEach } from "../../lib/run-in-slices.ts";
import { numberParameter } from "../parameters.ts";
import { askedProperty, bookingOf, propertiesOf, staysOf } from "../visible.ts";
import { deskBooking } from "./booking-views.ts";
import { admin, DESK_READ } from "./lists.ts";
import { COUNTED_MAX, needsOf, needsOffers } from "./needs.ts";
import { PROPERTY } from "./parameters.ts";
import { DeskToday } from "./responses.ts";
import {
  type DayLists,
  type DueStay,
  dayLists,
  daysOf,
  LATE_DAYS_MAX,
  todaysAt,
  tonightAt,
} from "./today.ts";

const LIMIT = 100;
const LIMIT_MAX = 500;
const BOOKINGS = "/v1/admin/bookings";

async function show(call: Call): Promise<Success | Refusal> {
  const property = askedProperty(call);
  if (property && "code" in property) return property;
  const property_id = property?.tree.id ?? null;
  const properties = property ? [property] : propertiesOf(call);
  const todays = todaysAt(properties, call.context.timeIn(call.principal));
  const days = [...new Set([...todays.values()].map(({ day }) => day))];
  const lists = dayLists(todays, staysFor(call, days, property_id));
  const limit = Number(call.query.get("limit") ?? LIMIT);
  const needs = await needsOf(call, property);
  const data = {
    property_id,
    days: daysOf(properties, todays),
    arrivals: await listed(call, lists.arrivals, limit),
    in_house: await listed(call, lists.in_house, limit),
    departures: await listed(call, lists.departures, limit),
    ...(await tonightAt(properties, todays)),
    needs,
  };
  const offers = [...needsOffers(needs, property), ...restOffers(lists, days, limit, property_id)];
  return { ok: true, data, actions: offered(offers, call.may) };
}

/** The stays that the lists are made of, for all of these days at once. */
function staysFor(call: Call, days: readonly number[], property_id: string | null) {
  if (days.length === 0) return { confirmed: [], checkedIn: [] };
  const there = property_id === null ? {} : { property_id };
  const [from, to] = expectedWithin(days);
  const check_out = [dateOf(Math.min(...days)), "9999-12-31"] as const;
  return {
    confirmed: staysOf(call, { ...there, state: "confirmed", check_in: [from, to], check_out }),
    // By the state alone: guests in the house are few, and who is overdue is never left out.
    checkedIn: staysOf(call, { ...there, state: "checked_in" }),
  };
}

/** The check-in dates of the guests who are expected on these days. */
function expectedWithin(days: readonly number[]): readonly [from: string, to: string] {
  return [dateOf(Math.min(...days) - LATE_DAYS_MAX), dateOf(Math.max(...days))];
}

async function listed(call: Call, stays: readonly DueStay[], limit: number) {
  const items = [];
  for await (const { booking_id, is_late } of nextTurnEach(stays.slice(0, limit))) {
    const booking = bookingOf(call, booking_id);
    if ("code" in booking) continue;
    items.push({ ...deskBooking(call, booking), ...(is_late !== undefined && { is_late }) });
  }
  return { total: stays.length, items };
}

/** Lists with the bookings that did not fit. */
function restOffers(
  { arrivals, in_house, departures }: DayLists,
  days: readonly number[],
  limit: number,
  property_id: string | null,
): Offer[] {
  const there = property_id === null ? "" : `&property_id=${property_id}`;
  const list = (query: string): Offer => {
    return ["admin_list_bookings", action("get", "GET", `${BOOKINGS}?${query}${there}`)];
  };
  const offers: Offer[] = [];
  if (arrivals.length > limit) {
    const [from, to] = expectedWithin(days);
    offers.push(list(`state=confirmed&check_in_from=${from}&check_in_to=${to}`));
  }
  if (in_house.length > limit || departures.length > limit) offers.push(list("state=checked_in"));
  return offers;
}

export const todayRoutes = [
  route({
    ...DESK_READ,
    id: "admin_desk_today",
    path: "/v1/admin/desk/today",
    summary: "Read the desk's day",
    description:
      "Who arrives, is in the house and leaves today, by each property's own date; the rooms of " +
      "tonight; and the work that waits for an operator. `is_late` marks what was due before " +
      `today: arrivals of the last ${LATE_DAYS_MAX} days whose stay has not ended, and every ` +
      "departure. Each list has at most `limit` items, by property, and its exact `total`. " +
      "Without the scope `bookings:read` the personal fields are null. A number in `needs` is " +
      `null without the scope of its list, and counts to ${COUNTED_MAX}.`,
    access: admin("bookings"),
    query: {
      property_id: PROPERTY,
      limit: numberParameter(1, LIMIT_MAX, `Items per list; ${LIMIT} by default.`),
    },
    success: { status: 200, description: "The day.", data: DeskToday },
    errors: ["property_not_found", "resource_access_denied"],
    handle: show,
  }),
];
