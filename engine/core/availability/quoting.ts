/**
 * From a request to a frozen quote, with the present supply. Pure; the caller gives the id, the
 * instant and a hash function.
 */

import { dayOf } from "../calendar.ts";
import { derivedAmount, followedPlan } from "../price/derived.ts";
import { bookingDay } from "../price/discounts.ts";
import { policyHashInput, priceHashInput } from "../price/hash-input.ts";
import { feeTable, policyFor } from "../price/policy.ts";
import { frozenTerms, type PolicySnapshot } from "../price/policy-snapshot.ts";
import {
  isExact,
  type PriceBreakdown,
  type PriceInput,
  paidAtProperty,
  price,
} from "../price/price.ts";
import type { FrozenQuote, Party, QuoteRequest, Stay } from "../price/quote.ts";
import { sourceOf } from "../price/rate-source.ts";
import { UNSET_U32 } from "../state/room-state.ts";
import type { Offer } from "../state/state.ts";
import type { Mode, PolicyTerms } from "../supply.ts";
import { type Alternative, alternativesTo } from "./alternatives.ts";
import { type Blocking, blockingReasons, type StayQuery, sellable } from "./availability.ts";

/**
 * The nightly amounts of a stay: the date's own rate, else the plan's base. Those of a derived plan
 * follow from the plan that it is derived from.
 */
export function priceInputOf(offer: Offer, stay: Stay, party: Party, nowMs: number): PriceInput {
  const checkInDay = dayOf(stay.check_in);
  const nights = dayOf(stay.check_out) - checkInDay;
  const todayDay = bookingDay(offer.property.tree, offer.plan, nowMs);
  return priceInputAt(offer, { checkInDay, nights, party, todayDay });
}

/** The day of the booking is null for the price without discounts. */
type PricedStay = Pick<StayQuery, "checkInDay" | "nights" | "party"> & Pick<PriceInput, "todayDay">;

/** As `priceInputOf`, with day numbers: pricing a hundred thousand stays parses no dates. */
export function priceInputAt(
  offer: Offer,
  { checkInDay, nights, party, todayDay }: PricedStay,
): PriceInput {
  const { property, roomType, plan, room, planState } = offer;
  const rule = plan.derived_from;
  const followed = followedPlan(roomType, plan);
  const { amount: amounts } = rule ? room.plans.get(followed.id)! : planState;
  const nightly: number[] = [];
  const extras: number[] = [];
  let sources = "";
  let isExtraUniform = true;
  for (let day = checkInDay; day < checkInDay + nights; day += 1) {
    const amount = amounts.get(day);
    const extra = planState.extraAdult.get(day);
    const present = amount === UNSET_U32 ? followed.base_rate_per_night : amount;
    nightly.push(rule ? derivedAmount(present, rule) : present);
    extras.push(extra === UNSET_U32 ? plan.extra_adult_per_night : extra);
    sources += sourceOf(rule !== undefined, amount !== UNSET_U32);
    if (extras.at(-1) !== extras[0]) isExtraUniform = false;
  }
  const extraAdult = isExtraUniform ? (extras[0] ?? 0) : extras;
  const { tree } = property;
  return { tree, roomType, plan, checkInDay, party, nightly, extraAdult, sources, todayDay };
}

export interface QuoteMaking {
  readonly quote_id: string;
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly agent_id: string;
  readonly nowMs: number;
  readonly ttlMs: number;
  /** SHA-256 as 64 hex digits. */
  readonly sha256: (text: string) => string;
  /** The policy of the stay; by default the plan's present one. */
  readonly terms?: PolicyTerms | null;
  /** The first nights as they were booked; by default each night has its present rate. */
  readonly booked?: BookedNights;
  /** Nothing is prepaid; by default what the property's rules say. */
  readonly isPaidAtProperty?: boolean;
  /** What is charged for the present price; by default that price. */
  readonly charge?: (priced: Charge) => Charge;
}

/** Amounts of a stay's first nights. */
export type BookedNights = Pick<PriceInput, "nightly" | "extraAdult" | "sources">;

/** Amounts of a quote, minor units; `total` is the sum of the others. */
export type Charge = Pick<FrozenQuote, "total" | "due_now" | "due_at_property">;

/** Price and terms of a quote as clients see them. */
export interface UnfoldedQuote {
  readonly price_breakdown: PriceBreakdown & { readonly hash: string };
  readonly policy_snapshot: PolicySnapshot;
}

/** A frozen quote with its full form, which was rendered for the hashes. */
export interface MadeQuote {
  readonly quote: FrozenQuote;
  readonly unfolded: UnfoldedQuote;
}

/** Why there is no quote: the rate plan has no policy, or the total is too large to be exact. */
export type NotQuoted = "policy_not_found_for_rate_plan" | "price_not_exact";

/** Freezes price and terms, or returns why not. */
export function makeQuote(
  offer: Offer,
  request: QuoteRequest,
  making: QuoteMaking,
): MadeQuote | NotQuoted {
  const { tree } = offer.property;
  const terms = making.terms ?? policyFor(tree, offer.plan);
  if (!terms) return "policy_not_found_for_rate_plan";
  const { quote_id, tenant_id, mode, agent_id, nowMs, ttlMs, sha256 } = making;
  const input = withBooked(priceInputOf(offer, request.stay, request.guests, nowMs), making.booked);
  const priced = making.isPaidAtProperty ? paidAtProperty(price(input)) : price(input);
  if (!isExact(priced.total)) return "price_not_exact";
  const { hotel_id, room_type_id, rate_plan_id, stay, guests } = request;
  const { total, due_now, due_at_property } = making.charge?.(priced) ?? priced;
  const fees = feeTable({ tree, terms, checkInDay: input.checkInDay, priced: { due_now } });
  const worded = frozenTerms(tree, terms, { fees, due_now, created_at: nowMs });
  const price_hash = `sha256:${sha256(priceHashInput(priced))}`;
  const policy_hash = `sha256:${sha256(policyHashInput(worded))}`;
  const quote: FrozenQuote = {
    ...{ quote_id, tenant_id, mode, agent_id },
    property_id: hotel_id,
    ...{ room_type_id, rate_plan_id, stay, guests },
    supply_version: offer.property.supply_version,
    policy_version: terms.version,
    currency: priced.currency,
    nightly: input.nightly,
    extra_adult: input.extraAdult,
    sources: input.sources,
    room_subtotal: priced.room_subtotal,
    ...{ total, due_now, due_at_property },
    fees,
    created_at: nowMs,
    expires_at: nowMs + ttlMs,
    price_hash,
    policy_hash,
  };
  const price_breakdown = { ...priced, hash: price_hash };
  const policy_snapshot = { ...worded, hash: policy_hash };
  return { quote, unfolded: { price_breakdown, policy_snapshot } };
}

function withBooked(input: PriceInput, booked: BookedNights | undefined): PriceInput {
  if (booked === undefined) return input;
  const first = booked.nightly.length;
  const extras = [...extrasOf(booked), ...extrasOf(input).slice(first)];
  return {
    ...input,
    nightly: [...booked.nightly, ...input.nightly.slice(first)],
    extraAdult: extras.every((each) => each === extras[0]) ? extras[0]! : extras,
    sources: booked.sources + input.sources.slice(first),
  };
}

function extrasOf({ extraAdult, nightly }: BookedNights): readonly number[] {
  return typeof extraAdult === "number" ? nightly.map(() => extraAdult) : extraAdult;
}

/** As `makeQuote`, without the full form. */
export function freezeQuote(
  offer: Offer,
  request: QuoteRequest,
  making: QuoteMaking,
): FrozenQuote | NotQuoted {
  const made = makeQuote(offer, request, making);
  return typeof made === "string" ? made : made.quote;
}

export interface Availability {
  readonly sellable: number;
  readonly blocking: readonly Blocking[];
  readonly alternatives: readonly Alternative[];
}

/** The reasons against holding the stay now, and alternatives. */
export function availabilityOf(offer: Offer, query: StayQuery): Availability {
  const units = sellable(offer, query);
  if (units > 0) return { sellable: units, blocking: [], alternatives: [] };
  return {
    sellable: 0,
    blocking: blockingReasons(offer, query),
    alternatives: alternativesTo(offer, query),
  };
}
