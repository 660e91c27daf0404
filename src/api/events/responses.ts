/** A page of events, and the catalogue of their kinds. */
import { Type } from "@sinclair/typebox";
import { freeForm, named } from "../../http/schema/answer-parts.ts";
import { Event, SubjectType } from "./kinds.ts";

export const EventPage = named("EventPage", "Events in their order, none left out.", {
  items: Type.Array(Event),
  last_seq: Type.Integer({
    minimum: 0,
    description: "All events that were asked for are told up to this one: the next `after_seq`.",
  }),
  head_seq: Type.Integer({
    minimum: 0,
    description: "The last event that there is; less than `after_seq` in another history.",
  }),
  journal_id: Type.String({
    pattern: "^[0-9a-f]{32}$",
    description:
      "Which history the numbers are of. Another one after a restore from a back-up: what was " +
      "read by the former numbers may have happened otherwise, so read again from 0.",
  }),
});

/** What a stream sends; each event's `data` is an `Event`. */
export const EventStreamText = Type.String({
  description:
    "Server-sent events: first `metadata` with `{journal_id, tenant_id, mode, after_seq, " +
    "head_seq}`, then the events, `id` their `seq`, `event` their `type`, `data` the event.",
});

export const EventKinds = named("EventKinds", "Every kind of event.", {
  items: Type.Array(
    named("EventKind", "A kind of event.", {
      kind: Type.String(),
      meaning: Type.String(),
      subject_type: SubjectType,
      schema: freeForm("JSON Schema of the event."),
      example: freeForm("An event of a run."),
      docs_url: Type.String({ format: "uri" }),
    }),
  ),
});

/** An event as a line of a table, whatever its kind; `data` stands as JSON. */
export const EventRow = Type.Object({
  ...{ seq: Type.Integer(), type: Type.String(), timestamp: Type.String(), id: Type.String() },
  subject: Type.Object({ type: Type.String(), id: Type.String(), version: Type.Integer() }),
  data: freeForm("By kind."),
});
