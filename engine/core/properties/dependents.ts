/**
 * What depends on a room type or rate plan: open holds, and bookings with nights to come
 * (`soldNights`, in any state). While something does, it cannot be removed from the tree or sold in
 * another currency.
 */
import { dateOf, todayIn } from "../calendar.ts";
import type { Context } from "../decision.ts";
import type { Rejection } from "../outcomes.ts";
import type { FrozenQuote } from "../price/quote.ts";
import { type Booking, type Hold, isDue, soldNights } from "../records.ts";
import { windowEnd } from "../state/nights.ts";
import type { RoomState } from "../state/room-state.ts";
import type { PropertyEntry } from "../state/state.ts";
import type { AriUpdate, PropertyTree, RoomType } from "../supply.ts";

const NAMED_MAX = 20;

/** A room type from which something is removed: all of it, or some of its rate plans. */
interface Removal {
  readonly roomType: RoomType;
  readonly isWhole: boolean;
  readonly planIds: ReadonlySet<string>;
}

function goingOf(before: PropertyTree, after: PropertyTree): Removal[] {
  const later = new Map(after.room_types.map((room) => [room.id, room]));
  return before.room_types.flatMap((roomType) => {
    const room = later.get(roomType.id);
    const currencies = new Map(room?.rate_plans.map(({ id, currency }) => [id, currency]));
    const plans = roomType.rate_plans.filter(({ id, currency }) => currencies.get(id) !== currency);
    if (room !== undefined && plans.length === 0) return [];
    const planIds = new Set(plans.map(({ id }) => id));
    return [{ roomType, isWhole: room === undefined, planIds }];
  });
}

/**
 * Whether a unit is held or sold on any night from `today` on, also beyond the window: stays can
 * lie there after the clock was set back.
 */
function isTaken({ sold, held }: RoomState, today: number): boolean {
  const isLater = ([day, units]: [number, number]) => day >= today && units > 0;
  return sold.entries().some(isLater) || held.entries().some(isLater);
}

/**
 * The refusal to change the property to `after`, with the dependents of what would be removed; null
 * when there are none. Reads bookings only of room types with a unit taken, so that unsold ones can
 * be removed at once.
 */
export function inUse(
  property: PropertyEntry,
  after: PropertyTree,
  ctx: Context,
): Rejection | null {
  const { tree } = property;
  const going = new Map(goingOf(tree, after).map((each) => [each.roomType.id, each]));
  if (going.size === 0) return null;
  const today = todayIn(tree.timezone, ctx.now);
  const end = windowEnd(ctx.state.baseDay);
  const isFor = ({ tenant_id, mode, property_id, room_type_id, rate_plan_id }: FrozenQuote) => {
    const isHere = property_id === tree.id && tenant_id === property.tenant_id;
    const plans = going.get(room_type_id)?.planIds;
    return isHere && mode === property.mode && plans?.has(rate_plan_id) === true;
  };
  const isOpen = (hold: Hold) => !isDue(hold, ctx.now) && isFor(hold.quote);
  const holds = [...ctx.state.holds.values()].filter(isOpen);
  // Nights that were forgotten and came again have no counts: only the bookings tell.
  const isCountless = today < ctx.state.forgottenDay;
  const isStaying = (booking: Booking) => {
    const { from, end } = soldNights(booking);
    return Math.max(from, today) < end && isFor(booking.quote);
  };
  const bookings = [...going.keys()].flatMap((id) => {
    const room = property.rooms.get(id);
    const mayHave = room !== undefined && (isCountless || isTaken(room, today));
    return mayHave ? ctx.records.soldBookings(id).filter(isStaying) : [];
  });
  if (holds.length + bookings.length === 0) return null;
  const quotes = [...holds, ...bookings].map(({ quote }) => quote);
  const planIds = [...new Set(quotes.map(({ rate_plan_id }) => rate_plan_id))];
  const roomIds = [...new Set(quotes.map(({ room_type_id }) => room_type_id))];
  return {
    code: "conflict",
    detail: {
      reason: "in_use",
      property_id: tree.id,
      room_type_ids: roomIds.filter((id) => going.get(id)?.isWhole),
      rate_plan_ids: planIds,
      ...{ hold_count: holds.length, booking_count: bookings.length },
      hold_ids: holds.slice(0, NAMED_MAX).map(({ hold_id }) => hold_id),
      booking_ids: bookings.slice(0, NAMED_MAX).map(({ booking_id }) => booking_id),
    },
    hints: { property_id: tree.id, mending: { ari: stopSell(quotes, today, end) } },
  };
}

/** Stops the sale, so that it can be removed when its dependents have ended. */
function stopSell(quotes: readonly FrozenQuote[], today: number, end: number): AriUpdate {
  const range = { from: dateOf(today), to: dateOf(end - 1), stop_sell: true };
  const plans = new Map(quotes.map((quote) => [quote.rate_plan_id, quote.room_type_id]));
  const restrictions = [...plans].map(([rate_plan_id, room_type_id]) => {
    return { room_type_id, rate_plan_id, ...range };
  });
  return { restrictions };
}
