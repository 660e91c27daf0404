/** All facts about a kind of event, collected from the code. */
import type { TSchema } from "@sinclair/typebox";
import type { PublicKind } from "../../../engine/core/events/event.ts";
import type { PublicEvent } from "../../../engine/core/public-events.ts";
import { EVENT_EXAMPLES, KINDS, plainSchema, SCHEMAS } from "../../api/events/kinds.ts";

/** Name, with `?` if optional; type in words; meaning. */
export type EventField = readonly [name: string, type: string, meaning: string];

export interface EventFacts {
  readonly kind: PublicKind;
  readonly meaning: string;
  /** Type of its subject. */
  readonly subject: string;
  /** Members of `data`. */
  readonly fields: readonly EventField[];
  readonly schema: object;
  readonly example: PublicEvent;
}

/** A schema in words, `code` in backticks. */
function typeOf(schema: TSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.anyOf) {
    const variants: TSchema[] = schema.anyOf;
    return variants.map((each) => (each.type === "null" ? "null" : typeOf(each))).join(" or ");
  }
  if (schema.type === "array") return `array of ${typeOf(schema.items)}`;
  return schema.format ?? schema.type;
}

/** The members of an object in order. */
export function eventFields({ properties = {}, required = [] }: TSchema): readonly EventField[] {
  return Object.entries<TSchema>(properties).map(([name, schema]) => {
    const shownName = required.includes(name) ? name : `${name}?`;
    return [shownName, typeOf(schema), schema.description ?? ""];
  });
}

/** All facts about a kind. */
export function eventFacts(kind: PublicKind): EventFacts {
  const { meaning, subject } = KINDS[kind];
  const schema = SCHEMAS.get(kind)!;
  return {
    ...{ kind, meaning, subject },
    fields: eventFields(schema.properties.data),
    schema: plainSchema(schema),
    example: EVENT_EXAMPLES[kind],
  };
}
