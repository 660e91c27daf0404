/**
 * The cheapest offer of a property for a stay, by its room amount per night (rules §4). It is found
 * in the columns of the index and the sheets of amounts; nothing is allocated and no tax charged
 * for an offer that is not the answer.
 *
 * What a night costs is asked of `price.ts`, and whether a marked room type can be sold of
 * `availability.ts`, so that a search has no opinion of its own.
 */
import { sellable, unitsLeft } from "../availability.ts";
import { todayIn } from "../calendar.ts";
import { isWithinHorizon } from "../horizon.ts";
import { KINDS } from "../index/columns.ts";
import type { IndexedProperty, LocalTerms, RealmIndex } from "../index/realm-index.ts";
import { StayBits } from "../index/stay-bits.ts";
import { convert, type FxTable } from "../money.ts";
import { type CancellationNow, cancellationNow } from "../policy.ts";
import { isExact, type PriceTotals, perNightAverage, stayTotals } from "../price.ts";
import type { Rankable } from "../ranking.ts";
import type { RatePlan, RoomType } from "../supply.ts";
import { type Charge, chargesOf } from "../taxes.ts";
import { isLess, priceKey } from "./price-order.ts";
import type { Asked } from "./query.ts";
import { StayAmounts } from "./stay-amounts.ts";
import { UnitLines } from "./unit-lines.ts";

/** A property that was found, by its best offer: amount and currency are those of the total. */
export interface Found extends Rankable {
  readonly property: IndexedProperty;
  readonly roomType: RoomType;
  readonly plan: RatePlan;
  /** Room amount per night. */
  readonly perNight: number;
  readonly totals: PriceTotals;
  readonly terms: TermsNow;
  /** Units that can be held, one at least. */
  readonly sellable: number;
}

/** How a booking made now could be cancelled. */
interface TermsNow {
  readonly told: Pick<CancellationNow, "refundability" | "free_until">;
  readonly isFree: boolean;
  readonly text: string;
}

/** Ordinals of an offer, its room amount, and that per night. */
interface Priced {
  room: number;
  plan: number;
  sum: number;
  amount: number;
}

/** No offer: dearer than any. */
const NOTHING: Readonly<Priced> = { room: -1, plan: -1, sum: Infinity, amount: Infinity };

export class BestOffers {
  readonly #index: RealmIndex;
  readonly #asked: Asked;
  readonly #fx: FxTable | null;
  readonly #bits: StayBits;
  readonly #amounts: StayAmounts;
  readonly #units: UnitLines;
  /** The offer that is looked at and the best so far: always the same two objects. */
  #looked: Priced = { ...NOTHING };
  #best: Priced = { ...NOTHING };
  readonly #isOpen = new Map<string, boolean>();
  readonly #charges = new Map<IndexedProperty["taxRules"], readonly Charge[]>();
  readonly #terms = new Map<LocalTerms, TermsNow>();

  constructor(index: RealmIndex, asked: Asked, fx: FxTable | null) {
    const { checkInDay, nights } = asked.stay;
    this.#index = index;
    this.#asked = asked;
    this.#fx = fx;
    this.#bits = new StayBits(index, asked.stay);
    this.#amounts = new StayAmounts(index, asked);
    this.#units = new UnitLines(checkInDay, nights);
  }

  /** Whether the dates can be sold at the property; today is asked once per zone. */
  isOpen({ timezone }: IndexedProperty): boolean {
    const known = this.#isOpen.get(timezone);
    if (known !== undefined) return known;
    const { stay, nowMs } = this.#asked;
    const isOpen = isWithinHorizon(stay.checkInDay, stay.nights, todayIn(timezone, nowMs));
    this.#isOpen.set(timezone, isOpen);
    return isOpen;
  }

  /** The best offer of a property that is open; null when it has none. */
  of(property: IndexedProperty, distance_m: number | null): Found | null {
    if (this.#asked.isFreeOnly && !this.#isStillFree(property)) return null;
    let inexact: Set<number> | null = null;
    while (this.#findCheapest(property, inexact)) {
      const totals = this.#totalsOfBest(property);
      if (isExact(totals.total)) return this.#found(property, totals, distance_m);
      inexact ??= new Set();
      inexact.add(this.#best.plan);
    }
    return null;
  }

  #found(property: IndexedProperty, totals: PriceTotals, distance_m: number | null): Found {
    const best = this.#best;
    const plan = this.#planAt(best);
    const { card } = property;
    const terms = this.#termsNow(property.terms[this.#index.planColumns.kindOf(best.plan)]!);
    return {
      id: card.property_id,
      amount: totals.total,
      currency: plan.currency,
      stars: card.star_rating,
      isFree: terms.isFree,
      distance_m,
      property,
      roomType: this.#index.rooms[best.room]!.roomType,
      plan,
      perNight: best.amount,
      totals,
      terms,
      sellable: this.#unitsLeft(best),
    };
  }

  /** As `unitsLeft` has it; where no ceiling can be, by the lines of the stay. */
  #unitsLeft(best: Priced): number {
    const { room: ordinal } = best;
    if (this.#bits.isMarked(ordinal)) {
      const { roomType, room } = this.#index.rooms[ordinal]!;
      return unitsLeft({ roomType, room, plan: this.#planAt(best) }, this.#asked.stay);
    }
    return this.#units.least(this.#index.roomColumns, ordinal);
  }

  /** Leaves the cheapest offer of the property in `#best`; false when there is none. */
  #findCheapest(property: IndexedProperty, except: ReadonlySet<number> | null): boolean {
    const { firstPlan, plans } = this.#index.roomColumns;
    const { traits } = this.#index.planColumns;
    const { wish, stay } = this.#asked;
    const { firstRoom, rooms } = property;
    this.#forgetBest();
    if (!wish) return false;
    this.#amounts.turnTo(property);
    for (let room = firstRoom; room < firstRoom + rooms; room += 1) {
      if (!this.#bits.isFree(room) || !this.#amounts.fits(room)) continue;
      const end = firstPlan[room]! + plans[room]!;
      for (let plan = firstPlan[room]!; plan < end; plan += 1) {
        if ((traits[plan]! & wish.mask) !== wish.value || except?.has(plan)) continue;
        const sum = this.#amounts.of(plan);
        // A whole unit more per night: dearer, however both are rounded.
        if (property.isOneCurrency && sum >= this.#best.sum + stay.nights) continue;
        this.#look(property, room, plan, sum);
      }
    }
    return this.#best.plan >= 0;
  }

  #forgetBest(): void {
    const best = this.#best;
    best.room = -1;
    best.plan = -1;
    best.sum = Infinity;
    best.amount = Infinity;
  }

  /** Makes an offer the best one if it is better and can be had. */
  #look(property: IndexedProperty, room: number, plan: number, sum: number): void {
    const offer = this.#looked;
    offer.room = room;
    offer.plan = plan;
    offer.sum = sum;
    offer.amount = perNightAverage(sum, this.#asked.stay.nights);
    if (!this.#isBetter(property, offer, this.#best)) return;
    if (!this.#isWithinPrice(offer) || !this.#isSellable(property, offer)) return;
    this.#looked = this.#best;
    this.#best = offer;
  }

  #totalsOfBest({ taxRules }: IndexedProperty): PriceTotals {
    const { room, plan, sum: roomSubtotal } = this.#best;
    this.#amounts.fits(room);
    this.#amounts.of(plan);
    const { nights: subtotals } = this.#amounts;
    return stayTotals(this.#chargesOf(taxRules), { subtotals, roomSubtotal });
  }

  /** Worked out once for all that have the same rules. */
  #chargesOf(taxRules: IndexedProperty["taxRules"]): readonly Charge[] {
    const known = this.#charges.get(taxRules);
    if (known) return known;
    const charges = chargesOf(taxRules, this.#asked.stay);
    this.#charges.set(taxRules, charges);
    return charges;
  }

  #planAt({ room, plan }: Priced): RatePlan {
    const { rate_plans } = this.#index.rooms[room]!.roomType;
    return rate_plans[plan - this.#index.roomColumns.firstPlan[room]!]!;
  }

  #isSellable({ property }: IndexedProperty, offer: Priced): boolean {
    if (!this.#bits.isMarked(offer.room)) return true;
    const { roomType, room } = this.#index.rooms[offer.room]!;
    const plan = this.#planAt(offer);
    const planState = room.plans.get(plan.id)!;
    return sellable({ property, roomType, plan, room, planState }, this.#asked.stay) > 0;
  }

  /**
   * Cheaper, or as cheap and of the lower id. Plans of several currencies are compared in that of
   * their property.
   */
  #isBetter({ isOneCurrency, tree }: IndexedProperty, a: Priced, b: Priced): boolean {
    if (b.plan < 0) return true;
    if (isOneCurrency) {
      return a.amount === b.amount ? this.#planAt(a).id < this.#planAt(b).id : a.amount < b.amount;
    }
    const key = (offer: Priced) => {
      const { id, currency } = this.#planAt(offer);
      return priceKey({ amount: offer.amount, currency, id }, tree.default_currency, this.#fx);
    };
    return isLess(key(a), key(b));
  }

  #isWithinPrice(offer: Priced): boolean {
    const { maxPrice } = this.#asked;
    if (!maxPrice) return true;
    const { currency } = this.#planAt(offer);
    const converted = convert(offer.amount, currency, maxPrice.currency, this.#fx);
    return converted !== null && converted.amount <= maxPrice.amount;
  }

  #isStillFree({ terms }: IndexedProperty): boolean {
    const free = terms[KINDS.indexOf("free_until_cutoff")];
    return free ? this.#termsNow(free).isFree : false;
  }

  /** Worked out once for all that have the same terms. */
  #termsNow(local: LocalTerms): TermsNow {
    const known = this.#terms.get(local);
    if (known) return known;
    const { stay, nowMs } = this.#asked;
    const at = { checkInDay: stay.checkInDay, nowMs };
    const { refundability, free_until, isFree, text } = cancellationNow(
      local.place,
      local.terms,
      at,
    );
    const now = { told: { refundability, free_until }, isFree, text };
    this.#terms.set(local, now);
    return now;
  }
}
