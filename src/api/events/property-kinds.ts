/** The kinds of events of properties; see `kinds.ts`. */

import { type TProperties, Type } from "@sinclair/typebox";
import { freeForm, Id, orNull, Version, words } from "../../http/schema/answer-parts.ts";
import { OVERSOLD_NIGHTS } from "../oversold.ts";
import { PropertyState } from "../properties/vocabularies.ts";

/** Members of events that may be too large for the full data. */
export const TRUNCATED = {
  truncated: Type.Optional(
    Type.Literal(true, { description: "The full data would be too large." }),
  ),
  read: Type.Optional(
    orNull(Type.String({ description: "Where to read the full data, if it exists." })),
  ),
};
const TREE = {
  ...{ property_id: Id, slug: Type.String(), name: Type.String() },
  room_type_count: Type.Integer({ minimum: 0 }),
  rate_plan_count: Type.Integer({ minimum: 0 }),
  tree: Type.Optional(freeForm("The property with its room types and plans.")),
  ...TRUNCATED,
};
const OTHER_STATE = {
  data: { property_id: Id, state: PropertyState, version: Version },
  dataName: "PropertyStateEventData",
};

interface PropertyKind {
  readonly meaning: string;
  readonly subject: "property";
  readonly data: TProperties;
  readonly dataName?: string;
}

/** Name, meaning and data of each kind. */
export const PROPERTY_KINDS = {
  "property.created": {
    meaning: "A property was created as a draft.",
    subject: "property",
    data: { ...TREE, state: words(["draft"]) },
  },
  "property.replaced": {
    meaning: "A property was changed: its tree was replaced.",
    subject: "property",
    data: { ...TREE, version: Version, oversold_nights: OVERSOLD_NIGHTS },
  },
  "property.deleted": {
    meaning: "A draft was deleted; its slug is free again.",
    subject: "property",
    data: {
      ...{ property_id: Id, slug: Type.String(), state: words(["deleted"]), version: Version },
    },
  },
  "property.promoted": {
    meaning: "A property changed its state; only `live` is on sale.",
    subject: "property",
    ...OTHER_STATE,
  },
  "property.suspended": {
    meaning: "A property was taken off sale; a promotion puts it back.",
    subject: "property",
    ...OTHER_STATE,
  },
  "property.archived": {
    meaning: "A property was archived; its bookings stay valid.",
    subject: "property",
    ...OTHER_STATE,
  },
} satisfies Readonly<Record<string, PropertyKind>>;
