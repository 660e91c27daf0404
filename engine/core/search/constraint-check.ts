/**
 * Which constraints of a search an offer fails, and the nearest values that work: those of offers
 * that fail only one.
 */

import { normalizeText } from "../normalize-text.ts";
import { convert, type FxTable } from "../price/money.ts";
import { perNightAverage } from "../price/price.ts";
import type { CancellationKind, MealPlan, RatePlan, RoomType } from "../supply.ts";
import { KINDS, MEALS } from "./index/columns.ts";
import type { IndexedProperty } from "./index/realm-index.ts";
import type { Asked, SearchQuery } from "./query.ts";
import type { SearchMemo } from "./search-memo.ts";

/** In the order of precedence when several fail. */
export const CONSTRAINTS = [
  ...(["min_star_rating", "amenities", "bed_type", "meal_plan"] as const),
  ...(["cancellation", "refundability", "max_price_per_night"] as const),
] as const;
export type Constraint = (typeof CONSTRAINTS)[number];

const bitOf = (constraint: Constraint) => 1 << CONSTRAINTS.indexOf(constraint);
const [STARS, AMENITIES, BED, MEAL, CANCELLATION, REFUNDABILITY, PRICE] = CONSTRAINTS.map(
  bitOf,
) as [number, number, number, number, number, number, number];

/** The first failed constraint; null for none. */
export function failingFirst(fails: number): Constraint | null {
  return CONSTRAINTS.find((_, i) => ((fails >> i) & 1) === 1) ?? null;
}

/** Values with which a search finds something when no other constraint changes. */
export interface NearestConstraints {
  readonly min_star_rating: number | null;
  readonly amenities: readonly string[] | null;
  readonly bed_type: readonly string[] | null;
  readonly meal_plan: readonly MealPlan[] | null;
  readonly cancellation: readonly CancellationKind[] | null;
  readonly refundability: readonly string[] | null;
  /** The lowest amount, in the requested currency. */
  readonly max_price_per_night: { readonly amount: number; readonly currency: string } | null;
}

/** For each of `KINDS`: refundability now, and the bits of the constraints that it fails. */
interface TermsNow {
  readonly refundability: readonly (string | null)[];
  readonly fails: readonly number[];
}

/** At most this many values of a constraint. */
const VALUES_MAX = 5;

export class ConstraintCheck {
  readonly #asked: Asked;
  readonly #fx: FxTable | null;
  readonly #meal: string | null;
  readonly #kind: string | null;
  #stars = -1;
  #roomType: RoomType | null = null;
  /** Bits of the constraints that the room type with its property fails. */
  #roomFails = 0;
  #now: TermsNow = { refundability: [], fails: [] };
  readonly #termsNow = new Map<IndexedProperty["terms"], TermsNow>();
  readonly #near = {
    stars: -1,
    amenities: null as readonly string[] | null,
    amount: Infinity,
    beds: new Set<string>(),
    meals: new Set<string>(),
    kinds: new Set<string>(),
    refundabilities: new Set<string>(),
  };

  constructor({ constraints = {} }: SearchQuery, asked: Asked, fx: FxTable | null) {
    const { meal_plan, cancellation } = constraints;
    this.#asked = asked;
    this.#fx = fx;
    this.#meal = meal_plan === undefined ? null : normalizeText(meal_plan);
    this.#kind = cancellation === undefined ? null : normalizeText(cancellation);
  }

  /** Sets the property; call before any of its room types. */
  turnTo({ card, tree, terms }: IndexedProperty, workedOut: SearchMemo): void {
    this.#stars = card.star_rating ?? -1;
    this.#asked.roomRequirements?.setProperty(tree);
    let now = this.#termsNow.get(terms);
    if (!now) {
      now = this.#termsOf(terms, workedOut);
      this.#termsNow.set(terms, now);
    }
    this.#now = now;
  }

  /** Sets the room type; call before any of its rate plans. Whether it can meet the constraints. */
  suits(roomType: RoomType): boolean {
    const { minStars, roomRequirements } = this.#asked;
    this.#roomType = roomType;
    this.#roomFails = minStars !== null && this.#stars < minStars ? STARS : 0;
    if (roomRequirements && !roomRequirements.hasAmenities(roomType)) this.#roomFails |= AMENITIES;
    if (roomRequirements && !roomRequirements.hasBed(roomType)) this.#roomFails |= BED;
    return this.#roomFails === 0;
  }

  /**
   * A bit for each of `CONSTRAINTS` that a rate plan of the room type fails; `kind` is the index in
   * `KINDS`. The price is checked only where at most one other constraint fails.
   */
  failing(plan: RatePlan, kind: number, roomAmount: () => number): number {
    const { maxPrice } = this.#asked;
    let fails = this.#roomFails | this.#now.fails[kind]!;
    if (this.#meal !== null && this.#meal !== plan.meal_plan) fails |= MEAL;
    if ((fails & (fails - 1)) !== 0) return fails;
    const amount = maxPrice ? this.#converted(plan, roomAmount()) : null;
    if (maxPrice && (amount === null || amount > maxPrice.amount)) fails |= PRICE;
    if ((fails & (fails - 1)) === 0) this.#remember(fails, plan, kind, amount);
    return fails;
  }

  /** The nearest values; null when no constraint has one. */
  nearest(): NearestConstraints | null {
    const { stars, amenities, amount, beds, meals, kinds, refundabilities } = this.#near;
    const { maxPrice } = this.#asked;
    const found = {
      min_star_rating: stars < 0 ? null : stars,
      amenities,
      bed_type: listed(beds),
      meal_plan: listed(meals, MEALS),
      cancellation: listed(kinds, KINDS),
      refundability: listed(refundabilities),
      max_price_per_night:
        maxPrice && amount < Infinity ? { amount, currency: maxPrice.currency } : null,
    };
    return Object.values(found).some((value) => value !== null) ? found : null;
  }

  #termsOf(terms: IndexedProperty["terms"], workedOut: SearchMemo): TermsNow {
    const wanted = this.#asked.refundability;
    const now = terms.map((local) => local && workedOut.terms(local));
    const refundability = now.map((each) => each?.shown.refundability ?? null);
    const fails = now.map((each, kind) => {
      const isOfKind = this.#asked.isFreeOnly ? each?.isFree : this.#kind === KINDS[kind];
      const isWanted = wanted === null || wanted === refundability[kind];
      return (this.#kind === null || isOfKind ? 0 : CANCELLATION) | (isWanted ? 0 : REFUNDABILITY);
    });
    return { refundability, fails };
  }

  #converted(plan: RatePlan, roomAmount: number): number | null {
    const amount = perNightAverage(roomAmount, this.#asked.stay.nights);
    const { currency } = this.#asked.maxPrice!;
    return convert(amount, plan.currency, currency, this.#fx)?.amount ?? null;
  }

  #remember(fails: number, plan: RatePlan, kind: number, amount: number | null): void {
    const near = this.#near;
    const { bed_type } = this.#roomType!;
    if (fails === STARS) near.stars = Math.max(near.stars, this.#stars);
    if (fails === AMENITIES) this.#rememberAmenities();
    if (fails === BED && bed_type !== null) near.beds.add(bed_type);
    if (fails === MEAL) near.meals.add(plan.meal_plan);
    if (fails === CANCELLATION) near.kinds.add(KINDS[kind]!);
    if (fails === REFUNDABILITY) near.refundabilities.add(this.#now.refundability[kind]!);
    if (fails === PRICE && amount !== null) near.amount = Math.min(near.amount, amount);
  }

  #rememberAmenities(): void {
    const near = this.#near;
    const most = near.amenities?.length ?? 0;
    const count = this.#asked.roomRequirements!.countAmenities(this.#roomType!);
    if (count === 0 || count < most) return;
    const has = this.#asked.roomRequirements!.amenitiesOf(this.#roomType!);
    if (count > most || has.join() < near.amenities!.join()) near.amenities = has;
  }
}

/** A few of the values, in the order of a vocabulary or alphabetically; null for none. */
function listed<T extends string>(values: ReadonlySet<string>, vocabulary?: readonly T[]) {
  if (values.size === 0) return null;
  const sorted = vocabulary?.filter((word) => values.has(word)) ?? ([...values].sort() as T[]);
  return sorted.slice(0, VALUES_MAX);
}
