/** Stays whose price or availability changed. */
import { dateOf, dayOf } from "../../engine/core/calendar.ts";
import { decimalOf } from "../amounts.ts";
import { type Element, textIn } from "../reading/element.ts";
import { itineraryOf } from "../reading/itinerary.ts";
import { digestOf, type Figures, figuresOf, Stays } from "./stays.ts";

/**
 * `offers`: the same cheapest price, but other rooms, plans or price shares. `vanished`: missing on
 * a day that the new document has, so partners keep the old price.
 */
type Change = "dearer" | "cheaper" | "sold_out" | "available" | "offers" | "vanished";

export interface StayChange {
  readonly property: string;
  readonly check_in: string;
  readonly nights: number;
  readonly change: Change;
  /** The cheapest offer with taxes and fees; null without one. */
  readonly old: string | null;
  readonly new: string | null;
}

export type PricesCompared = Readonly<Record<Change, number>> & {
  readonly old_properties: number;
  readonly new_properties: number;
  readonly properties_added: number;
  readonly properties_removed: number;
  /** Properties with changed descriptions of rooms or plans. */
  readonly properties_changed: number;
  readonly old_stays: number;
  readonly new_stays: number;
  /** Stays in both documents; the others are of days or properties of one of them. */
  readonly compared: number;
  /** The first changes. */
  readonly changes: readonly StayChange[];
};

/** The old document's stays of a property, and the days of the new one. */
interface Property {
  readonly stays: Stays;
  readonly newDays: Set<number>;
  description: number | null;
  isInNew: boolean;
}

function slotOf(element: Element) {
  const stay = itineraryOf(element);
  const [day, nights] = [dayOf(stay.checkIn), Number(stay.nights)];
  const isStay = !Number.isNaN(day) && Number.isInteger(nights) && nights >= 1 && nights <= 99;
  return isStay ? { day, nights, figures: figuresOf(stay) } : null;
}

function changeOf(old: Figures, now: Figures): Change | null {
  if (old.total === null || now.total === null) {
    if (old.total === now.total) return null;
    return now.total === null ? "sold_out" : "available";
  }
  if (old.total === now.total && old.currency === now.currency) {
    return old.digest === now.digest ? null : "offers";
  }
  return now.total < old.total ? "cheaper" : "dearer";
}

function amountOf({ total, currency }: Figures): string | null {
  return total === null ? null : `${decimalOf(total, currency)} ${currency}`;
}

/** Takes every element of the old document, then those of the new one. */
export class PricesComparison {
  readonly #first: number;
  readonly #properties = new Map<string, Property>();
  readonly #added = new Set<string>();
  readonly #changes: StayChange[] = [];
  readonly #stays = { old_stays: 0, new_stays: 0, compared: 0 };
  readonly #counts: Record<Change, number> = {
    ...{ dearer: 0, cheaper: 0, sold_out: 0, available: 0, offers: 0, vanished: 0 },
  };
  #propertiesChanged = 0;

  /** `first`: changes reported in full. */
  constructor(first: number) {
    this.#first = first;
  }

  takeOld(name: string, element: Element): void {
    const id = textIn(element, "Property");
    const known = this.#properties.get(id);
    const made = { stays: new Stays(), newDays: new Set<number>() };
    const property = known ?? { ...made, description: null, isInNew: false };
    if (!known) this.#properties.set(id, property);
    if (name === "PropertyDataSet") property.description = digestOf(JSON.stringify(element));
    const slot = name === "Result" ? slotOf(element) : null;
    if (slot === null) return;
    this.#stays.old_stays += 1;
    property.stays.set(slot.day, slot.nights, slot.figures);
  }

  takeNew(name: string, element: Element): void {
    const id = textIn(element, "Property");
    const property = this.#properties.get(id);
    if (property) property.isInNew = true;
    else this.#added.add(id);
    if (name === "PropertyDataSet") {
      if (property && property.description !== digestOf(JSON.stringify(element))) {
        this.#propertiesChanged += 1;
      }
      return;
    }
    const slot = name === "Result" ? slotOf(element) : null;
    if (slot === null) return;
    this.#stays.new_stays += 1;
    const { day, nights, figures } = slot;
    property?.newDays.add(day);
    const old = property?.stays.take(day, nights) ?? null;
    if (old === null) return;
    this.#stays.compared += 1;
    const change = changeOf(old, figures);
    if (change === null) return;
    const amounts = { old: amountOf(old), new: amountOf(figures) };
    this.#record({ property: id, check_in: dateOf(day), nights, change, ...amounts });
  }

  end(): PricesCompared {
    let both = 0;
    for (const [id, { stays, newDays, isInNew }] of this.#properties) {
      if (!isInNew) continue;
      both += 1;
      for (const { day, nights } of stays.left()) {
        if (!newDays.has(day)) continue;
        const old = amountOf(stays.take(day, nights)!);
        const change = "vanished";
        this.#record({ property: id, check_in: dateOf(day), nights, change, old, new: null });
      }
    }
    return {
      old_properties: this.#properties.size,
      new_properties: both + this.#added.size,
      properties_added: this.#added.size,
      properties_removed: this.#properties.size - both,
      properties_changed: this.#propertiesChanged,
      ...this.#stays,
      ...this.#counts,
      changes: this.#changes,
    };
  }

  #record(change: StayChange): void {
    this.#counts[change.change] += 1;
    if (this.#changes.length < this.#first) this.#changes.push(change);
  }
}
