/**
 * The cheapest offer of a property for a stay, by its room amount per night. It is found
 * in the columns of the index and the sheets of amounts; nothing is allocated and no tax computed
 * for other offers.
 *
 * Nightly prices come from `price.ts` and the sale of marked room types from `availability.ts`, so
 * that search agrees with quotes.
 */
import { sellable, unitsLeft } from "../availability/availability.ts";
import { convert, type FxTable } from "../price/money.ts";
import { isExact, perNightAverage, StayTotals } from "../price/price.ts";
import { isLess, priceKey } from "../price/price-order.ts";
import type { RatePlan } from "../supply.ts";
import { bestOffer, type Found } from "./found.ts";
import { KINDS } from "./index/columns.ts";
import type { IndexedProperty, RealmIndex } from "./index/realm-index.ts";
import { StayBits } from "./index/stay-bits.ts";
import type { Asked } from "./query.ts";
import { SearchMemo } from "./search-memo.ts";
import { StayAmounts } from "./stay-amounts.ts";
import { UnitLines } from "./unit-lines.ts";

/** Ordinals of an offer, its room amount, and that per night. */
interface Priced {
  room: number;
  plan: number;
  sum: number;
  amount: number;
}

/** A bit for each of `KINDS`. */
const EVERY_KIND = (1 << KINDS.length) - 1;

/** No offer: dearer than any. */
const NOTHING: Readonly<Priced> = { room: -1, plan: -1, sum: Infinity, amount: Infinity };

export class BestOffers {
  readonly #index: RealmIndex;
  readonly #asked: Asked;
  readonly #fx: FxTable | null;
  readonly #bits: StayBits;
  readonly #amounts: StayAmounts;
  readonly #units: UnitLines;
  /** The present candidate and the best so far: always the same two objects. */
  #candidate: Priced = { ...NOTHING };
  #best: Priced = { ...NOTHING };
  /** Nightly amounts and room amount of the best offer, and its totals. */
  readonly #room: { readonly subtotals: Float64Array; roomSubtotal: number };
  readonly #totals = new StayTotals();
  readonly #memo: SearchMemo;
  /** A bit for each of `KINDS` with the requested refundability at the property. */
  #kinds = EVERY_KIND;

  constructor(index: RealmIndex, asked: Asked, fx: FxTable | null) {
    const { checkInDay, nights } = asked.stay;
    this.#index = index;
    this.#asked = asked;
    this.#fx = fx;
    this.#bits = new StayBits(index, asked.stay);
    this.#memo = new SearchMemo(asked);
    this.#amounts = new StayAmounts(index, asked, this.#memo);
    this.#room = { subtotals: this.#amounts.nights, roomSubtotal: 0 };
    this.#units = new UnitLines(index, checkInDay, nights);
  }

  /** Whether the dates can be sold at the property. */
  isOpen({ timezone }: IndexedProperty): boolean {
    return this.#memo.isOpen(timezone);
  }

  /** The best offer of a property that is open; null for none. */
  of(property: IndexedProperty, distance_m: number | null): Found | null {
    const { isFreeOnly, minStars, roomRequirements } = this.#asked;
    if (minStars !== null && !((property.card.star_rating ?? -1) >= minStars)) return null;
    if (isFreeOnly && !this.#isStillFree(property)) return null;
    this.#kinds = this.#kindsFor(property);
    if (this.#kinds === 0) return null;
    roomRequirements?.setProperty(property.tree);
    let judgesAll = false;
    let inexact: Set<number> | null = null;
    while (this.#findCheapest(property, judgesAll, inexact)) {
      // Few room types are marked, and rarely the cheapest: only then every one is checked.
      if (!judgesAll && !this.#isSellable(property, this.#best)) {
        judgesAll = true;
        continue;
      }
      this.#chargeBest(property);
      if (isExact(this.#totals.total)) return this.#found(property, distance_m);
      inexact ??= new Set();
      inexact.add(this.#best.plan);
    }
    return null;
  }

  #found(property: IndexedProperty, distance_m: number | null): Found {
    const best = this.#best;
    const { card } = property;
    const plan = this.#planAt(best);
    const terms = this.#memo.terms(property.terms[this.#index.planColumns.kindOf(best.plan)]!);
    const roomType = this.#index.roomColumns.roomType[best.room]!;
    const perNight = { amount: best.amount, currency: plan.currency };
    return {
      id: card.property_id,
      amount: this.#totals.total,
      currency: plan.currency,
      stars: card.star_rating,
      isFree: terms.isFree,
      distance_m,
      card,
      offer: bestOffer(
        roomType,
        plan,
        perNight,
        this.#totals,
        terms,
        this.#unitsLeft(property, best),
      ),
      terms,
    };
  }

  /** As `unitsLeft`; where no ceiling is set, from the lines of the stay. */
  #unitsLeft({ timezone }: IndexedProperty, best: Priced): number {
    const { room: ordinal } = best;
    if (this.#bits.isMarked(ordinal)) {
      const { roomType, room } = this.#index.rooms[ordinal]!;
      const plan = this.#planAt(best);
      return unitsLeft({ roomType, room, plan }, this.#memo.stayIn(timezone));
    }
    return this.#units.least(ordinal);
  }

  /**
   * Sets `#best` to the cheapest offer of the property; false for none. Only with `judgesAll` it is
   * known to be sellable.
   */
  #findCheapest(
    property: IndexedProperty,
    judgesAll: boolean,
    except: ReadonlySet<number> | null,
  ): boolean {
    const { planColumns, roomColumns } = this.#index;
    const { firstPlan, plans } = roomColumns;
    const { traits } = planColumns;
    const { planTraits, stay, roomRequirements } = this.#asked;
    const { firstRoom, rooms } = property;
    this.#forgetBest();
    if (!planTraits) return false;
    this.#amounts.setProperty(property);
    for (let room = firstRoom; room < firstRoom + rooms; room += 1) {
      if (!this.#bits.isFree(room) || !this.#amounts.fits(room)) continue;
      if (roomRequirements && !roomRequirements.fits(roomColumns.roomType[room]!)) continue;
      const end = firstPlan[room]! + plans[room]!;
      for (let plan = firstPlan[room]!; plan < end; plan += 1) {
        if ((traits[plan]! & planTraits.mask) !== planTraits.value || except?.has(plan)) continue;
        if (((this.#kinds >> planColumns.kindOf(plan)) & 1) === 0) continue;
        const sum = this.#amounts.of(plan);
        // A whole unit more per night: dearer after any rounding.
        if (property.isOneCurrency && sum >= this.#best.sum + stay.nights) continue;
        if (!this.#isWorthIt(property, room, plan, sum)) continue;
        if (!judgesAll || this.#isSellable(property, this.#candidate)) this.#takeCandidate();
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

  /** Sets `#candidate`; true when it is better and not too expensive. */
  #isWorthIt(property: IndexedProperty, room: number, plan: number, sum: number): boolean {
    const offer = this.#candidate;
    offer.room = room;
    offer.plan = plan;
    offer.sum = sum;
    offer.amount = perNightAverage(sum, this.#asked.stay.nights);
    return this.#isBetter(property, offer, this.#best) && this.#isWithinPrice(offer);
  }

  #takeCandidate(): void {
    const before = this.#best;
    this.#best = this.#candidate;
    this.#candidate = before;
  }

  /** Computes the totals of the best offer, with taxes and fees. */
  #chargeBest({ taxRules }: IndexedProperty): void {
    const { room, plan, sum } = this.#best;
    this.#amounts.fits(room);
    this.#amounts.of(plan);
    this.#room.roomSubtotal = sum;
    this.#totals.charge(this.#memo.charges(taxRules), this.#room);
  }

  #planAt({ plan }: Priced): RatePlan {
    return this.#index.planColumns.plan[plan]!;
  }

  #isSellable({ property, timezone }: IndexedProperty, offer: Priced): boolean {
    if (!this.#bits.isMarked(offer.room)) return true;
    const { roomType, room } = this.#index.rooms[offer.room]!;
    const plan = this.#planAt(offer);
    const planState = room.plans.get(plan.id)!;
    const stay = this.#memo.stayIn(timezone);
    return sellable({ property, roomType, plan, room, planState }, stay) > 0;
  }

  /**
   * Cheaper, or equal with the lower id. Rate plans in several currencies are compared in that of
   * the property.
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

  #kindsFor({ terms }: IndexedProperty): number {
    const { refundability } = this.#asked;
    if (refundability === null) return EVERY_KIND;
    let kinds = 0;
    terms.forEach((local, i) => {
      if (local && this.#memo.terms(local).shown.refundability === refundability) {
        kinds |= 1 << i;
      }
    });
    return kinds;
  }

  #isStillFree({ terms }: IndexedProperty): boolean {
    const free = terms[KINDS.indexOf("free_until_cutoff")];
    return free ? this.#memo.terms(free).isFree : false;
  }
}
