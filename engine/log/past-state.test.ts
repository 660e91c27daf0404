/**
 * Goal: the past of a property is as it was. Method: a replica follows every kind of event at one
 * property and holds and bookings at another, row by row. Each property is folded again to each
 * row; the result must be equal, bit for bit, with a snapshot and without.
 */
import { expect, test } from "bun:test";
import {
  beginBooking,
  cancelBooking,
  createProperty,
  freshHex,
  frozenQuote,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  releaseHold,
} from "../../test/support/builders.ts";
import { everyEvent } from "../../test/support/every-event.ts";
import { LoneEngine } from "../../test/support/lone-engine.ts";
import { dateOf } from "../core/calendar.ts";
import { type Chunk, decodeState, encodeState } from "../core/codec/state-codec.ts";
import type { Event } from "../core/events/event.ts";
import type { SuccessOf } from "../core/outcomes.ts";
import type { State } from "../core/state/state.ts";
import type { Head } from "./head.ts";
import { pastState } from "./past-state.ts";
import { Replica } from "./replica.ts";
import { writeSnapshot } from "./snapshot.ts";

const DAY_MS = 86_400_000;
const SNAPSHOT_ROW = 80;
const OTHER = propertyTree({ id: "another-house", slug: "another" });
const PROPERTY_IDS = ["property-one", OTHER.id];

/** What a state has of a property: its own part, and what time has done to all. */
function partOf(state: State, propertyId: string): string {
  const own = [...encodeState(state)].find(({ name }) => name.endsWith(`:${propertyId}`));
  const { row, baseDay, keptDay, forgottenDay } = state;
  const holds = [...state.holds.values()].filter(({ quote }) => quote.property_id === propertyId);
  const ids = holds.map(({ hold_id, state: is, expires_at }) => [hold_id, is, expires_at]);
  const clocks = [...state.testClocks];
  return JSON.stringify({ row, baseDay, keptDay, forgottenDay, clocks, ids, own });
}

/** The lives of both; what each was after each row. */
function livesOf(lone: LoneEngine) {
  const replica = new Replica(lone.journalPath);
  const parts = new Map<number, readonly string[]>();
  let middle: { readonly head: Head; readonly chunks: readonly Chunk[] } | null = null;
  const note = () => {
    const { head, state } = replica;
    parts.set(
      head.row,
      PROPERTY_IDS.map((id) => partOf(state, id)),
    );
    if (head.row === SNAPSHOT_ROW) middle = { head, chunks: [...encodeState(state)] };
  };
  const follow = (): Event[] => {
    const from = replica.head.row + 1;
    while (!replica.catchUp(-1)) note();
    note();
    return replica.rowsFrom(from, 1_000).flatMap(({ row }) => row.events);
  };
  const world = {
    when: (command: Parameters<LoneEngine["decide"]>[0][number]) => {
      lone.decide([command]);
      return follow();
    },
    wait: (durationMs: number) => {
      lone.advance(durationMs);
      lone.engine.tick();
      lone.engine.runGroup();
      follow();
    },
    get now() {
      return lone.now();
    },
  };
  world.when(createProperty(OTHER));
  world.when(promoteProperty(OTHER));
  let nth = 0;
  everyEvent(world, () => {
    nth += 1;
    const day = Math.floor(lone.now() / DAY_MS) + 20 + nth;
    const stay = { check_in: dateOf(day), check_out: dateOf(day + 1) };
    const quote = frozenQuote(OTHER, {
      stay,
      created_at: lone.now(),
      quote_id: `qt_${freshHex()}`,
    });
    const [held] = lone.decide([placeHold(quote)]) as SuccessOf<"hold">[];
    const { hold_id } = held!.data;
    follow();
    if (nth % 4 === 0) return;
    if (nth % 4 === 1) return void world.when(releaseHold(hold_id));
    const events = world.when(beginBooking({ hold_id, quote_id: quote.quote_id }));
    const pending = events.find(({ type }) => type === "payment.pending");
    if (pending?.type !== "payment.pending") return;
    const { payment_id, booking_id } = pending.data;
    world.when(paymentResult(payment_id, nth % 4 === 2 ? "declined" : "captured"));
    if (nth % 8 === 3) world.when(cancelBooking(booking_id));
  });
  return { replica, parts, middle: middle! as { head: Head; chunks: readonly Chunk[] } };
}

test("each property is folded again to every row, and what cannot concern it is passed over", () => {
  const lone = new LoneEngine();
  const { replica, parts, middle } = livesOf(lone);
  const { db } = lone.journal;
  const expectPast = () => {
    for (const [row, told] of parts) {
      const past = PROPERTY_IDS.map((id) => {
        return partOf(pastState(db, lone.journalPath, row, id), id);
      });
      expect({ row, past }).toEqual({ row, past: [...told] });
    }
  };
  expect(parts.size).toBeGreaterThan(150);
  expectPast();
  const state = decodeState(middle.chunks, { tracksExpiry: false });
  writeSnapshot(lone.journalPath, replica.journalId, middle.head, state);
  expectPast();
  expect(() => pastState(db, lone.journalPath, replica.head.row + 1, OTHER.id)).toThrow(
    "the journal ends before row",
  );
  expect(pastState(db, lone.journalPath, 0, OTHER.id).tenants.size).toBe(0);
  replica.close();
  lone.close();
}, 60_000);
