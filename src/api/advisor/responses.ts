/** Advisor sessions as their agents see them. */
import { Type } from "@sinclair/typebox";
import { documented, vocabulary } from "../../http/schema/annotations.ts";
import { Instant, named, orNull, Uuid, words } from "../../http/schema/answer-parts.ts";

const Suggestion = named("AdvisorSuggestion", "A link related to an answer.", {
  label: documented(Type.String(), "Text on the guest's bill."),
  href: Type.String({ description: "Path on this service." }),
});

const AnsweredBy = vocabulary(
  "AdvisorSource",
  ["rules", "model"],
  "Source of an answer: the rules of this service or the tenant's model.",
);

const Message = named("AdvisorMessage", "A question, or its answer.", {
  id: Uuid,
  role: words(["user", "assistant"], "`user` asks, `assistant` answers."),
  message: Type.String({
    description: "Plain text in the language of the question, one sentence per line.",
  }),
  grounded_facts: Type.Array(Type.String(), {
    description: "Facts of the answer, such as `checkin_time: 15:00`; empty for a question.",
  }),
  suggestions: Type.Array(Suggestion),
  created_at: Instant,
  answered_by: orNull(AnsweredBy),
  fallback_reason: orNull(
    Type.String({
      description:
        "Why the rules answered instead of the model, such as `timeout`; null otherwise.",
    }),
  ),
});

export const AdvisorSession = named(
  "AdvisorSession",
  "Questions about one property and their answers, oldest first.",
  {
    session_id: Type.String({ format: "uuid", description: "Visible only to its agent." }),
    property_slug: Type.String({ description: "The property of the session." }),
    property_name: Type.String({ description: "Its name." }),
    created_at: Instant,
    updated_at: Instant,
    messages: Type.Array(Message),
  },
);

/** `text/event-stream` of an answer. */
export const AnswerStream = Type.String({
  description:
    "Server-sent events: `delta` for each line of the answer, its `data` a JSON object with " +
    "`text`; then one `session`, whose `data` is the envelope.",
});
