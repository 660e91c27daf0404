/**
 * Schemas for requests. Objects are closed: an unknown property is a fault. `description` is the
 * text of `field_errors[].expected`.
 */
import { type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import {
  ADULTS_MAX,
  AMOUNT_MAX,
  CHILDREN_MAX,
  TOTAL_MAX,
} from "../../../engine/core/price/price-bounds.ts";
import { called, shownAs } from "./annotations.ts";
import { named, Party, Stay } from "./answer-parts.ts";

export { called, documented, oneOf, shownAs, vocabulary } from "./annotations.ts";

/** A closed object. */
export function closed<T extends TProperties>(properties: T): TObject<T> {
  return Type.Object(properties, { additionalProperties: false });
}

/**
 * A schema for request and answer: `asked` is closed, `answered` open, and the document has one
 * component for both.
 */
export function both<T extends TProperties>($id: string, description: string, properties: T) {
  const answered = named($id, description, properties);
  return { asked: shownAs(closed(properties), answered), answered };
}

/** A map whose keys match `keyPattern`; every other key is a fault of its own. */
export function mapOf<T extends TSchema>(keyPattern: string, values: T) {
  const keys = Type.String({ pattern: keyPattern });
  return Type.Record(keys, values, { additionalProperties: Type.Never() });
}

/** Optional, and null stands for unknown. */
export function optionalOrNull<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

/** Text of `low` to `high` UTF-16 code units. */
export function text(low: number, high: number) {
  return Type.String({ minLength: low, maxLength: high });
}

/** A list of `low` to `high` distinct items. */
export function distinct<T extends TSchema>(items: T, low: number, high: number) {
  const description = `a list of ${low} to ${high} different items`;
  return Type.Array(items, { minItems: low, maxItems: high, uniqueItems: true, description });
}

const SHORT_DESCRIPTION = Symbol("short description");

/** The schema with another description. */
export function describedAs<T extends TSchema>(schema: T, description: string): T {
  const { $id: _id, ...unnamed } = schema;
  return { ...unnamed, description, [SHORT_DESCRIPTION]: undefined } as unknown as T;
}

/** Adds a shorter description for tool lists; faults keep the exact one. */
export function describedInShort<T extends TSchema>(schema: T, text: string): T {
  return { ...schema, [SHORT_DESCRIPTION]: text };
}

/** The description of `describedInShort`, else the usual one. */
export function inShort(schema: TSchema): string | undefined {
  return (schema as { [SHORT_DESCRIPTION]?: string })[SHORT_DESCRIPTION] ?? schema.description;
}

/** Integer in [low, high]. */
export function integer(low: number, high: number) {
  return Type.Integer({ minimum: low, maximum: high });
}

/** Ids are opaque: a malformed one is an unknown one. */
export const Id = text(1, 64);

/** A property's id, or its slug, which is longer. */
export const PropertyRef = text(1, 120);

/** Unanchored, lower case. */
export const UUID_PATTERN = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
export const Uuid = Type.String({
  pattern: `^${UUID_PATTERN}$`,
  description: "a UUID in lower case",
});

export const CURRENCY_PATTERN = "^[A-Z]{3}$";
export const Currency = describedInShort(
  Type.String({ pattern: CURRENCY_PATTERN, description: "three uppercase letters (ISO 4217)" }),
  "ISO 4217",
);

/** Checks only the form; validity of the date is checked later. */
export const CivilDate = describedInShort(
  Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "a date as YYYY-MM-DD" }),
  "YYYY-MM-DD",
);

export const Amount = integer(0, AMOUNT_MAX);
/** An amount of a whole stay. */
export const Total = integer(0, TOTAL_MAX);

export const StaySchema = shownAs(closed({ check_in: CivilDate, check_out: CivilDate }), Stay);

/** The party of a stay. */
export const Guests = shownAs(
  closed({
    adults: integer(1, ADULTS_MAX),
    children: Type.Optional(
      Type.Array(closed({ age: integer(0, 17) }), { maxItems: CHILDREN_MAX }),
    ),
  }),
  Party,
);

/** Any value passes: `readKey` validates the key, so that it is reported once. */
export const BodyKey = Type.Optional(
  Type.Unsafe<string>(Type.Unknown({ type: "string", minLength: 1, maxLength: 255 })),
);

export const Email = Type.String({
  pattern: "^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$",
  maxLength: 254,
  description: "an e-mail address",
});

export const ClockTime = Type.String({
  pattern: "^([01]\\d|2[0-3]):[0-5]\\d$",
  description: "a local time as HH:mm",
});

/** An opaque id in a body, with its description. */
export function idOf(what: string) {
  return describedInShort(describedAs(Id, `text of 1 to 64 characters: ${what}`), what);
}

/** For writes without parameters in the body, such as extend and release. */
export const EmptyBody = called("EmptyRequest", closed({ idempotency_key: BodyKey }));
