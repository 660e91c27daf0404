/**
 * Changes of a booking: stay, party, room, plan, or the guest's data; of a guest in the house only
 * the departure. Old nights are freed and new ones taken in one event, so there is never a moment
 * with both or with none.
 */
import { assert } from "../assert.ts";
import {
  ceilingsAgainst,
  restrictionsAgainst,
  unitsAgainst,
} from "../availability/availability.ts";
import { dateOf, dayOf, instantIso } from "../calendar.ts";
import type { StayChange } from "../change-terms.ts";
import type { ModifyBooking } from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import { notAvailable, queryOf } from "../holds/hold.ts";
import type { Receipt, Rejection } from "../outcomes.ts";
import type { FrozenQuote, Party } from "../price/quote.ts";
import { checkInDayOf, nightCountOf } from "../price/quote-codec.ts";
import type { Booking, BookingState, RecordReader } from "../records.ts";
import { ceilingApplies } from "../state/room-state.ts";
import { findOffer, type Offer } from "../state/state.ts";
import { bookingOf } from "./cancel.ts";
import { CHANGES_MAX } from "./changes.ts";
import { confirmationReceipt } from "./confirm.ts";
import { todayOf } from "./property-days.ts";
import { refundableOf } from "./refundable.ts";
import { addRefund, ofBooking, pendingRefund, refundId } from "./refunds.ts";

/** Decides `PATCH /v1/bookings/{id}`. */
export function modifyBooking(command: ModifyBooking, ctx: Context): Decision {
  const booking = bookingOf(command, ctx);
  if ("code" in booking) return reject(command, booking);
  const problem = command.refused ?? modificationProblem(command, booking, ctx);
  if (problem) return reject(command, problem);
  const isSame = command.stay === null && command.guest === undefined;
  return isSame ? unchanged(command, booking) : modified(command, booking, ctx);
}

/** What changes nothing writes nothing, and is answered with the booking as it is. */
function unchanged(
  command: ModifyBooking,
  { booking_id, state, version, quote, history }: Booking,
): Decision {
  assert(isChangeable(state), "a booking that is changed has not ended");
  const outcome = success(command, "modification", {
    ...{ booking_id, state, version, modified_at: instantIso(history.at(-1)!.at) },
    ...{ quote, guest_changed: false, difference: null, refund: null, seq: null },
  });
  return { events: [], outcome, phase: "sealed" };
}

/** What a decision about a change reads; a preview has a replica's. */
export type ReadContext = Pick<Context, "state" | "now"> & {
  readonly records: Pick<RecordReader, "payment" | "refund">;
};

/** Why a booking cannot be changed so; null when it can. The order of refusals is published. */
export function modificationProblem(
  change: Pick<ModifyBooking, "stay" | "base_version" | "expected_version">,
  booking: Booking,
  ctx: ReadContext,
): Rejection | null {
  const { stay } = change;
  return (
    stateProblem(booking, stay, ctx) ??
    versionProblem(change, booking) ??
    (stay && priceProblem(booking, stay)) ??
    (stay?.quote && spaceProblem(booking, stay.quote, ctx)) ??
    (stay?.quote && moneyProblem(booking, stay, stay.quote, ctx)) ??
    null
  );
}

function isChangeable(state: BookingState): state is "confirmed" | "checked_in" {
  return state === "confirmed" || state === "checked_in";
}

/** Without a difference by the property, the frozen terms say until when a stay may change. */
function stateProblem(
  booking: Booking,
  stay: StayChange | null,
  ctx: ReadContext,
): Rejection | null {
  const { booking_id, state, quote, version } = booking;
  const not = (reason: string, more = {}): Rejection => {
    return { code: "booking_not_modifiable", detail: { booking_id, reason, ...more } };
  };
  if (!isChangeable(state)) return not("state", { state });
  if (version > CHANGES_MAX) return not("change_limit", { limit: CHANGES_MAX });
  if (stay === null) return null;
  if (state === "checked_in") {
    const problem = inHouseProblem(booking, stay, ctx);
    if (problem) return not(...problem);
  }
  const { allowed_until_ms: until, priced } = stay;
  if (stay.difference === null) {
    const difference = priced.total - quote.total;
    if (until === null) return not("non_refundable", { difference });
    if (ctx.now >= until) {
      return not("cutoff_passed", { cutoff_at: instantIso(until), difference });
    }
  }
  const { room_type_id, rate_plan_id } = stay.quote ?? quote;
  const property = ctx.state.property(booking, booking.property_id)!;
  const offer = findOffer(property, room_type_id, rate_plan_id);
  return typeof offer === "string" ? not("room_type_closed", { room_type_id }) : null;
}

/** Reason and detail against a change of a stay that has begun: only the departure is to come. */
function inHouseProblem(
  booking: Booking,
  stay: StayChange,
  ctx: ReadContext,
): [reason: string, detail: object] | null {
  const fixed = arrivalChanges(booking, stay);
  if (fixed.length > 0) return ["in_house", { fixed }];
  const today = todayOf(booking, ctx);
  const isPast = dayOf(stay.request.stay.check_out) < today;
  return isPast ? ["check_out_passed", { earliest: dateOf(today) }] : null;
}

/** JSON pointers of what a change asks to be otherwise than the guest has arrived for. */
function arrivalChanges({ quote }: Booking, { request }: StayChange): string[] {
  const personsOf = ({ adults, children }: Party) =>
    [adults, ...children.map(({ age }) => age)].join();
  const isSameParty = personsOf(request.guests) === personsOf(quote.guests);
  return [
    ...(request.stay.check_in === quote.stay.check_in ? [] : ["/stay/check_in"]),
    ...(isSameParty ? [] : ["/guests"]),
    ...(request.room_type_id === quote.room_type_id ? [] : ["/room_type_id"]),
    ...(request.rate_plan_id === quote.rate_plan_id ? [] : ["/rate_plan_id"]),
  ];
}

function versionProblem(
  command: Pick<ModifyBooking, "base_version" | "expected_version">,
  { booking_id, version }: Booking,
): Rejection | null {
  const { base_version, expected_version } = command;
  const isSeen = expected_version === null || expected_version === version;
  if (isSeen && base_version === version) return null;
  return { code: "conflict", detail: { reason: "version_mismatch", booking_id, version } };
}

/** A guest keeps length and total; a property may say what becomes of the difference. */
function priceProblem(
  { booking_id, quote }: Booking,
  { quote: amended, priced, difference, request }: StayChange,
): Rejection | null {
  if (amended !== null) return null;
  const nights = nightCountOf(quote);
  return {
    code: "booking_modification_price_change",
    detail: {
      booking_id,
      reason: priced.nights === nights ? "total_changed" : "length_changed",
      current_total: quote.total,
      new_total: priced.total,
      difference: priced.total - quote.total,
      currency: quote.currency,
      nights_current: nights,
      nights_requested: priced.nights,
      ...(difference !== null && { asked: difference }),
    },
    hints: { requote: request },
  };
}

/** The nights of a booking, which a change to the same room keeps or gives back. */
function ownNights({ quote }: Booking): { readonly from: number; readonly end: number } {
  const from = checkInDayOf(quote);
  return { from, end: from + nightCountOf(quote) };
}

/**
 * Why the new stay cannot be taken, as for a hold: its restrictions, then ceilings, then units. A
 * night that is kept in its room needs no unit, even where more is sold than there is. A guest in
 * the house may leave earlier in any case, and restrictions of nights that are kept do not apply.
 */
function spaceProblem(booking: Booking, amended: FrozenQuote, ctx: ReadContext): Rejection | null {
  const isInHouse = booking.state === "checked_in";
  if (isInHouse && nightCountOf(amended) <= nightCountOf(booking.quote)) return null;
  const property = ctx.state.property(booking, booking.property_id)!;
  const offer = findOffer(property, amended.room_type_id, amended.rate_plan_id) as Offer;
  const query = queryOf(amended, booking.agent_id, property, ctx.now);
  const { from, end } = ownNights(booking);
  const isSameRoom = booking.quote.room_type_id === amended.room_type_id;
  const isKept = ({ date }: { readonly date: string }) => {
    const day = dayOf(date);
    return isSameRoom && day >= from && day < end;
  };
  const restricted = restrictionsAgainst(offer, query).filter((each) => {
    return !isInHouse || each.reason === "property_not_live" || !isKept(each);
  });
  const reached = ceilingsAgainst(offer, query).flatMap((each) => {
    const isCounted = ceilingApplies(each.ceiling, booking.quote.rate_plan_id, booking.agent_id);
    const blocking = each.blocking.filter((night) => !(isCounted && isKept(night)));
    return blocking.length > 0 ? [{ ...each, blocking }] : [];
  });
  const full = unitsAgainst(offer, query).filter((night) => !isKept(night));
  if (restricted.length + reached.length + full.length === 0) return null;
  const against = { restricted, reached, full };
  const refused = notAvailable(offer, query, against, isInHouse ? [] : undefined);
  return { ...refused, detail: { booking_id: booking.booking_id, ...refused.detail } };
}

/** The refund of a cheaper stay is reserved like every other. */
function moneyProblem(
  { quote, booking_id, ...booking }: Booking,
  { priced, difference: asked }: StayChange,
  amended: FrozenQuote,
  ctx: ReadContext,
): Rejection | null {
  const requested = quote.due_now - amended.due_now;
  assert(requested >= 0, "a change takes no more money");
  if (requested === 0) return null;
  const money = refundableOf(booking, ctx.records);
  assert(money !== null, "what is refunded was captured");
  const { remaining, ...figures } = money;
  if (requested <= remaining) return null;
  const difference = priced.total - quote.total;
  const detail = { booking_id, requested, remaining, ...figures, difference, asked };
  return { code: "refund_exceeds_remaining", detail };
}

function stayed({ stay, room_type_id, rate_plan_id, total }: FrozenQuote) {
  return { stay, room_type_id, rate_plan_id, total };
}

function modified(command: ModifyBooking, booking: Booking, ctx: Context): Decision {
  const { booking_id, property_id, agent_id, state, quote: before } = booking;
  assert(isChangeable(state), "a booking that is changed has not ended");
  const { stay, guest } = command;
  const after = stay?.quote ?? before;
  const version = booking.version + 1;
  const amount = stay ? stay.priced.total - before.total : 0;
  const kind = stay?.difference ?? null;
  const { currency } = after;
  const difference = kind !== null && amount !== 0 ? { kind, amount, currency } : null;
  const refund = before.due_now - after.due_now;
  const refund_id = refund > 0 ? refundId(command, ctx) : null;
  const receipt = stay ? receiptOf(booking, after, version, ctx) : null;
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const secret = { ...(stay && { quote: after }), ...(guest && { encrypted: guest.encrypted }) };
  const seq = events.add({
    type: "booking.modified",
    data: {
      ...{ booking_id, property_id, agent_id, version },
      ...{ before: stayed(before), after: stayed(after), currency },
      ...{ difference, refund, refund_id, receipt },
      ...(guest && { guest_changed: true }),
    },
    secret,
  });
  const asked = { refund_id, amount: refund, reason: "modification" } as const;
  const isWaiting = addRefund(command, ofBooking(booking), asked, ctx, events);
  const outcome = success(command, "modification", {
    ...{ booking_id, state, version, modified_at: instantIso(ctx.now) },
    ...{ quote: after, guest_changed: guest !== undefined, difference },
    refund: pendingRefund(refund_id, refund),
    seq,
  });
  const hashes = guest?.hashes;
  const { wrapped_key = "" } = guest ?? {};
  return {
    events: events.list,
    outcome: receipt ? { ...outcome, receipt } : outcome,
    phase: isWaiting ? "running" : "sealed",
    ...(hashes && { subjectKey: { booking_id, wrapped_key, guest: hashes } }),
  };
}

/** A confirmation of the changed stay that names the one before: a chain of receipts. */
function receiptOf(booking: Booking, after: FrozenQuote, version: number, ctx: Context): Receipt {
  const former = booking.receipts.findLast(({ kind }) => kind === "booking_confirmed");
  assert(former !== undefined, "a booking has the receipt of its confirmation");
  const chained = { version, supersedes: former.payload_hash };
  return confirmationReceipt(booking, after, ctx, chained);
}
