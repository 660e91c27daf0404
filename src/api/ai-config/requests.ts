/** Body of `PUT /v1/admin/ai-config`. */
import { type Static, Type } from "@sinclair/typebox";
import { TOPICS } from "../../advisor/lexicon.ts";
import {
  BodyKey,
  called,
  closed,
  describedAs,
  distinct,
  integer,
  oneOf,
  optionalOrNull,
  text,
} from "../../http/schema/request-parts.ts";

/** Omitted members get their defaults, except the secret, which stays. */
export const AiConfigBody = called(
  "AiConfigRequest",
  closed({
    enabled: describedAs(Type.Boolean(), "true or false: whether the provider is used"),
    provider: oneOf(["rules", "http"]),
    model: optionalOrNull(describedAs(text(1, 200), "text of 1 to 200 characters: a model's name")),
    endpoint: optionalOrNull(describedAs(text(1, 2_000), "the https address of chat completions")),
    temperature: Type.Optional(
      describedAs(Type.Number({ minimum: 0, maximum: 2 }), "a number, 0 to 2"),
    ),
    max_turns: Type.Optional(
      describedAs(integer(0, 50), "0 to 50 earlier questions for the model"),
    ),
    allowed_topics: Type.Optional(distinct(oneOf(TOPICS), 0, TOPICS.length)),
    tone: optionalOrNull(
      describedAs(text(1, 200), "text of 1 to 200 characters: tone of the model"),
    ),
    disclosure: optionalOrNull(
      describedAs(text(1, 500), "text of 1 to 500 characters, appended to answers"),
    ),
    max_calls_per_day: Type.Optional(
      describedAs(integer(0, 1_000_000), "0 to 1000000 calls of the model"),
    ),
    secret: optionalOrNull(
      describedAs(text(1, 500), "text of 1 to 500 characters, or null for none"),
    ),
    version: Type.Optional(
      describedAs(integer(1, Number.MAX_SAFE_INTEGER), "the current version, as in If-Match"),
    ),
    idempotency_key: BodyKey,
  }),
);
export type AiConfigRequest = Static<typeof AiConfigBody>;
