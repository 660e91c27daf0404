/** Holds: place, extend, release. */

import { assert } from "../assert.ts";
import { alternativesTo } from "../availability/alternatives.ts";
import {
  type Blocking,
  ceilingsAgainst,
  type ReachedCeiling,
  restrictionsAgainst,
  type StayQuery,
  unitsAgainst,
  unitsLeft,
} from "../availability/availability.ts";
import { instantIso, todayIn } from "../calendar.ts";
import type { CommandMeta, ExtendHold, PlaceHold, ReleaseHold } from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import { type EventOf, type Row, timeOf } from "../events/event.ts";
import type { Folds } from "../fold.ts";
import { deriveId } from "../ids.ts";
import type { Hints, Rejection } from "../outcomes.ts";
import type { FrozenQuote, QuoteRequest } from "../price/quote.ts";
import { checkInDayOf, nightCountOf } from "../price/quote-codec.ts";
import { type Hold, isDue } from "../records.ts";
import { findOffer, type Offer, type PropertyEntry, type State } from "../state/state.ts";
import { seenBy } from "../visibility.ts";
import { assertFits, assertOpen } from "./invariants.ts";
import { PlacedHold, PlacedOutcome } from "./placed-hold.ts";
import { holdEnded, placeUnits } from "./units.ts";

export const EXTENSIONS_MAX = 2;
const OTHER_HOLDS_MAX = 20;
/** Quotes and commands have stamps of one clock; a larger gap means that it was corrected. */
const QUOTE_AHEAD_MAX_MS = 60_000;

/** The quote request that would price the same stay again. */
function requoteOf(quote: FrozenQuote): QuoteRequest {
  const { property_id: hotel_id, room_type_id, rate_plan_id, stay, guests } = quote;
  return { hotel_id, room_type_id, rate_plan_id, stay, guests };
}

/** Requests the same stay again; empty when its check-in day has passed at the property. */
export function requoteHint(
  quote: FrozenQuote,
  { state, now }: Pick<Context, "state" | "now">,
): Pick<Hints, "requote"> {
  const timezone = state.property(quote, quote.property_id)?.tree.timezone;
  const hasBegun = timezone !== undefined && checkInDayOf(quote) < todayIn(timezone, now);
  return hasBegun ? {} : { requote: requoteOf(quote) };
}

/** The stay of a frozen quote, for the availability rules; `nowMs` is the instant of the check. */
export function queryOf(
  quote: FrozenQuote,
  agentId: string,
  { tree }: PropertyEntry,
  nowMs: number,
): StayQuery {
  const [checkInDay, nights] = [checkInDayOf(quote), nightCountOf(quote)];
  const todayDay = todayIn(tree.timezone, nowMs);
  return { checkInDay, nights, party: quote.guests, agentId, todayDay };
}

/** Decides `POST /v1/holds`: all nights' units in one event, or a refusal with reasons. */
export function placeHold(command: PlaceHold, ctx: Context): Decision {
  const { quote_id, missing } = command;
  const unknown = { code: missing ?? "quote_not_found", detail: { quote_id } };
  const quote = seenBy(command, command.quote, ({ property_id }) => property_id, unknown);
  if ("code" in quote) return reject(command, quote);
  if (isQuoteOver(quote, ctx)) return reject(command, quoteExpired(quote, ctx));
  const capped = openHoldCap(command, ctx);
  if (capped) return reject(command, capped);
  const property = ctx.state.property(command, quote.property_id);
  // Terms come from the quote's own version of the tree; the present one must still have the room
  // type.
  const offer = property && findOffer(property, quote.room_type_id, quote.rate_plan_id);
  if (!offer || typeof offer === "string") {
    const ids = { property_id: quote.property_id, room_type_id: quote.room_type_id };
    return reject(command, {
      code: offer ?? "property_not_found",
      detail: { ...ids, rate_plan_id: quote.rate_plan_id },
      hints: requoteHint(quote, ctx),
    });
  }
  const query = queryOf(quote, command.actor.id, property!, ctx.now);
  const refused = whyUnavailable(offer, query);
  if (refused) {
    const hints = { ...refused.hints, ...requoteHint(quote, ctx) };
    return reject(command, {
      ...refused,
      detail: { quote_id: quote.quote_id, ...refused.detail },
      hints,
    });
  }
  assertFits(offer, query);
  return holdPlaced(command, quote, ctx);
}

/** Also true for a quote of the future or of before a reset: its clock was set back since. */
export function isQuoteOver(
  quote: FrozenQuote,
  { state, now }: Pick<Context, "state" | "now">,
): boolean {
  const { created_at, expires_at } = quote;
  if (now >= expires_at || created_at - now > QUOTE_AHEAD_MAX_MS) return true;
  return created_at < state.quotesFromMs(quote);
}

function quoteExpired(quote: FrozenQuote, ctx: Context): Rejection {
  return {
    code: "quote_expired",
    detail: { quote_id: quote.quote_id, expired_at: instantIso(quote.expires_at) },
    hints: requoteHint(quote, ctx),
  };
}

function openHoldCap(command: PlaceHold, ctx: Context): Rejection | null {
  const limit = command.limits.max_open_holds;
  if (limit === null) return null;
  const owner = { tenant_id: command.tenant_id, agent_id: command.actor.id };
  if (ctx.state.holds.countOf(owner) < limit) return null;
  let count = 0;
  let earliest = Number.POSITIVE_INFINITY;
  for (const hold of ctx.state.holds.ofAgent(owner)) {
    // Expired but not journaled yet: it must not count against the agent's limit.
    if (isDue(hold, ctx.now)) continue;
    count += 1;
    earliest = Math.min(earliest, hold.expires_at);
  }
  if (count < limit) return null;
  const waitMs = Math.max(0, earliest - ctx.now);
  return {
    code: "rate_limited",
    detail: { policy: "max_open_holds", limit, open: count },
    retry_after: Number.isFinite(waitMs) ? Math.max(1, Math.ceil(waitMs / 1000)) : 60,
  };
}

/** Checks restrictions, then ceilings, then units; null when the stay can be held. */
function whyUnavailable(offer: Offer, query: StayQuery): Rejection | null {
  const restricted = restrictionsAgainst(offer, query);
  if (restricted.length === 0 && unitsLeft(offer, query) > 0) return null;
  const reached = restricted.length > 0 ? [] : ceilingsAgainst(offer, query);
  const full = reached.length > 0 ? [] : unitsAgainst(offer, query);
  return notAvailable(offer, query, { restricted, reached, full });
}

/** What stands against a stay; the first that is not empty is the reason. */
interface Against {
  readonly restricted: Blocking[];
  readonly reached: readonly ReachedCeiling[];
  readonly full: Blocking[];
}

/** The refusal of a stay that cannot be taken, with what can. */
export function notAvailable(
  offer: Offer,
  query: StayQuery,
  { restricted, reached, full }: Against,
  alternatives = alternativesTo(offer, query),
): Rejection {
  const { tree } = offer.property;
  const base = { property_id: tree.id, room_type_id: offer.roomType.id };
  const explained = (reason: string, blocking: Blocking[]): Rejection => ({
    code: "allocation_failed",
    detail: { reason, ...base, blocking, alternatives },
  });
  if (restricted.length > 0) return explained("restriction", restricted);
  const capped = reached.flatMap(({ blocking }) => blocking);
  const [first] = reached;
  if (!first) return explained("no_units", full);
  const { ceiling, used } = first.blocking[0]!;
  const { rate_plan_id, agent_id } = first.ceiling;
  return {
    code: "allotment_exhausted",
    detail: {
      ...base,
      dates: capped.map((hit) => hit.date),
      ...{ ceiling, used },
      // The scope of the ceiling: one for the whole room type has no rate plan.
      scope: { room_type_id: offer.roomType.id, rate_plan_id, agent_id },
      blocking: capped,
      alternatives,
    },
  };
}

function holdPlaced(command: PlaceHold, quote: FrozenQuote, ctx: Context): Decision {
  const holdId = deriveId("hld", ctx.now, command.random);
  assert(!ctx.state.holds.has(holdId), "a new hold has an id of its own");
  const hold = new PlacedHold(holdId, quote, ctx.now + command.ttl_ms);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const seq = events.add({ type: "hold.created", data: hold });
  const onQuote = ctx.state.holds.onQuote(quote.quote_id);
  const others = otherHoldsOf(onQuote, command.actor.id, ctx.now);
  const outcome = new PlacedOutcome(command.trace_id, hold, seq, others);
  return { events: events.list, outcome, phase: "sealed" };
}

/** The agent's own live holds on a quote, in order, so that a duplicate hold is noticed. */
function otherHoldsOf(onQuote: Iterable<Hold>, agentId: string, nowMs: number): string[] {
  const ids: string[] = [];
  for (const hold of onQuote) {
    if (hold.agent_id === agentId && !isDue(hold, nowMs)) ids.push(hold.hold_id);
    if (ids.length === OTHER_HOLDS_MAX) break;
  }
  return ids;
}

/** The hold that a command names, or a refusal. */
export function holdOf(
  command: CommandMeta & { readonly hold_id: string },
  { state, records }: Context,
): Hold | Rejection {
  const { hold_id } = command;
  const hold = state.holds.get(hold_id) ?? records.hold(hold_id);
  const unknown = { code: "hold_not_found", detail: { hold_id } } as const;
  return seenBy(command, hold, ({ quote }) => quote.property_id, unknown);
}

/** Why an expired or ended hold cannot be used; null when it can. */
export function holdProblem(hold: Hold, ctx: Pick<Context, "state" | "now">): Rejection | null {
  const hints = requoteHint(hold.quote, ctx);
  if (hold.state === "expired" || isDue(hold, ctx.now)) {
    const detail = { hold_id: hold.hold_id, expired_at: instantIso(hold.expires_at) };
    return { code: "hold_expired", detail, hints };
  }
  if (hold.state === "held") return null;
  const detail: Record<string, unknown> = { hold_id: hold.hold_id, state: hold.state };
  if (hold.state === "consumed") detail.booking_id = hold.booking_id;
  return { code: "hold_not_active", detail, hints: { ...hints, hold_id: hold.hold_id } };
}

/** Decides `POST /v1/holds/{id}/extend`: old expiry + TTL, at most twice. */
export function extendHold(command: ExtendHold, ctx: Context): Decision {
  const hold = holdOf(command, ctx);
  if ("code" in hold) return reject(command, hold);
  const problem = holdProblem(hold, ctx);
  if (problem) return reject(command, problem);
  if (hold.extensions >= EXTENSIONS_MAX) {
    const detail = { reason: "max_extensions", hold_id: hold.hold_id, extensions: hold.extensions };
    return reject(command, { code: "conflict", detail });
  }
  assertOpen(hold, ctx.state);
  assert(command.ttl_ms > 0, "an extension is longer than nothing");
  const extensions = hold.extensions + 1;
  const expiresAt = instantIso(hold.expires_at + command.ttl_ms);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const seq = events.add({
    type: "hold.extended",
    data: { hold_id: hold.hold_id, expires_at: expiresAt, extensions },
  });
  const outcome = success(command, "hold_extended", {
    hold_id: hold.hold_id,
    quote_id: hold.quote.quote_id,
    state: "held",
    expires_at: expiresAt,
    extensions,
    property_id: hold.quote.property_id,
    room_type_id: hold.quote.room_type_id,
    stay: hold.quote.stay,
    seq,
  });
  return { events: events.list, outcome, phase: "sealed" };
}

/** Decides `POST /v1/holds/{id}/release`; a repeated release gets the answer of the first. */
export function releaseHold(command: ReleaseHold, ctx: Context): Decision {
  const hold = holdOf(command, ctx);
  if ("code" in hold) return reject(command, hold);
  const answer = (released_at: string, events: EventList): Decision => {
    const data = { hold_id: hold.hold_id, state: "released", released_at } as const;
    const hints = requoteHint(hold.quote, ctx);
    const outcome = { ...success(command, "hold_released", data), hints };
    return { events: events.list, outcome, phase: "sealed" };
  };
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  if (hold.state === "released") return answer(instantIso(hold.ended_at ?? ctx.now), events);
  const problem = holdProblem(hold, ctx);
  if (problem) return reject(command, problem);
  assertOpen(hold, ctx.state);
  const releasedAt = instantIso(ctx.now);
  events.add({
    type: "hold.released",
    data: { hold_id: hold.hold_id, released_at: releasedAt },
  });
  return answer(releasedAt, events);
}

function holdCreated(state: State, event: EventOf<"hold.created">, row: Row): void {
  const { quote, hold_id } = event.data;
  const hold: Hold = {
    hold_id,
    tenant_id: row.tenant_id,
    mode: row.mode,
    agent_id: row.actor.id,
    quote,
    state: "held",
    created_at: timeOf(row),
    expires_at: PlacedHold.expiresAtMs(event.data),
    extensions: 0,
    ended_at: null,
    payment_id: null,
    booking_id: null,
    rows: [row.row],
  };
  placeUnits(state, hold);
}

function holdExtended(state: State, { data }: EventOf<"hold.extended">, { row }: Row): void {
  const hold = state.holds.get(data.hold_id)!;
  hold.expires_at = Date.parse(data.expires_at);
  hold.extensions = data.extensions;
  hold.rows.push(row);
  state.holds.noteExpiry(hold);
}

export const HOLD_FOLDS = {
  "hold.created": holdCreated,
  "hold.extended": holdExtended,
  "hold.released": (state, { data }, row, sink) => {
    holdEnded(state, state.holds.get(data.hold_id)!, "released", row, sink);
  },
  "hold.expired": (state, { data }, row, sink) => {
    holdEnded(state, state.holds.get(data.hold_id)!, "expired", row, sink);
  },
} satisfies Partial<Folds>;
