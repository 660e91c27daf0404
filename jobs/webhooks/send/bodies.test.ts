/**
 * Goal: the body of an event matches the journal, whatever was read before. Method: a real journal
 * with more rows than are cached.
 */

import { expect, test } from "bun:test";
import type { Event } from "../../../engine/core/events/event.ts";
import { RenderedOutcome, type Success } from "../../../engine/core/outcomes.ts";
import { publicEvents } from "../../../engine/core/public-events.ts";
import { State } from "../../../engine/core/state/state.ts";
import { BEGINNING } from "../../../engine/log/head.ts";
import { Journal } from "../../../engine/log/journal.ts";
import { SqliteJournalReader } from "../../../engine/log/journal-reader.ts";
import { JournalTail } from "../../../engine/log/journal-tail.ts";
import { openForReading } from "../../../engine/log/schema.ts";
import { prepareRow } from "../../../engine/log/stored-row.ts";
import { LANES, Scratch } from "../../../test/power/world.ts";
import { anEndpoint, NOON, REALM } from "../../../test/support/deliveries.ts";
import type { Delivery } from "../store/delivery.ts";
import { Bodies } from "./bodies.ts";

const ROWS = 800;
const LOOK = {
  hold: () => null,
  booking: () => null,
  payment: () => null,
  refund: () => null,
  authorization: () => null,
  incident: () => null,
};
const SOURCE = { eventLookups: LOOK, state: new State({ tracksExpiry: false }), row: () => null };
const TRACE_ID = "0".repeat(32);

/** A row with one event, under a key of its own. */
function rowOf(row: number) {
  const at = new Date(NOON).toISOString();
  const data = { endpoint_id: `whe_${row}`, reason: "gone", at } as const;
  const event: Event = { type: "webhook.endpoint_disabled", seq: row, data };
  const outcome: Success = { ok: true, kind: "internal", trace_id: TRACE_ID, data: { seq: row } };
  const actor = { kind: "agent", id: "agt_1" } as const;
  const about = { ...REALM, actor, trace_id: TRACE_ID, row, stamp: NOON, events: [event] };
  const key = { key: row.toString(16).padStart(32, "0"), body_hash: "b", agent_id: actor.id };
  const made = { ...about, key, phase: "sealed" } as const;
  return prepareRow(made, new RenderedOutcome(outcome));
}

/** A delivery of each event of a journal, in their order. */
function deliveriesOf(path: string): Delivery[] {
  const found: Delivery[] = [];
  const db = openForReading(path);
  const tail = new JournalTail(new SqliteJournalReader(db), BEGINNING);
  tail.readAll((row, block) => {
    const [{ event } = { event: null }] = publicEvents(row, block.chainAt(row.row), LOOK);
    found.push({ row: row.row, webhook_id: event!.id, prev_seq: row.row - 1 } as Delivery);
  });
  db.close();
  return found;
}

test("an event has its own text, however many were read before and beside it", () => {
  using scratch = new Scratch();
  const writing = new Journal(scratch.path, { lanes: LANES });
  writing.takeEpoch();
  writing.append(Array.from({ length: ROWS }, (_, i) => rowOf(i + 1)));
  writing.close();
  const deliveries = deliveriesOf(scratch.path);
  const journal = openForReading(scratch.path);
  const bodies = new Bodies(new SqliteJournalReader(journal), SOURCE, () => null, Date.now);
  const seqsOf = (some: readonly Delivery[]) => {
    bodies.read(some);
    return some.map((each) => {
      const body = bodies.bodyOf(each, anEndpoint());
      return typeof body === "string" ? body : JSON.parse(body.body).seq;
    });
  };
  const seqs = deliveries.map(({ row }) => row);
  expect(seqsOf(deliveries.slice(0, 500))).toEqual(seqs.slice(0, 500));
  // Half of these were read before, and all are too many to be kept beside the others.
  expect(seqsOf(deliveries.slice(250, 750))).toEqual(seqs.slice(250, 750));
  expect(seqsOf(deliveries)).toEqual(seqs);
  const other = { ...deliveries[0]!, webhook_id: "evt_other" };
  bodies.read([other]);
  expect(bodies.bodyOf(other, anEndpoint())).toBe("event_lost");
  journal.close();
});
