/**
 * Annotations of schemas for documents: component names, longer descriptions, and the response
 * schema shown instead of a request's.
 */
import { Kind, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";

TypeRegistry.Set<{ enum: readonly unknown[] }>("OneOf", (schema, value) =>
  schema.enum.includes(value),
);

/** One of the words, as JSON Schema `enum` (a union of literals would give one fault for each). */
export function oneOf<const T extends readonly string[]>(words: T) {
  const description = `one of ${words.join(", ")}`;
  return Type.Unsafe<T[number]>({ [Kind]: "OneOf", type: "string", enum: words, description });
}

/** The schema under a component name. */
export function called<T extends TSchema>($id: string, schema: T): T {
  return { ...schema, $id };
}

TypeRegistry.Set<object>("SearchedWord", (_, value) => typeof value === "string");

/**
 * One of the words in any case, for searches. Another word is no fault: it finds nothing, and the
 * answer lists the known ones.
 */
export function searchedWord<T extends TSchema>(words: T): T {
  const { $id: _id, ...unnamed } = words;
  return shownAs({ ...unnamed, [Kind]: "SearchedWord" } as unknown as T, words);
}

/** A closed set of words shared by requests and answers. */
export function vocabulary<const T extends readonly string[]>(
  $id: string,
  words: T,
  meaning: string,
) {
  return called($id, documented(oneOf(words), meaning));
}

const LONG_DESCRIPTION = Symbol("long description");

/** Adds a longer description for the OpenAPI document; faults and tools keep the short one. */
export function documented<T extends TSchema>(schema: T, text: string): T {
  return { ...schema, [LONG_DESCRIPTION]: text };
}

/** The description added by `documented`. */
export function documentation(schema: TSchema): string | undefined {
  return (schema as { [LONG_DESCRIPTION]?: string })[LONG_DESCRIPTION];
}

/** Key of the response schema to show instead. */
const SHOWN_AS = Symbol("shown as");

/**
 * Shows the response schema instead of the request's in documents, so that results of one call fit
 * the next. It must have all required members.
 */
export function shownAs<T extends TSchema>(schema: T, answered: TSchema): T {
  return { ...schema, [SHOWN_AS]: answered };
}

/** The schema of `shownAs`. */
export function shownOf(schema: TSchema): TSchema | undefined {
  return (schema as { [SHOWN_AS]?: TSchema })[SHOWN_AS];
}
