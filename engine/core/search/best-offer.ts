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
import type { OfferCard } from "../index/cards.ts";
import { KINDS } from "../index/columns.ts";
import type { IndexedProperty, LocalTerms, RealmIndex } from "../index/realm-index.ts";
import { StayBits } from "../index/stay-bits.ts";
import { convert, type FxTable } from "../money.ts";
import { StayLines } from "../nights.ts";
import { countParty, type PartyCount } from "../occupancy.ts";
import { type CancellationNow, cancellationNow } from "../policy.ts";
import { isExact, nightAmount, type PriceTotals, perNightAverage, stayTotals } from "../price.ts";
import { CURRENT_EDITION } from "../quote.ts";
import type { RatePlan } from "../supply.ts";
import type { Asked } from "./query.ts";
import { UnitLines } from "./unit-lines.ts";

/** The best offer of a property that was found. */
export interface Found {
  readonly offer: OfferCard;
  /** Room amount per night, in the plan's currency. */
  readonly amount: number;
  readonly totals: PriceTotals;
  readonly cancellation: CancellationNow;
  /** Units that can be held, one at least. */
  readonly sellable: number;
}

/** Ordinals of an offer, its room amount, and that per night. */
interface Priced {
  readonly room: number;
  readonly plan: number;
  readonly sum: number;
  readonly amount: number;
}

type Guests = { -readonly [name in keyof PartyCount]: PartyCount[name] };

const NONE: ReadonlySet<number> = new Set();

export class BestOffers {
  readonly #index: RealmIndex;
  readonly #asked: Asked;
  readonly #fx: FxTable | null;
  readonly #bits: StayBits;
  readonly #amounts: StayLines;
  readonly #extraAdults: StayLines;
  readonly #units: UnitLines;
  readonly #extra: Float64Array;
  /** What the party pays for each night: of the offer that is looked at, and of the best. */
  #paid: Float64Array;
  #paidForBest: Float64Array;
  readonly #adults: Guests = { adults: 0, extraAdults: 0, occupants: 0, childBands: [] };
  readonly #isOpen = new Map<string, boolean>();
  readonly #cancellations = new Map<LocalTerms, CancellationNow>();

  constructor(index: RealmIndex, asked: Asked, fx: FxTable | null) {
    const { checkInDay, nights } = asked.stay;
    this.#index = index;
    this.#asked = asked;
    this.#fx = fx;
    this.#bits = new StayBits(index, asked.stay);
    this.#amounts = new StayLines(checkInDay, nights);
    this.#extraAdults = new StayLines(checkInDay, nights);
    this.#extra = new Float64Array(nights);
    this.#units = new UnitLines(checkInDay, nights);
    this.#paid = new Float64Array(nights);
    this.#paidForBest = new Float64Array(nights);
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
  of(property: IndexedProperty): Found | null {
    if (this.#asked.isFreeOnly && !this.#isStillFree(property)) return null;
    let inexact = NONE;
    for (;;) {
      const best = this.#cheapest(property, inexact);
      if (!best) return null;
      const totals = this.#totalsForBest(property, best.sum);
      if (isExact(totals.total)) return this.#found(property, best, totals);
      inexact = new Set([...inexact, best.plan]);
    }
  }

  #found({ terms }: IndexedProperty, best: Priced, totals: PriceTotals): Found {
    const { planColumns } = this.#index;
    return {
      offer: planColumns.card[best.plan]!,
      amount: best.amount,
      totals,
      cancellation: this.#cancellation(terms[planColumns.kindOf(best.plan)]!),
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

  #cheapest(property: IndexedProperty, except: ReadonlySet<number>): Priced | null {
    const { maxOccupancy, firstPlan, plans } = this.#index.roomColumns;
    const { traits } = this.#index.planColumns;
    const { wish, stay } = this.#asked;
    const { nights } = stay;
    if (!wish) return null;
    let best: Priced | null = null;
    const { firstRoom, rooms } = property;
    for (let room = firstRoom; room < firstRoom + rooms; room += 1) {
      if (!this.#bits.isFree(room)) continue;
      const guests = this.#guestsIn(room, property);
      if (guests.occupants > maxOccupancy[room]!) continue;
      const end = firstPlan[room]! + plans[room]!;
      for (let plan = firstPlan[room]!; plan < end; plan += 1) {
        if ((traits[plan]! & wish.mask) !== wish.value || except.has(plan)) continue;
        const sum = this.#sumOf(room, plan, guests);
        // A whole unit more per night: dearer, however both are rounded.
        if (best && sum >= best.sum + nights && property.isOneCurrency) continue;
        const offer = { room, plan, sum, amount: perNightAverage(sum, nights) };
        if (best && !this.#isBetter(property, offer, best)) continue;
        if (!this.#isWithinPrice(offer) || !this.#isSellable(property, offer)) continue;
        best = offer;
        const paid = this.#paid;
        this.#paid = this.#paidForBest;
        this.#paidForBest = paid;
      }
    }
    return best;
  }

  /** The party as it counts in a room type; of adults alone always the same object. */
  #guestsIn(room: number, { tree }: IndexedProperty): PartyCount {
    const { party } = this.#asked.stay;
    if (party.children.length > 0)
      return countParty(tree, this.#index.rooms[room]!.roomType, party);
    const guests = this.#adults;
    guests.adults = party.adults;
    guests.occupants = party.adults;
    guests.extraAdults = Math.max(0, party.adults - this.#index.roomColumns.included[room]!);
    return guests;
  }

  /** Room amount of the stay; what each night comes to is left in `#paid`. */
  #sumOf(room: number, plan: number, guests: PartyCount): number {
    const { planColumns } = this.#index;
    const paid = this.#paid;
    planColumns.amount.read(plan, this.#amounts, paid);
    const isPlain = guests.extraAdults === 0 && guests.childBands.length === 0;
    if (!isPlain) planColumns.extraAdult.read(plan, this.#extraAdults, this.#extra);
    if (!isPlain || planColumns.hasAdjustments(plan)) this.#addParty(room, plan, guests);
    let sum = 0;
    for (let i = 0; i < paid.length; i += 1) sum += paid[i]!;
    return sum;
  }

  /** From the base amounts of the nights to what the party pays, with those in `#extra`. */
  #addParty(room: number, plan: number, guests: PartyCount): void {
    const { roomColumns, planColumns } = this.#index;
    const rules = {
      edition: CURRENT_EDITION,
      included: roomColumns.included[room]!,
      adjustments: planColumns.adjustments[plan]!,
    };
    const paid = this.#paid;
    const extra = this.#extra;
    for (let i = 0; i < paid.length; i += 1) {
      const night = { nights: paid.length, base: paid[i]!, extraAdult: extra[i]! };
      paid[i] = nightAmount(rules, guests, night);
    }
  }

  #totalsForBest({ taxRules }: IndexedProperty, roomSubtotal: number): PriceTotals {
    const { checkInDay, party } = this.#asked.stay;
    const subtotals = this.#paidForBest;
    return stayTotals({ rules: taxRules, checkInDay, subtotals, roomSubtotal, party });
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
   * their property; those that nobody can convert come last, by currency.
   */
  #isBetter(property: IndexedProperty, a: Priced, b: Priced): boolean {
    const [plan, other] = [this.#planAt(a), this.#planAt(b)];
    if (property.isOneCurrency) return isLess([a.amount, plan.id], [b.amount, other.id]);
    const { default_currency } = property.tree;
    const key = ({ amount }: Priced, { id, currency }: RatePlan) =>
      priceKey({ amount, currency, id }, default_currency, this.#fx);
    return isLess(key(a, plan), key(b, other));
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
    return free ? this.#cancellation(free).isFree : false;
  }

  /** Worked out once for all that have the same terms. */
  #cancellation(local: LocalTerms): CancellationNow {
    const known = this.#cancellations.get(local);
    if (known) return known;
    const { stay, nowMs } = this.#asked;
    const { checkInDay } = stay;
    const found = cancellationNow(local.place, local.terms, { checkInDay, nowMs });
    this.#cancellations.set(local, found);
    return found;
  }
}

/** By which offers of several currencies are compared: those that nobody can convert come last. */
export function priceKey(
  offer: { readonly amount: number; readonly currency: string; readonly id: string },
  common: string,
  fx: FxTable | null,
): readonly (number | string)[] {
  const { amount, currency, id } = offer;
  const converted = convert(amount, currency, common, fx);
  return converted ? [converted.amount, id] : [Infinity, currency, amount, id];
}

/** Whether one key comes before another, member by member. */
export function isLess(a: readonly (number | string)[], b: readonly (number | string)[]): boolean {
  const at = a.findIndex((member, i) => member !== b[i]);
  return at >= 0 && a[at]! < b[at]!;
}
