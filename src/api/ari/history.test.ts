/**
 * Goal: each night names its last change, however many other events follow, within a bound of
 * rows. Method: a real journal with changes of a property between those of another tenant's.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { dateOf, dayOf, WEEKDAYS, weekdayOf } from "../../../engine/core/calendar.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import { Replica } from "../../../engine/log/replica.ts";
import {
  commandMeta,
  createProperty,
  OTHER_TENANT,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  updateAri,
} from "../../../test/support/builders.ts";
import { LoneEngine } from "../../../test/support/lone-engine.ts";
import { History } from "./history.ts";

const PLAN = ratePlan();
const RULE = { rate_plan_id: PLAN.id, amount: 100, round_to: 1, rounding: "half_up" } as const;
const FOLLOWER = ratePlan({ id: "plan-follower", code: "FOLLOWER", derived_from: RULE });
const TREE = propertyTree({ room_types: [roomType({ rate_plans: [PLAN, FOLLOWER] })] });
const ROOM = TREE.room_types[0]!;
const FIRST = dayOf(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10));
const on = (day: number, to = day) => ({ from: dateOf(FIRST + day), to: dateOf(FIRST + to) });
const room = { room_type_id: ROOM.id };
const plan = { rate_plan_id: PLAN.id };

let lone: LoneEngine;
let replica: Replica;
let property: PropertyEntry;

beforeAll(() => {
  lone = new LoneEngine();
  const theirs = () => ({ ...commandMeta({ tenant_id: OTHER_TENANT }) });
  const noise = () => {
    const ari = (i: number) => ({ inventory: [{ ...room, ...on(0, 9), capacity: 9 + (i % 2) }] });
    lone.decide(Array.from({ length: 300 }, (_, i) => updateAri(TREE, ari(i), theirs())));
  };
  const updates = [
    { inventory: [{ ...room, ...on(0, 4), capacity: 7 }] },
    { rates: [{ ...plan, ...on(1, 2), amount: 900 }] },
    {
      inventory: [{ ...room, ...on(1), out_of_order: 1 }],
      restrictions: [
        { ...room, ...on(1), cta: true },
        { ...room, ...plan, ...on(2), stop_sell: true },
      ],
      ceilings: [{ ...room, ...on(0), agent_id: "agent-x", ceiling: 2 }],
    },
    // Of its seven nights the last alone.
    {
      inventory: [
        { ...room, ...on(3, 9), days_of_week: [WEEKDAYS[weekdayOf(FIRST + 9)]!], capacity: 1 },
      ],
    },
  ];
  lone.decide([createProperty(TREE, theirs()), createProperty(TREE)]);
  for (const update of updates) {
    noise();
    lone.decide([updateAri(TREE, update)]);
  }
  noise();
  replica = new Replica(lone.journalPath);
  while (!replica.catchUp(1_000));
  property = replica.state.property(REALM, TREE.id)!;
});
afterAll(() => {
  replica.close();
  lone.close();
});

async function historyOf(days: number) {
  const history = new History(property, [ROOM.id, PLAN.id], FIRST, days);
  await history.read(replica, new AbortController().signal);
  const fields = (id: string) =>
    Array.from({ length: days }, (_, i) => {
      const { seq, fields: set } = history.of(id, FIRST + i) ?? {};
      return [seq, set?.join(" ")];
    });
  return { history, fields };
}

test("each night names the fields of its last change, or the tree's creation if there is none", async () => {
  const { history, fields } = await historyOf(6);
  expect(fields(ROOM.id)).toEqual([
    [4, "ceiling"],
    [4, "out_of_order cta"],
    [2, "capacity"],
    [2, "capacity"],
    [2, "capacity"],
    [1, "property"],
  ]);
  expect(fields(PLAN.id)).toEqual([
    ...[
      [1, "property"],
      [3, "amount"],
      [4, "stop_sell"],
    ],
    ...[
      [1, "property"],
      [1, "property"],
      [1, "property"],
    ],
  ]);
  const change = history.of(ROOM.id, FIRST)!;
  expect(change.actor).toEqual(updateAri(TREE, {}).actor);
  expect(Date.parse(change.at)).toBeGreaterThan(Date.now() - 60_000);
  expect(history.isComplete).toBe(true);
});

test("a night of a plan that follows another names the change of that plan's amount", async () => {
  const history = new History(property, [FOLLOWER.id], FIRST, 2);
  await history.read(replica, new AbortController().signal);
  expect(history.of(FOLLOWER.id, FIRST + 1)).toMatchObject({ seq: 3, fields: ["amount"] });
  expect(history.of(FOLLOWER.id, FIRST)).toMatchObject({ seq: 1, fields: ["property"] });
});

test("the search stops when every night is known, or at its bound of rows", async () => {
  const looked: number[] = [];
  const watched = (finds: boolean) => ({
    state: replica.state,
    row: (row: number) => replica.row(row),
    rowsBetween: (...[first, last, words]: Parameters<Replica["rowsBetween"]>) => {
      looked.push(last - first + 1);
      return finds ? replica.rowsBetween(first, last, words) : [];
    },
  });
  const of = new History(property, [ROOM.id], FIRST + 1, 1);
  await of.read(watched(true), new AbortController().signal);
  expect(of.of(ROOM.id, FIRST + 1)?.seq).toBe(4);
  expect(of.isComplete).toBe(true);
  // The rows that others wrote after the realm's last, and before the change, are not looked at.
  expect(looked).toEqual(new Array(10).fill(32));
  looked.length = 0;
  const blind = new History(property, [ROOM.id], FIRST, 1);
  await blind.read(watched(false), new AbortController().signal);
  expect(blind.isComplete).toBe(false);
  expect(blind.since).not.toBeNull();
  expect(Math.max(...looked)).toBeLessThanOrEqual(32);
});
