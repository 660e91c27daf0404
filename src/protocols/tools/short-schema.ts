/** Short schemas of arguments for models, which pay for each word. */
import type { TSchema } from "@sinclair/typebox";
import { inShort } from "../../http/schema/request-parts.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Omitted from short schemas: models follow descriptions rather than patterns and bounds, and the
 * route validates with the whole schema.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["$id", "pattern", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems"],
  "patternProperties",
]);

/** A schema with only the parts that help a model fill it in. */
export function shortSchema(schema: TSchema): Members {
  return { additionalProperties: schema.additionalProperties, ...within(schema) };
}

function within(schema: TSchema): Members {
  const { properties, items, anyOf, additionalProperties: _, ...rest } = schema;
  const kept = Object.entries(rest).filter(([name]) => !LEFT_OUT.has(name));
  const description = inShort(schema);
  return {
    ...Object.fromEntries(kept),
    // Enum values describe themselves.
    ...(description === undefined || rest.enum ? { description: undefined } : { description }),
    ...(properties && { properties: mapped(properties, within) }),
    ...(items && { items: within(items) }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
  };
}

function mapped(members: Record<string, TSchema>, make: (schema: TSchema) => Members) {
  return Object.fromEntries(Object.entries(members).map(([name, each]) => [name, make(each)]));
}
