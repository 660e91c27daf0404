/**
 * `RateAmountMessage`: prices of a night for the guests that a rate includes, and for each adult
 * more. A rate of this service has its included taxes inside, so an amount after tax is the rate
 * where all charges are included, and one before tax where none is.
 */
import { AMOUNT_MAX } from "../../engine/core/price/price-bounds.ts";
import { IdOrCodeLookup } from "../../engine/core/properties/lookup-by-id-or-code.ts";
import type { PropertyTree } from "../../engine/core/supply.ts";
import { minorOf } from "../amounts.ts";
import { attributeOf, childrenOf, type Element } from "../reading/element.ts";
import type { RecordedAri, Target } from "./recorded-ari.ts";
import { targetOf, wholeOf } from "./values.ts";

/** The age qualifying code of adults. */
const ADULT = "10";
const GUESTS_MAX = 99;

/** Which amounts of a message are rates of the property. */
type Basis = "AmountAfterTax" | "AmountBeforeTax";

/** Null where some charges are included and some are not. */
function basesOf({ tax_rules }: PropertyTree): readonly Basis[] | null {
  const isIncluded = tax_rules.map(({ included_in_rate }) => included_in_rate);
  if (isIncluded.length === 0) return ["AmountAfterTax", "AmountBeforeTax"];
  if (isIncluded.every(Boolean)) return ["AmountAfterTax"];
  return isIncluded.some(Boolean) ? null : ["AmountBeforeTax"];
}

/** The rate plan that an item is about. */
interface Sold {
  readonly currency: string;
  /** Guests that its rate includes. */
  readonly included: number;
}

export class RateReader {
  readonly #names: IdOrCodeLookup;
  readonly #bases: readonly Basis[] | null;
  readonly #into: RecordedAri;

  constructor(tree: PropertyTree, into: RecordedAri) {
    this.#names = new IdOrCodeLookup(tree);
    this.#bases = basesOf(tree);
    this.#into = into;
  }

  /** A `RateAmountMessage`. */
  read(item: Element, record: number): void {
    const into = this.#into;
    const target = targetOf(item, record, "plan", into);
    if (target === null) return;
    const sold = this.#soldBy(target, record);
    if (sold === null) return;
    const before = into.faults.length + into.warnings.length;
    const rates = childrenOf(item, "Rates").flatMap((all) => childrenOf(all, "Rate"));
    let amount: number | null = null;
    let extra: number | null = null;
    for (const rate of rates) {
      amount = this.#baseOf(rate, sold, record) ?? amount;
      extra = this.#extraOf(rate, sold, record) ?? extra;
    }
    if (amount !== null || extra !== null) {
      into.rate(record, target, {
        ...(amount !== null && { amount }),
        ...(extra !== null && { extra_adult: extra }),
      });
    } else if (into.faults.length + into.warnings.length === before) {
      into.fault("missing", record, "BaseByGuestAmt is missing");
    }
  }

  #soldBy({ room: roomName, plan: planName }: Target, record: number): Sold | null {
    const into = this.#into;
    const room = roomName === null ? undefined : this.#names.room(roomName);
    if (room === null || (room && "candidates" in room)) {
      into.fault("roomType", record, "InvTypeCode is not one room type of this hotel");
      return null;
    }
    const found = this.#names.plan(planName!, room?.id);
    if (found && "plan" in found) {
      return { currency: found.plan.currency, included: found.room.included_occupancy };
    }
    const which = found === null ? "is not a rate plan" : "is a rate plan of several room types";
    into.fault("ratePlan", record, `RatePlanCode ${which} of this hotel`);
    return null;
  }

  /** The price for the included guests; null without one. */
  #baseOf(rate: Element, { currency, included }: Sold, record: number): number | null {
    const into = this.#into;
    const all = childrenOf(rate, "BaseByGuestAmts").flatMap((each) => {
      return childrenOf(each, "BaseByGuestAmt");
    });
    let amount: number | null = null;
    for (const base of all) {
      const told = attributeOf(base, "NumberOfGuests");
      const guests = told === null ? included : wholeOf(told, GUESTS_MAX);
      if (guests !== included || (attributeOf(base, "AgeQualifyingCode") ?? ADULT) !== ADULT) {
        into.warn(record, `a price was ignored; expected one for ${included} adults`);
        continue;
      }
      amount = this.#amountIn(base, rate, currency, record) ?? amount;
    }
    return amount;
  }

  #amountIn(base: Element, rate: Element, currency: string, record: number): number | null {
    const into = this.#into;
    if (this.#bases === null) {
      const expected = "rates through the API, or taxes that are all included or all added";
      into.fault("unable", record, `some taxes of the hotel are included; expected ${expected}`);
      return null;
    }
    const sent = attributeOf(base, "CurrencyCode") ?? attributeOf(rate, "CurrencyCode");
    if (sent !== null && sent !== currency) {
      into.fault("currency", record, `CurrencyCode is not the rate plan's; expected ${currency}`);
      return null;
    }
    const text = this.#bases.map((name) => attributeOf(base, name)).find((each) => each !== null);
    if (text === undefined || text === null) {
      into.fault("missing", record, `${this.#bases.join(" or ")} is missing`);
      return null;
    }
    return this.#minor(this.#bases[0]!, text, currency, record);
  }

  /** The price of each adult more; null without one. */
  #extraOf(rate: Element, { currency }: Sold, record: number): number | null {
    let extra: number | null = null;
    const all = childrenOf(rate, "AdditionalGuestAmounts").flatMap((each) => {
      return childrenOf(each, "AdditionalGuestAmount");
    });
    for (const each of all) {
      if ((attributeOf(each, "AgeQualifyingCode") ?? ADULT) !== ADULT) {
        this.#into.warn(record, "a price of a child was ignored; expected AgeQualifyingCode 10");
        continue;
      }
      const text = attributeOf(each, "Amount") ?? "";
      extra = this.#minor("AdditionalGuestAmount", text, currency, record) ?? extra;
    }
    return extra;
  }

  #minor(name: string, text: string, currency: string, record: number): number | null {
    const minor = minorOf(text, currency);
    if (minor !== null && minor <= AMOUNT_MAX) return minor;
    const expected = `an amount in ${currency} with its decimals`;
    this.#into.fault("value", record, `${name} is invalid; expected ${expected}`);
    return null;
  }
}
