/**
 * What documents tell of a schema beyond what it checks: the name of its component, more words, or
 * the answers' schema that stands for it. Requests and answers are made of these.
 */
import { Kind, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";

TypeRegistry.Set<{ enum: readonly unknown[] }>("OneOf", (schema, value) =>
  schema.enum.includes(value),
);

/** One of some words, as JSON Schema `enum` (a union of literals would give one fault for each). */
export function oneOf<const T extends readonly string[]>(words: T) {
  const description = `one of ${words.join(", ")}`;
  return Type.Unsafe<T[number]>({ [Kind]: "OneOf", type: "string", enum: words, description });
}

/** The same schema under a name of its own in the document, and in generated clients. */
export function called<T extends TSchema>($id: string, schema: T): T {
  return { ...schema, $id };
}

TypeRegistry.Set<object>("SearchedWord", (_, value) => typeof value === "string");

/**
 * One of these words in any case of letters, as a search asks for it. Another word is no fault: it
 * finds nothing, and the answer says which would (rules §4).
 */
export function searchedWord<T extends TSchema>(words: T): T {
  const { $id: _id, ...unnamed } = words;
  return shownAs({ ...unnamed, [Kind]: "SearchedWord" } as unknown as T, words);
}

/** A closed set of words that several requests or answers have: one name, one meaning. */
export function vocabulary<const T extends readonly string[]>(
  $id: string,
  words: T,
  meaning: string,
) {
  return called($id, describedAtLength(oneOf(words), meaning));
}

/** Where a schema keeps what only the OpenAPI document tells of it. */
const TOLD_AT_LENGTH = Symbol("told at length");

/** The same schema with more to read in the OpenAPI document; faults and tools stay short. */
export function describedAtLength<T extends TSchema>(schema: T, text: string): T {
  return { ...schema, [TOLD_AT_LENGTH]: text };
}

/** What `describedAtLength` has added, if anything. */
export function atLength(schema: TSchema): string | undefined {
  return (schema as { [TOLD_AT_LENGTH]?: string })[TOLD_AT_LENGTH];
}

/** Where a request's schema keeps the answers' schema that readers of the document see instead. */
const SHOWN_AS = Symbol("shown as");

/**
 * A request's part that answers have too: the document shows the answers' one, so that what came
 * out of one call is what goes into the next. It must ask for no member that this does not have.
 */
export function shownAs<T extends TSchema>(schema: T, answered: TSchema): T {
  return { ...schema, [SHOWN_AS]: answered };
}

/** What `shownAs` has named, if anything. */
export function shownOf(schema: TSchema): TSchema | undefined {
  return (schema as { [SHOWN_AS]?: TSchema })[SHOWN_AS];
}
