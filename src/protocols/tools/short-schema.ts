/** Schemas of arguments for readers who pay for each word: those that stand before a model. */
import type { TSchema } from "@sinclair/typebox";
import { inShort } from "../../http/schema/request-parts.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Left out of a short schema. A model heeds words rather than patterns and bounds, and the route
 * judges by the whole schema and tells what it expected.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["$id", "pattern", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems"],
]);

/** A schema with only what tells a model how to fill it; that it is closed is said once. */
export function shortSchema(schema: TSchema): Members {
  return { additionalProperties: schema.additionalProperties, ...within(schema) };
}

function within(schema: TSchema): Members {
  const { properties, items, anyOf, additionalProperties: _, ...rest } = schema;
  const told = Object.entries(rest).filter(([name]) => !LEFT_OUT.has(name));
  const description = inShort(schema);
  return {
    ...Object.fromEntries(told),
    // The words of an enum say themselves what there is to say.
    ...(description === undefined || rest.enum ? { description: undefined } : { description }),
    ...(properties && { properties: mapped(properties, within) }),
    ...(items && { items: within(items) }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
  };
}

function mapped(members: Record<string, TSchema>, make: (schema: TSchema) => Members) {
  return Object.fromEntries(Object.entries(members).map(([name, each]) => [name, make(each)]));
}
