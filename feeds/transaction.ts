/**
 * `ari.xml`: one `<Transaction>` with the data of every property, then a `Result` per itinerary,
 * including sold-out ones, because partners read absence as "unchanged". One `Result` per line.
 */
import { exponentOf } from "../engine/core/price/money.ts";
import type { PropertyTree, RatePlan } from "../engine/core/supply.ts";
import { type Decimals, decimalsOf } from "./amounts.ts";
import { type Bundle, totalOf } from "./bundles.ts";
import { beginning, type Position } from "./position.ts";
import type { Profile } from "./profiles/profile.ts";
import { PERSONS_MAX } from "./property-data.ts";
import { escapedText } from "./xml.ts";

export const TRANSACTION_TAIL = "</Transaction>\n";

/** The message id for this number of days. */
export function transactionId(tenantId: string, { at }: Position, days: number): string {
  const instant = at.replaceAll(/[:-]/g, "");
  return `ari-${tenantId.slice(0, 8)}-${instant}-d${days}`;
}

/** Everything before the first property. */
export function transactionOpening(position: Position, id: string): string {
  const open = `<Transaction timestamp="${position.at}" id="${escapedText(id)}">\n`;
  return beginning(position) + open;
}

/** The XML around the amounts of a currency. */
interface PriceWords {
  readonly base: string;
  readonly tax: string;
  readonly fees: string;
  readonly decimals: Decimals;
}

const FEES_END = "</OtherFees>";

function priceWords(currency: string): PriceWords {
  const attribute = ` currency="${currency}">`;
  return {
    base: `<Baserate${attribute}`,
    tax: `</Baserate><Tax${attribute}`,
    fees: `</Tax><OtherFees${attribute}`,
    decimals: decimalsOf(currency),
  };
}

/** The bundles of an itinerary to write, and whether each is written as a `RoomBundle`. */
export interface WrittenBundles {
  readonly bundles: readonly Bundle[];
  readonly hasBundles: boolean;
}

/** The members of a property that results need. */
type Priced = Pick<PropertyTree, "id" | "default_currency">;

/** Writes the results of properties. Caches the text common to all results of a property. */
export class ResultWriter {
  readonly #profile: Profile;
  readonly #words = new Map<string, PriceWords>();
  readonly #openings = new Map<RatePlan, string>();
  readonly #shells = new Map<Priced, { readonly opening: string; readonly none: string }>();

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  /** The `Result` of an itinerary. */
  result(tree: Priced, checkIn: string, nights: number, written: WrittenBundles): string {
    const { opening, none } = this.#shellOf(tree);
    const itinerary = `${opening}${checkIn}</Checkin><Nights>${nights}</Nights>`;
    const { bundles, hasBundles } = written;
    const cheapest = cheapestOf(bundles, tree.default_currency);
    const isNone = hasBundles ? bundles.length === 0 : cheapest === null;
    if (isNone) return itinerary + none;
    let text = cheapest === null ? itinerary : itinerary + this.#price(cheapest);
    if (hasBundles) {
      for (const bundle of bundles) {
        text += `${this.#bundleOpening(bundle)}${this.#price(bundle)}</RoomBundle>`;
      }
    }
    return `${text}</Result>\n`;
  }

  #price({ base, tax, fees, currency }: Bundle): string {
    let words = this.#words.get(currency);
    if (words === undefined) {
      words = priceWords(currency);
      this.#words.set(currency, words);
    }
    const { decimals } = words;
    const rate = words.base + decimals(base) + words.tax;
    return rate + decimals(tax) + words.fees + decimals(fees) + FEES_END;
  }

  #bundleOpening({ offer, adults }: Bundle): string {
    const { roomType, plan } = offer;
    let opening = this.#openings.get(plan);
    if (opening === undefined) {
      const id = escapedText(plan.id);
      opening =
        `<RoomBundle><RoomID>${escapedText(roomType.id)}</RoomID>` +
        (this.#profile.hasRatePlanId ? `<RatePlanID>${id}</RatePlanID>` : "") +
        `<PackageID>${id}</PackageID><Occupancy>${Math.min(PERSONS_MAX, adults)}</Occupancy>`;
      this.#openings.set(plan, opening);
    }
    return opening;
  }

  #shellOf(tree: Priced) {
    let shell = this.#shells.get(tree);
    if (shell === undefined) {
      const opening = `<Result><Property>${escapedText(tree.id)}</Property><Checkin>`;
      shell = { opening, none: `${this.#noVacancy(tree.default_currency)}</Result>\n` };
      this.#shells.set(tree, shell);
    }
    return shell;
  }

  /** The partner's form of an unavailable stay. */
  #noVacancy(currency: string): string {
    const { base, tax, fees, decimals } = priceWords(currency);
    if (this.#profile.unavailable === "no_vacancy") {
      return `<Unavailable><NoVacancy/></Unavailable><Tax currency="${currency}">0${fees}0${FEES_END}`;
    }
    const minusOne = `-${decimals(10 ** exponentOf(currency))}`;
    return base + minusOne + tax + minusOne + fees + minusOne + FEES_END;
  }
}

/**
 * The rate that partners show: the lowest total for two adults. Rates for one guest do not count.
 * Amounts of different currencies are not compared; the property's own currency has precedence.
 */
function cheapestOf(bundles: readonly Bundle[], ownCurrency: string): Bundle | null {
  let best: Bundle | null = null;
  for (const bundle of bundles) {
    if (bundle.adults < 2) continue;
    if (best === null) best = bundle;
    else if (bundle.currency !== best.currency) {
      if (bundle.currency === ownCurrency) best = bundle;
    } else if (totalOf(bundle) < totalOf(best)) best = bundle;
  }
  return best;
}
