/** Advisor sessions as their agents see them (spec 2.9). */
import { Type } from "@sinclair/typebox";
import { vocabulary } from "../../http/schema/annotations.ts";
import { Instant, named, orNull, Uuid, words } from "../../http/schema/answer-parts.ts";

const Suggestion = named("AdvisorSuggestion", "A link that goes on from an answer.", {
  label: Type.String(),
  href: Type.String({ description: "Path on this service." }),
});

const AnsweredBy = vocabulary(
  "AdvisorSource",
  ["rules", "model"],
  "What wrote an answer: the rules of this service, or the model that the tenant has configured.",
);

const Message = named("AdvisorMessage", "A question, or its answer.", {
  id: Uuid,
  role: words(["user", "assistant"], "`user` asks, `assistant` answers."),
  message: Type.String({
    description: "Plain text, in the language of the question; sentences on lines of their own.",
  }),
  grounded_facts: Type.Array(Type.String(), {
    description: "What the answer rests on, as `checkin_time: 15:00`; empty of a question.",
  }),
  suggestions: Type.Array(Suggestion),
  created_at: Instant,
  answered_by: orNull(AnsweredBy),
  fallback_reason: orNull(
    Type.String({
      description:
        "Why the rules answered although a model is configured, as `timeout`; null otherwise.",
    }),
  ),
});

export const AdvisorSession = named(
  "AdvisorSession",
  "Questions about one property and their answers, oldest first.",
  {
    session_id: Type.String({ format: "uuid", description: "Known to its own agent alone." }),
    property_slug: Type.String({ description: "The property that is asked about." }),
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
    "`text`; then one `session`, whose `data` is the envelope that is answered otherwise.",
});
