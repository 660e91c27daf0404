/** Body of `PUT /v1/admin/ai-config` (domain §17). */
import { type Static, Type } from "@sinclair/typebox";
import { TOPICS } from "../../advisor/lexicon.ts";
import {
  BodyKey,
  called,
  closed,
  distinct,
  integer,
  oneOf,
  optionalOrNull,
  said,
  text,
} from "../../http/schema/request-parts.ts";

/** What is left out has its default, but the secret, which stays as it is. */
export const AiConfigBody = called(
  "AiConfigRequest",
  closed({
    enabled: Type.Boolean(),
    provider: oneOf(["rules", "http"]),
    model: optionalOrNull(text(1, 200)),
    endpoint: optionalOrNull(said(text(1, 2_000), "the https address of chat completions")),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    max_turns: Type.Optional(integer(0, 50)),
    allowed_topics: Type.Optional(distinct(oneOf(TOPICS), 0, TOPICS.length)),
    tone: optionalOrNull(text(1, 200)),
    disclosure: optionalOrNull(text(1, 500)),
    max_calls_per_day: Type.Optional(integer(0, 1_000_000)),
    secret: optionalOrNull(said(text(1, 500), "text of 1 to 500 characters, or null for none")),
    version: Type.Optional(integer(1, Number.MAX_SAFE_INTEGER)),
    idempotency_key: BodyKey,
  }),
);
export type AiConfigRequest = Static<typeof AiConfigBody>;
