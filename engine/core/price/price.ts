/**
 * The price of a stay, a pure function of a tree version and the nightly amounts.
 * `price` renders the whole breakdown, `priceTotals` only the sums, for search, and `priceShares`
 * the tax and fee parts of the total, for feeds; all of them add up the same amounts. Every line is
 * rounded half up on its own and nothing is rounded after that, so sums are exact while `isExact`
 * is true of the total, which `price-bounds.ts` ensures for all checked supply.
 */
import { dateOf } from "../calendar.ts";
import type {
  ChildBand,
  DerivedRate,
  Discount,
  PropertyTree,
  RatePlan,
  RoomType,
} from "../supply.ts";
import { followedPlan } from "./derived.ts";
import { type Applied, bookingDay, discountFor } from "./discounts.ts";
import { divideHalfUp, exponentOf, percentOf } from "./money.ts";
import { countParty, type PartyCount } from "./occupancy.ts";
import type { FrozenQuote, Party } from "./quote.ts";
import { checkInDayOf } from "./quote-codec.ts";
import { type RateSource, rateSource } from "./rate-source.ts";
import {
  type Charge,
  chargesOf,
  chargeTaxes,
  type FeeLine,
  noTaxes,
  type RoomAmounts,
  type TaxLine,
  type TaxTotals,
} from "./taxes.ts";

export interface PriceInput {
  readonly tree: PropertyTree;
  readonly roomType: RoomType;
  readonly plan: RatePlan;
  readonly checkInDay: number;
  readonly party: Party;
  /** Base amount of each night, minor units of the plan's currency; at least one night. */
  readonly nightly: readonly number[];
  /** Extra-adult amount of each night, or one number for all of them. */
  readonly extraAdult: readonly number[] | number;
  /** Per night, as by `sourceOf`. */
  readonly sources: string;
  /** The day of the booking at the property; null for the price without discounts. */
  readonly todayDay: number | null;
}

export interface PriceTotals {
  readonly room_subtotal: number;
  readonly total: number;
  readonly due_now: number;
  readonly due_at_property: number;
}

export interface NightPrice {
  readonly date: string;
  readonly base: number;
  /** Extra-adult charge. */
  readonly occupancy: number;
  /** Child charges. */
  readonly children: number;
  readonly adjustments: readonly {
    readonly code: string;
    readonly label: string;
    readonly amount: number;
  }[];
  readonly subtotal: number;
  readonly rate_source: RateSource;
}

/** The wire shape without `display` and `hash`; keys always in this order. */
export interface PriceBreakdown extends PriceTotals {
  readonly currency: string;
  readonly minor_unit: number;
  readonly nights: readonly NightPrice[];
  readonly taxes: readonly TaxLine[];
  readonly fees: readonly FeeLine[];
  /** Always empty: everything is due at booking or at the property. */
  readonly due_later: readonly never[];
  readonly per_night_average: number;
  readonly rounding: "half_up_per_line";
  /** Of a derived plan: the rule by which its nights follow another plan. */
  readonly derived_from?: DerivedRate & { readonly name: string };
}

/** Room amount per night, half up; the `price_per_night` of search. */
export function perNightAverage(roomSubtotal: number, nights: number): number {
  return divideHalfUp(roomSubtotal, nights);
}

/**
 * Whether a total, and so every amount in it, is a safe integer. Otherwise the stay has no price:
 * search and feeds leave it out, and a quote is refused.
 */
export function isExact(total: number): boolean {
  return total <= Number.MAX_SAFE_INTEGER;
}

/** The sums of `price(input)` without its lines. */
export function priceTotals(input: PriceInput): PriceTotals {
  const { roomSubtotal, charges } = chargedStay(input, input.nightly.length);
  return totalsOf(roomSubtotal, charges);
}

/** The price of a stay of which nothing is prepaid: all of it is due at the property. */
export function paidAtProperty<P extends PriceTotals>(priced: P): P {
  return { ...priced, due_now: 0, due_at_property: priced.total };
}

/** The parts of a total. */
export interface PriceShares {
  /** The room amount without the taxes and fees that it includes. */
  readonly base: number;
  /** Every tax, included in the rate or not, prepaid or not. */
  readonly tax: number;
  /** Every fee, likewise. */
  readonly fees: number;
}

/**
 * The total of `price(input)` as room, taxes and fees. With fewer `nights` it is that
 * of a shorter stay, so that several lengths from one day share one input.
 */
export function priceShares(input: PriceInput, nights = input.nightly.length): PriceShares {
  const { roomSubtotal, charges } = chargedStay(input, nights);
  const { added, included, taxes } = charges;
  return { base: roomSubtotal - included, tax: taxes, fees: added + included - taxes };
}

/** The rules of an offer that turn a night's amounts into what a party pays. */
interface NightRules {
  /** Persons that the rate includes. */
  readonly included: number;
  readonly adjustments: RatePlan["adjustments"];
}

/** What a party pays for a night, from the night's own amounts, in a stay of `nights` nights. */
export function nightAmount(
  { included, adjustments }: NightRules,
  guests: PartyCount,
  night: {
    readonly nights: number;
    readonly base: number;
    readonly extraAdult: number;
    /** Of the discount: 0 or less. */
    readonly off: number;
  },
): number {
  const { nights, base, extraAdult, off } = night;
  let amount = base + guests.extraAdults * extraAdult;
  if (guests.childBands.length > 0) amount += childrenOf(included, guests, night);
  let left = base;
  for (const { min_nights, bps } of adjustments) {
    if (nights < min_nights) continue;
    const adjustment = adjustmentOf(base, bps, left);
    left += adjustment;
    amount += adjustment;
  }
  return amount + Math.max(0 - left, off);
}

/** The sums of one stay after another in the same object, to price thousands without allocating. */
export class StayTotals implements PriceTotals {
  room_subtotal = 0;
  total = 0;
  due_now = 0;
  due_at_property = 0;
  readonly #taxes = noTaxes();

  /** Sets the sums of a stay with these room amounts and charges. */
  charge(charges: readonly Charge[], room: RoomAmounts): void {
    const taxes = this.#taxes;
    taxes.added = 0;
    taxes.included = 0;
    taxes.atProperty = 0;
    taxes.taxes = 0;
    setTotals(this, room.roomSubtotal, chargeTaxes(charges, room, taxes));
  }
}

/** The room amount of each night; `base` is their sum without included taxes and fees. */
export function roomNights(input: PriceInput): { nights: readonly number[]; base: number } {
  const { subtotals, roomSubtotal, charges } = chargedStay(input, input.nightly.length);
  return { nights: subtotals, base: roomSubtotal - charges.included };
}

interface Charged extends RoomAmounts {
  readonly subtotals: readonly number[];
  readonly charges: TaxTotals;
}

function chargedStay(input: PriceInput, nights: number): Charged {
  const { roomType, plan } = input;
  const guests = countParty(input.tree, roomType, input.party);
  const rules = { included: roomType.included_occupancy, adjustments: plan.adjustments };
  const discount = discountOn(input, nights);
  const subtotals: number[] = [];
  let roomSubtotal = 0;
  for (let index = 0; index < nights; index += 1) {
    const base = input.nightly[index]!;
    const extraAdult = extraAdultOf(input, index);
    const off = discount ? discount.off(index) : 0;
    const subtotal = nightAmount(rules, guests, { nights, base, extraAdult, off });
    subtotals.push(subtotal);
    roomSubtotal += subtotal;
  }
  const room = { subtotals, roomSubtotal };
  const charges = chargeTaxes(chargesOfInput(input, nights), room, noTaxes());
  return { ...room, charges };
}

/** The discount of a stay; null for none. */
export function discountOf(input: PriceInput): Discount | null {
  return discountOn(input, input.nightly.length)?.discount ?? null;
}

function discountOn({ plan, nightly, checkInDay, todayDay }: PriceInput, nights: number) {
  if (!plan.discounts || todayDay === null) return null;
  return discountFor(plan.discounts, nightly, { todayDay, checkInDay, nights });
}

/** The full breakdown. Same input, same bytes as JSON. */
export function price(input: PriceInput): PriceBreakdown {
  const guests = countParty(input.tree, input.roomType, input.party);
  const discount = discountOn(input, input.nightly.length);
  const nights = input.nightly.map((_, index) => nightOf(input, guests, index, discount));
  const subtotals = nights.map((night) => night.subtotal);
  const roomSubtotal = subtotals.reduce((sum, subtotal) => sum + subtotal, 0);
  const taxes: TaxLine[] = [];
  const fees: FeeLine[] = [];
  const room = { subtotals, roomSubtotal };
  const charged = chargesOfInput(input, nights.length);
  const charges = chargeTaxes(charged, room, noTaxes(), { taxes, fees });
  const totals = totalsOf(roomSubtotal, charges);
  return {
    currency: input.plan.currency,
    minor_unit: exponentOf(input.plan.currency),
    nights,
    room_subtotal: totals.room_subtotal,
    taxes,
    fees,
    total: totals.total,
    due_now: totals.due_now,
    due_later: [],
    due_at_property: totals.due_at_property,
    per_night_average: perNightAverage(roomSubtotal, nights.length),
    rounding: "half_up_per_line",
    ...derivationOf(input),
  };
}

function derivationOf({ roomType, plan }: PriceInput): Pick<PriceBreakdown, "derived_from"> {
  if (!plan.derived_from) return {};
  return { derived_from: { ...plan.derived_from, name: followedPlan(roomType, plan).name } };
}

/**
 * Room type and rate plan that a frozen quote names, in its tree version. Throws when the tree
 * lacks them: versions are never deleted, so that is a bug.
 */
export function offerOf(
  tree: PropertyTree,
  quote: Pick<FrozenQuote, "room_type_id" | "rate_plan_id">,
): { roomType: RoomType; plan: RatePlan } {
  const roomType = tree.room_types.find((each) => each.id === quote.room_type_id);
  const plan = roomType?.rate_plans.find((each) => each.id === quote.rate_plan_id);
  if (roomType === undefined || plan === undefined) {
    throw new Error(`tree ${tree.id} has no plan ${quote.rate_plan_id} of ${quote.room_type_id}`);
  }
  return { roomType, plan };
}

/** The price input of a frozen quote. `tree` must be its version. Throws like `offerOf`. */
export function priceInputOf(tree: PropertyTree, quote: FrozenQuote): PriceInput {
  const offer = offerOf(tree, quote);
  return {
    tree,
    ...offer,
    checkInDay: checkInDayOf(quote),
    party: quote.guests,
    nightly: quote.nightly,
    extraAdult: quote.extra_adult,
    sources: quote.sources,
    todayDay: bookingDay(tree, offer.plan, quote.created_at),
  };
}

/**
 * The breakdown of a frozen quote with its frozen hash. `tree` must be the version
 * `quote.supply_version`. Throws like `offerOf`.
 */
export function breakdownOf(
  tree: PropertyTree,
  quote: FrozenQuote,
): PriceBreakdown & { readonly hash: string } {
  return { ...price(priceInputOf(tree, quote)), hash: quote.price_hash };
}

function nightOf(
  input: PriceInput,
  guests: PartyCount,
  index: number,
  discount: Applied | null,
): NightPrice {
  const base = input.nightly[index]!;
  const extraAdult = extraAdultOf(input, index);
  const occupancy = guests.extraAdults * extraAdult;
  const included = input.roomType.included_occupancy;
  const children = childrenOf(included, guests, { base, extraAdult });
  const adjustments: { code: string; label: string; amount: number }[] = [];
  let left = base;
  for (const { code, label, min_nights, bps } of input.plan.adjustments) {
    if (input.nightly.length < min_nights) continue;
    const amount = adjustmentOf(base, bps, left);
    left += amount;
    adjustments.push({ code, label, amount });
  }
  const off = discount ? Math.max(0 - left, discount.off(index)) : 0;
  if (discount && off < 0) {
    const { code, label } = discount.discount;
    left += off;
    adjustments.push({ code, label, amount: off });
  }
  return {
    date: dateOf(input.checkInDay + index),
    base,
    occupancy,
    children,
    adjustments,
    subtotal: left + occupancy + children,
    rate_source: rateSource(input.sources[index]),
  };
}

function extraAdultOf({ extraAdult }: PriceInput, index: number): number {
  return typeof extraAdult === "number" ? extraAdult : extraAdult[index]!;
}

function childCharge({ pricing, value = 0 }: ChildBand, base: number): number {
  if (pricing === "percent_bps") return percentOf(base, value);
  return pricing === "fixed_per_night" ? value : 0;
}

/**
 * What the children of a night pay. Included persons not used by adults cover the most expensive
 * children first, and no child pays more than a further adult would: so a party never costs more
 * when an adult becomes a child, nor less with one more person.
 */
function childrenOf(
  includedPersons: number,
  { childBands, adults }: PartyCount,
  { base, extraAdult }: { readonly base: number; readonly extraAdult: number },
): number {
  if (childBands.length === 0) return 0;
  const charges = childBands.map((band) => childCharge(band, base));
  const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);
  const included = Math.max(0, includedPersons - adults);
  const dearestFirst = charges.map((each) => Math.min(each, extraAdult)).sort((a, b) => b - a);
  return sum(dearestFirst.slice(included));
}

/** `left` is the base after earlier adjustments: discounts together never exceed the base. */
function adjustmentOf(base: number, bps: number, left: number): number {
  return Math.max(0 - left, percentOf(base, bps));
}

function chargesOfInput({ tree, checkInDay, party }: PriceInput, nights: number) {
  return chargesOf(tree.tax_rules, { checkInDay, nights, party });
}

function totalsOf(roomSubtotal: number, charges: TaxTotals): PriceTotals {
  const totals = { room_subtotal: 0, total: 0, due_now: 0, due_at_property: 0 };
  setTotals(totals, roomSubtotal, charges);
  return totals;
}

function setTotals(
  totals: { -readonly [name in keyof PriceTotals]: PriceTotals[name] },
  roomSubtotal: number,
  charges: TaxTotals,
): void {
  totals.room_subtotal = roomSubtotal;
  totals.total = roomSubtotal + charges.added;
  totals.due_now = totals.total - charges.atProperty;
  totals.due_at_property = charges.atProperty;
}
