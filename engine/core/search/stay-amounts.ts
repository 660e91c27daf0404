/**
 * What a party pays for a stay, by room type and rate plan, from the columns of the index and the
 * sheets of amounts. The formula is that of `price.ts`, which is called where a night is more than
 * its own amount.
 */

import { derivedAmount } from "../price/derived.ts";
import { type Applied, discountFor } from "../price/discounts.ts";
import { countParty, type PartyCount } from "../price/occupancy.ts";
import { nightAmount } from "../price/price.ts";
import { StayLines } from "../state/nights.ts";
import type { PlanColumns, RoomColumns } from "./index/columns.ts";
import type { IndexedProperty, RealmIndex } from "./index/realm-index.ts";
import type { Asked } from "./query.ts";
import type { SearchMemo } from "./search-memo.ts";

type Guests = { -readonly [name in keyof PartyCount]: PartyCount[name] };

export class StayAmounts {
  readonly #rooms: RoomColumns;
  readonly #plans: PlanColumns;
  readonly #party: Asked["stay"]["party"];
  readonly #amounts: StayLines;
  readonly #extraAdults: StayLines;
  readonly #extra: Float64Array;
  /** The party as counted at the property and in the present room type. */
  readonly #guests: Guests = { adults: 0, extraAdults: 0, occupants: 0, childBands: [] };
  readonly #memo: Pick<SearchMemo, "stayIn">;
  #timezone = "";
  #included = 0;
  #isPlain = false;
  /** The amount of each night of the last rate plan. */
  readonly nights: Float64Array;

  constructor(
    { roomColumns, planColumns, sheets }: RealmIndex,
    { stay }: Asked,
    memo: Pick<SearchMemo, "stayIn">,
  ) {
    this.#memo = memo;
    const { checkInDay, nights, party } = stay;
    this.#rooms = roomColumns;
    this.#plans = planColumns;
    this.#party = party;
    this.#amounts = new StayLines(sheets.amount, checkInDay, nights);
    this.#extraAdults = new StayLines(sheets.extraAdult, checkInDay, nights);
    this.#extra = new Float64Array(nights);
    this.nights = new Float64Array(nights);
    this.#guests.adults = party.adults;
    this.#guests.occupants = party.adults;
  }

  /** Sets the property; call before any of its room types: ages count as the property defines. */
  setProperty({ tree, timezone }: IndexedProperty): void {
    this.#timezone = timezone;
    if (this.#party.children.length === 0) return;
    Object.assign(this.#guests, countParty(tree, { included_occupancy: 0 }, this.#party));
  }

  /** Whether the party fits into a room type; selects it for `of`. */
  fits(room: number): boolean {
    const guests = this.#guests;
    if (guests.occupants > this.#rooms.maxOccupancy[room]!) return false;
    this.#included = this.#rooms.included[room]!;
    guests.extraAdults = Math.max(0, guests.adults - this.#included);
    this.#isPlain = guests.extraAdults === 0 && guests.childBands.length === 0;
    return true;
  }

  /** Room amount of the stay for a rate plan of the room type. */
  of(plan: number): number {
    const { amount, extraAdult, followed } = this.#plans;
    const number = this.#plans.nights[plan]!;
    const { nights } = this;
    this.#amounts.read(followed[plan]!, amount[plan]!, nights);
    const rule = this.#plans.ruleOf(plan);
    if (rule)
      for (let i = 0; i < nights.length; i += 1) nights[i] = derivedAmount(nights[i]!, rule);
    if (!this.#isPlain) this.#extraAdults.read(number, extraAdult[plan]!, this.#extra);
    if (!this.#isPlain || this.#plans.hasChanges(plan)) this.#addParty(plan);
    let sum = 0;
    for (let i = 0; i < nights.length; i += 1) sum += nights[i]!;
    return sum;
  }

  #discountOf(plan: number): Applied | null {
    const { discounts } = this.#plans.plan[plan]!;
    if (!discounts) return null;
    return discountFor(discounts, this.nights, this.#memo.stayIn(this.#timezone));
  }

  /** From the base amounts of the nights to what the party pays, with those in `#extra`. */
  #addParty(plan: number): void {
    const adjustments = this.#plans.adjustments[plan]!;
    const rules = { included: this.#included, adjustments };
    const { nights } = this;
    const extra = this.#extra;
    const discount = this.#discountOf(plan);
    for (let i = 0; i < nights.length; i += 1) {
      const off = discount ? discount.off(i) : 0;
      const night = { nights: nights.length, base: nights[i]!, extraAdult: extra[i]!, off };
      nights[i] = nightAmount(rules, this.#guests, night);
    }
  }
}
