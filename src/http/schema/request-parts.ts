/**
 * The pieces request schemas are made of. Every object is closed: an unknown property is a fault.
 * `description` is what a caller reads in `field_errors[].expected`.
 */
import {
  Kind,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
  TypeRegistry,
} from "@sinclair/typebox";
import { ADULTS_MAX, AMOUNT_MAX, CHILDREN_MAX } from "../../../engine/core/dearest-stay.ts";

TypeRegistry.Set<{ enum: readonly unknown[] }>("OneOf", (schema, value) =>
  schema.enum.includes(value),
);

/** One of some words, as JSON Schema `enum` (a union of literals would give one fault for each). */
export function oneOf<const T extends readonly string[]>(words: T) {
  const description = `one of ${words.join(", ")}`;
  return Type.Unsafe<T[number]>({ [Kind]: "OneOf", type: "string", enum: words, description });
}

/** An object with these properties and no others. */
export function closed<T extends TProperties>(properties: T): TObject<T> {
  return Type.Object(properties, { additionalProperties: false });
}

/** A map whose keys match `keyPattern`; every key that does not is a fault of its own. */
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

/** A list of `low` to `high` items, no two of them equal. */
export function distinct<T extends TSchema>(items: T, low: number, high: number) {
  const description = `a list of ${low} to ${high} different items`;
  return Type.Array(items, { minItems: low, maxItems: high, uniqueItems: true, description });
}

/** Where a schema keeps the words for readers who pay for each of them. */
const TOLD_IN_SHORT = Symbol("told in short");

/** The same schema in other words: readers of documents and of `expected` see them. */
export function said<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description, [TOLD_IN_SHORT]: undefined };
}

/** Where a schema keeps what only the OpenAPI document tells of it. */
const TOLD_AT_LENGTH = Symbol("told at length");

/** The same schema with more to read in the OpenAPI document; faults and tools stay short. */
export function toldAtLength<T extends TSchema>(schema: T, text: string): T {
  return { ...schema, [TOLD_AT_LENGTH]: text };
}

/** What `toldAtLength` has added, if anything. */
export function atLength(schema: TSchema): string | undefined {
  return (schema as { [TOLD_AT_LENGTH]?: string })[TOLD_AT_LENGTH];
}

/** The same schema with fewer words for the short lists of tools; faults keep the exact ones. */
export function toldInShort<T extends TSchema>(schema: T, text: string): T {
  return { ...schema, [TOLD_IN_SHORT]: text };
}

/** What `toldInShort` has said, else the description. */
export function inShort(schema: TSchema): string | undefined {
  return (schema as { [TOLD_IN_SHORT]?: string })[TOLD_IN_SHORT] ?? schema.description;
}

/** Integer in [low, high]. */
export function integer(low: number, high: number) {
  return Type.Integer({ minimum: low, maximum: high });
}

/** Ids are opaque (rules §1): a malformed one is an unknown one. */
export const Id = text(1, 64);

/** What a property is named by in a body: its id, or its slug, which is longer. */
export const PropertyRef = text(1, 120);

/** The text of a UUID in lower case, to be anchored where it is used. */
export const UUID_PATTERN = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
export const Uuid = Type.String({
  pattern: `^${UUID_PATTERN}$`,
  description: "a UUID in lower case",
});

export const CURRENCY_PATTERN = "^[A-Z]{3}$";
export const Currency = toldInShort(
  Type.String({ pattern: CURRENCY_PATTERN, description: "three uppercase letters (ISO 4217)" }),
  "ISO 4217",
);

/** The form only (spec 4.4); whether the date exists is asked after. */
export const CivilDate = toldInShort(
  Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "a date as YYYY-MM-DD" }),
  "YYYY-MM-DD",
);

export const Amount = integer(0, AMOUNT_MAX);

export const StaySchema = closed({ check_in: CivilDate, check_out: CivilDate });

/** Spec part 8. */
export const Guests = closed({
  adults: integer(1, ADULTS_MAX),
  children: Type.Optional(Type.Array(closed({ age: integer(0, 17) }), { maxItems: CHILDREN_MAX })),
});

/** Any value passes: `readKey` judges the key, so that it is reported once. */
export const BodyKey = Type.Optional(
  Type.Unsafe<string>(Type.Unknown({ type: "string", minLength: 1, maxLength: 255 })),
);

/** An opaque id in a body, in words that say whose. */
export function idOf(what: string) {
  return toldInShort(said(Id, `text of 1 to 64 characters: ${what}`), what);
}

/** Extend, release and every other write that says all in its path. */
export const EmptyBody = closed({ idempotency_key: BodyKey });
