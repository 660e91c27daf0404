/** Bodies of `/v1/advisor/sessions`. */
import type { Static } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import {
  BodyKey,
  called,
  closed,
  describedAs,
  describedInShort,
  PropertyRef,
  text,
} from "../../http/schema/request-parts.ts";

const LOCALE = describedInShort(
  describedAs(text(2, 16), "text of 2 to 16 characters: a language tag, as de-CH"),
  "language tag",
);

export const SessionBody = called(
  "AdvisorSessionRequest",
  closed({
    property_slug: describedAs(PropertyRef, "text of 1 to 120 characters: a property's slug or id"),
    locale: Type.Optional(LOCALE),
    idempotency_key: BodyKey,
  }),
);
export type SessionRequestBody = Static<typeof SessionBody>;

export const MessageBody = called(
  "AdvisorMessageRequest",
  closed({ message: text(1, 2_000), idempotency_key: BodyKey }),
);
export type MessageRequestBody = Static<typeof MessageBody>;
