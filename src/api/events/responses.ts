/** A page of events, and the catalogue of kinds. */
import { Type } from "@sinclair/typebox";
import { freeForm, named } from "../../http/schema/answer-parts.ts";
import { Event, SubjectType } from "./kinds.ts";

export const EventPage = named("EventPage", "Events in order, without gaps.", {
  items: Type.Array(Event),
  last_seq: Type.Integer({
    minimum: 0,
    description: "All matching events up to this one are included: the next `after_seq`.",
  }),
  head_seq: Type.Integer({
    minimum: 0,
    description: "The last event; less than `after_seq` after a restore.",
  }),
  journal_id: Type.String({
    pattern: "^[0-9a-f]{32}$",
    description:
      "Id of the history. It changes after a restore from a back-up: events read before may " +
      "differ, so read again from 0.",
  }),
});

/** A stream; each event's `data` is an `Event`. */
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
      example: freeForm("A recorded event."),
      docs_url: Type.String({ format: "uri" }),
    }),
  ),
});

/** An event of any kind as a line of a table; `data` is JSON. */
export const EventRow = Type.Object({
  ...{ seq: Type.Integer(), type: Type.String(), timestamp: Type.String(), id: Type.String() },
  subject: Type.Object({ type: Type.String(), id: Type.String(), version: Type.Integer() }),
  data: freeForm("Data of the kind."),
});
