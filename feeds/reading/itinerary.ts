/** A `Result` of `ari.xml`: the prices of a stay, or its unavailability. */
import { exponentOf } from "../../engine/core/price/money.ts";
import { attributeOf, childOf, childrenOf, type Element, textIn, textOf } from "./element.ts";

/** The three amounts of a price as written in the document. */
export interface Price {
  readonly currency: string;
  readonly base: string;
  readonly tax: string;
  readonly fees: string;
}

export interface Bundle {
  readonly room: string;
  readonly plan: string;
  readonly package: string;
  readonly occupancy: string;
  readonly price: Price | null;
}

export interface Itinerary {
  readonly property: string;
  readonly checkIn: string;
  readonly nights: string;
  readonly isAvailable: boolean;
  /** The price without a room; null for sold-out stays and with bundles only. */
  readonly price: Price | null;
  readonly bundles: readonly Bundle[];
}

/** An amount in minor units; null when it is not a plain decimal number of its currency. */
export function minorOf(amount: string, currency: string): number | null {
  const [, whole, fraction = ""] = /^(\d{1,12})(?:\.(\d{1,4}))?$/.exec(amount) ?? [];
  const exponent = exponentOf(currency);
  if (whole === undefined || currency === "" || fraction.length > exponent) return null;
  return Number(whole + fraction.padEnd(exponent, "0"));
}

/** Base, tax and fees in minor units; null when one of them is invalid. */
export function totalOf({ base, tax, fees, currency }: Price): number | null {
  const amounts = [base, tax, fees].map((amount) => minorOf(amount, currency));
  return amounts.reduce<number | null>((sum, amount) => {
    return sum === null || amount === null ? null : sum + amount;
  }, 0);
}

const AMOUNTS = ["Baserate", "Tax", "OtherFees"] as const;

/** Microsoft's form of an unavailable stay. */
function isMinusOne(element: Element): boolean {
  const base = childOf(element, "Baserate");
  return base !== null && /^-1(?:\.0+)?$/.test(textOf(base));
}

/** The currencies of an element's amounts; "" for one without. */
export function currenciesIn(element: Element): readonly string[] {
  return AMOUNTS.flatMap((name) => childrenOf(element, name)).map((amount) => {
    return attributeOf(amount, "currency") ?? "";
  });
}

function priceOf(element: Element): Price | null {
  const base = childOf(element, "Baserate");
  if (base === null) return null;
  const amountOf = (name: string) => {
    const amount = childOf(element, name);
    return amount === null ? "0" : textOf(amount);
  };
  const currency = attributeOf(base, "currency") ?? "";
  return { currency, base: textOf(base), tax: amountOf("Tax"), fees: amountOf("OtherFees") };
}

function bundleOf(element: Element): Bundle {
  return {
    room: textIn(element, "RoomID"),
    plan: textIn(element, "RatePlanID"),
    package: textIn(element, "PackageID"),
    occupancy: textIn(element, "Occupancy"),
    price: priceOf(element),
  };
}

/** Parses a `Result`. */
export function itineraryOf(element: Element): Itinerary {
  const isAvailable = childOf(element, "Unavailable") === null && !isMinusOne(element);
  return {
    property: textIn(element, "Property"),
    checkIn: textIn(element, "Checkin"),
    nights: textIn(element, "Nights"),
    isAvailable,
    price: isAvailable ? priceOf(element) : null,
    bundles: childrenOf(element, "RoomBundle").map(bundleOf),
  };
}
