/** The choice of a hotel in a filter. */
import type { Static } from "@sinclair/typebox";
import type { AdminPropertyList } from "../../api/properties/admin-responses.ts";
import { ask } from "./api.ts";
import { Choice } from "./choice.tsx";
import type { Visit } from "./visit.ts";

export type HotelChoice = Static<typeof AdminPropertyList>["items"];

/** More are not chosen from a list: their id or slug is typed. */
const LISTED_MAX = 200;

/** One for all comparisons: each `localeCompare` looks its language up again. */
const { compare } = new Intl.Collator("en");

/**
 * The operator's hotels by name; none for who may not list them. No more are read than say that
 * there are too many to choose from, because every page and every renewal of one asks.
 */
export async function hotelsToChoose(visit: Visit): Promise<HotelChoice> {
  const found = await ask<Static<typeof AdminPropertyList>>(visit, {
    ...{ id: "admin_list_properties", query: { limit: String(LISTED_MAX + 1) } },
  });
  return found.ok ? found.data.items.toSorted((a, b) => compare(a.name, b.name)) : [];
}

interface PickerOf {
  readonly hotels: HotelChoice;
  /** Id or slug of the chosen one; empty for all. */
  readonly chosen: string;
  /** Absent where one must be chosen. */
  readonly all?: string;
}

/** A field `property_id`. */
export function PropertyPicker({ hotels, chosen, all }: PickerOf) {
  if (hotels.length === 0 || hotels.length > LISTED_MAX) {
    return (
      <label>
        Hotel (id or slug)
        <input name="property_id" value={chosen} required={all === undefined} />
      </label>
    );
  }
  const options = hotels.map(({ property_id, name }) => [property_id, name] as const);
  const hotel = hotels.find(({ property_id, slug }) => chosen === property_id || chosen === slug);
  const any = all === undefined ? {} : { any: all };
  return (
    <Choice
      {...{ label: "Hotel", name: "property_id", options, chosen: hotel?.property_id ?? "" }}
      {...any}
    />
  );
}
