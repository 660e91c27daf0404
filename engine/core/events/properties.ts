/** Events of properties, their nights and the exchange rates of a tenant. */
import type { Difference } from "../structural-sharing.ts";
import type { AriUpdate, PropertyTree } from "../supply.ts";
import type { Declarations } from "./declaration.ts";
import {
  ARI_COUNTS,
  CURRENCY,
  DATE_OR_NULL,
  freeForm,
  ID,
  INSTANT,
  integer,
  oneOf,
  onlyTrue,
  optional,
  orNull,
  PROPERTY_STATE,
  RATES,
  text,
  VERSION,
} from "./members.ts";

/** Members of events that may be too large for the full data. */
const TRUNCATED = {
  truncated: optional(onlyTrue("The full data would be too large.")),
  read: optional(orNull(text("Where to read the full data, if it exists."))),
};
const TREE = {
  ...{ property_id: ID, slug: text(), name: text() },
  ...{ room_type_count: integer(0), rate_plan_count: integer(0) },
  tree: optional(freeForm("The property with its room types and plans.")),
  ...TRUNCATED,
};
const OVERSOLD = { oversold_nights: optional(integer(1, "Total number of oversold nights.")) };
const CHANGED_STATE = {
  subject: "property",
  data: { property_id: ID, state: PROPERTY_STATE, version: VERSION },
  dataName: "PropertyState",
} as const;

export const PROPERTY_EVENTS = {
  "property.created": {
    meaning: "A property was created as a draft.",
    subject: "property",
    data: { ...TREE, state: oneOf(["draft"]) },
  },
  "property.replaced": {
    meaning: "A property was changed: its tree was replaced.",
    subject: "property",
    data: { ...TREE, version: VERSION, ...OVERSOLD },
  },
  "property.deleted": {
    meaning: "A draft was deleted; its slug is free again.",
    subject: "property",
    data: { property_id: ID, slug: text(), state: oneOf(["deleted"]), version: VERSION },
  },
  "property.promoted": {
    meaning: "A property changed its state; only `live` is on sale.",
    ...CHANGED_STATE,
  },
  "property.suspended": {
    meaning: "A property was taken off sale; a promotion puts it back.",
    ...CHANGED_STATE,
  },
  "property.archived": {
    meaning: "A property was archived; its bookings stay valid.",
    ...CHANGED_STATE,
  },
  "ari.changed": {
    meaning: "Inventory, rates, restrictions or ceilings of a property changed.",
    subject: "property",
    data: {
      ...{ property_id: ID, from: DATE_OR_NULL, to: DATE_OR_NULL, counts: ARI_COUNTS, ...OVERSOLD },
      ari: optional(freeForm("The ranges as they were sent; other values did not change.")),
      ...TRUNCATED,
    },
  },
  "fx.changed": {
    meaning: "The tenant's exchange rates were replaced.",
    subject: "tenant",
    data: { base: CURRENCY, as_of: INSTANT, rates: optional(RATES), ...TRUNCATED },
  },
} as const satisfies Declarations;

/** Number of oversold nights after a change; absent for none. */
interface Overselling {
  readonly oversold_nights?: number;
}

/** The published part of a tree that is too large to publish. */
export interface TreeFigures {
  readonly slug: string;
  readonly name: string;
  readonly room_type_count: number;
  readonly rate_plan_count: number;
}

/** Published for every tree; alone for one that is too large. */
export function figuresOf({ slug, name, room_types }: PropertyTree): TreeFigures {
  const rate_plan_count = room_types.reduce((sum, room) => sum + room.rate_plans.length, 0);
  return { slug, name, room_type_count: room_types.length, rate_plan_count };
}

/** Up to this size `data` is published whole, beyond it as figures. */
export const WHOLE_BYTES_MAX = 16_000;

/** Units already in use for a ceiling scope when it is first set. */
export interface CeilingUsage {
  readonly room_type_id: string;
  readonly rate_plan_id: string | null;
  readonly agent_id: string | null;
  readonly used: readonly (readonly [day: number, units: number])[];
}

/** Data as journaled, where more is journaled than published. */
export interface JournaledSupply {
  readonly "property.created": { readonly property_id: string; readonly tree: PropertyTree };
  /**
   * A new version of the tree: whole, or as the difference from the version before. A difference
   * comes with `figures`, so that the row alone has all that subscribers see.
   */
  readonly "property.replaced": {
    readonly property_id: string;
    readonly version: number;
    readonly supply_version: number;
  } & Overselling &
    (
      | { readonly tree: PropertyTree; readonly difference?: undefined }
      | {
          readonly tree?: undefined;
          readonly difference: Difference;
          readonly figures: TreeFigures;
        }
    );
  readonly "property.deleted": {
    readonly property_id: string;
    readonly slug: string;
    readonly version: number;
  };
  readonly "ari.changed": { readonly property_id: string; readonly ari: AriUpdate } & Overselling;
  readonly "fx.changed": {
    readonly base: string;
    readonly rates: Readonly<Record<string, string>>;
    readonly as_of: string;
  };
}

/** What only folds need, beside `data`. */
export interface SupplySecrets {
  readonly "ari.changed": { readonly secret?: { readonly usage: readonly CeilingUsage[] } };
}
