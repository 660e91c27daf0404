/**
 * Prices of a property's stays in two numbers each: 100 MB of prices become about 10 MB. `take`
 * removes a stay, so those left over are in one document only.
 */
import type { Itinerary, Price } from "../reading/itinerary.ts";
import { totalOf } from "../reading/itinerary.ts";

export interface Figures {
  /** The cheapest offer with taxes and fees, in minor units; null without one. */
  readonly total: number | null;
  readonly currency: string;
  /** Equal for equal offers only. */
  readonly digest: number;
}

const NONE = Number.NaN;
const SOLD_OUT = -1;
const SLOT = 2;

/** A 52-bit hash of a text. */
export function digestOf(text: string): number {
  return Number(BigInt.asUintN(52, BigInt(Bun.hash(text))));
}

function priceText(price: Price | null): string {
  return price === null ? "" : `${price.base} ${price.tax} ${price.fees} ${price.currency}`;
}

function cheapestOf({ price, bundles }: Itinerary): Price | null {
  if (price !== null) return price;
  let [found, least]: [Price | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const { price: offered } of bundles) {
    const total = offered === null ? null : totalOf(offered);
    if (total !== null && total < least) [found, least] = [offered, total];
  }
  return found;
}

/** The compared figures of a stay. */
export function figuresOf(stay: Itinerary): Figures {
  const cheapest = stay.isAvailable ? cheapestOf(stay) : null;
  if (cheapest === null) return { total: null, currency: "", digest: 0 };
  const offers = stay.bundles.map(({ room, plan, package: packageId, occupancy, price }) => {
    return [room, plan, packageId, occupancy, priceText(price)].join(" ");
  });
  const digest = digestOf([priceText(stay.price), ...offers.sort()].join("\n"));
  return { total: totalOf(cheapest), currency: cheapest.currency, digest };
}

/** The stays of one property in one currency. */
export class Stays {
  readonly #days = new Map<number, Float64Array>();
  #nightsMax = 0;
  #currency = "";

  set(day: number, nights: number, { total, currency, digest }: Figures): void {
    if (currency !== "") this.#currency = currency;
    this.#nightsMax = Math.max(this.#nightsMax, nights);
    let slots = this.#days.get(day);
    if (slots === undefined || slots.length < SLOT * nights) {
      const wider = new Float64Array(SLOT * this.#nightsMax).fill(NONE);
      wider.set(slots ?? []);
      slots = wider;
      this.#days.set(day, slots);
    }
    slots.set([total ?? SOLD_OUT, digest], SLOT * (nights - 1));
  }

  /** Removes a stay and returns its figures; null if it is missing. */
  take(day: number, nights: number): Figures | null {
    const slots = this.#days.get(day);
    const [total = NONE, digest = NONE] = slots?.subarray(SLOT * (nights - 1), SLOT * nights) ?? [];
    if (slots === undefined || Number.isNaN(total)) return null;
    slots[SLOT * (nights - 1)] = NONE;
    if (total === SOLD_OUT) return { total: null, currency: "", digest };
    return { total, currency: this.#currency, digest };
  }

  /** The stays that were not taken. */
  *left(): Generator<{ readonly day: number; readonly nights: number }> {
    for (const [day, slots] of this.#days) {
      for (let at = 0; at < slots.length; at += SLOT) {
        if (!Number.isNaN(slots[at])) yield { day, nights: at / SLOT + 1 };
      }
    }
  }
}
