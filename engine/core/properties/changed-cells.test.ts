/** Goal: an update that says what its sender has seen never overwrites what was set since. */
import { expect, test } from "bun:test";
import {
  createProperty,
  propertyTree,
  REALM,
  ratePlan,
  replaceProperty,
  roomType,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { dateOf } from "../calendar.ts";
import { decodeState, encodeState } from "../codec/state-codec.ts";
import { daysIn, fieldBits, LastChanges, nightsFrom } from "../state/last-changes.ts";
import type { DateRange, NamedAri } from "../supply.ts";

const FLEX = ratePlan({ id: "plan-flex", code: "FLEX" });
const ROOM = roomType({ id: "room-one", rate_plans: [FLEX] });
const TREE = propertyTree({ room_types: [ROOM] });
const [room_type_id, rate_plan_id] = ["room-one", "plan-flex"];
const on = (first: number, last = first) => ({
  from: dateOf(dayIn(first)),
  to: dateOf(dayIn(last)),
});
const price = (first: number, last: number, amount: number): NamedAri => ({
  rates: [{ ...on(first, last), rate_plan_id, amount }],
});

function world(tree = TREE) {
  const world = given(createProperty(tree));
  const seq = () => world.state.tenants.get(REALM.tenant_id)!.seq.live;
  const set = (ari: NamedAri, since?: number) => {
    return world.when(
      updateAri(tree, ari, since === undefined ? {} : { if_unchanged_since: since }),
    );
  };
  return { world, seq, set };
}

test("a cell that was set later is named, and the update is refused as a whole", () => {
  const { set, seq } = world();
  const seen = seq();
  set(price(10, 12, 9_000));
  const late = set({ ...price(12, 14, 8_000), ...capacity(12, 3) }, seen);
  late.recorded();
  const cell = { room_type_id, rate_plan_id, agent_id: null, date: dateOf(dayIn(12)) };
  late.refused("conflict", {
    ...{ reason: "version_mismatch", property_id: TREE.id, seq: seen + 1, has_more: false },
    cells: [{ ...cell, field: "amount", seq: seen + 1 }],
  });
  set(price(12, 14, 8_000), seen + 1).recorded("ari.changed");
  set({ rates: [{ ...on(12, 14), rate_plan_id, extra_adult: 500 }] });
  expect(set(price(12, 12, 7_000), seen + 1).outcome.ok).toBe(false);
});

const capacity = (first: number, last: number, units = 3): NamedAri => ({
  inventory: [{ ...on(first, first + last), room_type_id, capacity: units }],
});

test("another night, another field, another plan or scope is no conflict", () => {
  const { set, seq } = world();
  const seen = seq();
  set({
    ...price(10, 10, 9_000),
    ...capacity(20, 2),
    restrictions: [{ ...on(10), room_type_id, cta: true }],
    ceilings: [{ ...on(10), room_type_id, agent_id: "agt_ann", ceiling: 1 }],
  });
  set(price(11, 19, 9_000), seen).recorded("ari.changed");
  const others: NamedAri = {
    rates: [{ ...on(10), rate_plan_id, extra_adult: 500 }],
    inventory: [{ ...on(20), room_type_id, out_of_order: 1 }],
    restrictions: [
      { ...on(10), room_type_id, ctd: true },
      { ...on(10), room_type_id, rate_plan_id, cta: true },
    ],
    ceilings: [{ ...on(10), room_type_id, ceiling: 1 }],
  };
  set(others, seen).recorded("ari.changed");
  const again = set(
    { ceilings: [{ ...on(10), room_type_id, agent_id: "agt_ann", ceiling: null }] },
    seen,
  );
  expect(again.outcome).toMatchObject({ detail: { cells: [{ agent_id: "agt_ann" }] } });
});

test("days of the week between two changes are free", () => {
  const { set, seq } = world();
  const seen = seq();
  const days_of_week = ["fri"] as const;
  set({ rates: [{ ...on(10, 40), days_of_week, rate_plan_id, amount: 1_000 }] });
  const rest = ["mon", "tue", "wed", "thu", "sat", "sun"] as const;
  set({ rates: [{ ...on(10, 40), days_of_week: rest, rate_plan_id, amount: 900 }] }, seen).recorded(
    "ari.changed",
  );
  set({ rates: [{ ...on(10, 40), rate_plan_id, amount: 900 }] }, seen).recorded();
});

test("a new default is a change of the nights without a value, and of no others", () => {
  const { world: w, set, seq } = world();
  set(price(10, 10, 9_000));
  const seen = seq();
  const plan = { ...FLEX, base_rate_per_night: FLEX.base_rate_per_night + 1 };
  const tree = { ...TREE, room_types: [{ ...ROOM, rate_plans: [plan] }] };
  w.when(replaceProperty(tree, { base_version: 1 }));
  set(price(10, 10, 8_000), seen).recorded("ari.changed");
  const late = set(price(11, 11, 8_000), seen);
  expect(late.outcome).toMatchObject({ code: "conflict", detail: { cells: [{ seq: seen + 1 }] } });
});

test("an update ordered night by plan is one change of each plan", () => {
  const plans = ["plan-flex", "plan-saver"].map((id) => ratePlan({ id, code: id }));
  const { set, seq } = world(propertyTree({ room_types: [{ ...ROOM, rate_plans: plans }] }));
  for (const night of [1, 2, 3]) set(price(night, night, 9_000));
  set(price(100, 199, 9_000)).recorded("ari.changed");
  const seen = seq();
  expect(seen).toBe(5);
  for (const night of [4, 5, 6]) set(price(night, night, 9_000));
  const nights = Array.from({ length: 40 }, (_, i) => on(10 + i));
  set({ rates: nights.flatMap((night) => plans.map(({ id }) => rateOf(id, night))) });
  expect(seq()).toBe(9);
  set(price(150, 150, 8_000), seen).recorded("ari.changed");
  const late = set(price(10, 49, 8_000), seen);
  const cells = nights.map(({ from }) => ({ date: from, seq: 9 }));
  expect(late.outcome).toMatchObject({ detail: { cells } });
});

const rateOf = (id: string, night: DateRange) => ({ ...night, rate_plan_id: id, amount: 9_000 });

test("a number that no event has yet is refused", () => {
  const { set, seq } = world();
  const errors = [
    { path: "/if_unchanged_since", message: "is later than the last event", expected: "≤ 1" },
  ];
  set(price(10, 10, 1), seq() + 1).refused("validation_failed", { field_errors: errors });
});

test("a snapshot keeps what was changed; one without it takes everything for changed", () => {
  const { world: w, set, seq } = world();
  const seen = seq();
  set(price(10, 10, 9_000));
  const chunks = [...encodeState(w.state)];
  w.state = decodeState(chunks, { tracksExpiry: true });
  expect([...encodeState(w.state)]).toEqual(chunks);
  expect(set(price(10, 10, 1), seen).outcome.ok).toBe(false);
  set(price(11, 11, 1), seen).recorded("ari.changed");
  const old = chunks.map(({ name, text }) => {
    return { name, text: text.replace(/"changes_known_from":0,|,"changes":\[\[.*?\]\]/g, "") };
  });
  w.state = decodeState(old, { tracksExpiry: true });
  expect(set(price(12, 12, 1), seen).outcome.ok).toBe(false);
  set(price(12, 12, 1), seq()).recorded("ari.changed");
});

test("a refusal lists a hundred cells and says that there are more", () => {
  const { set, seq } = world();
  const seen = seq();
  set(price(10, 200, 9_000));
  const { outcome } = set(price(10, 200, 8_000), seen);
  expect(outcome).toMatchObject({ detail: { has_more: true } });
  expect((outcome as unknown as { detail: { cells: unknown[] } }).detail.cells).toHaveLength(100);
});

test("of many changes the oldest become one, which is never older than they were", () => {
  const changes = new LastChanges();
  const amount = fieldBits({ amount: 1 });
  const last = new Map<number, number>();
  for (let seq = 1; seq <= 200; seq += 1) {
    const first = 20_000 + ((seq * 37) % 90);
    changes.note({ ...nightsFrom(first, 3), seq, fields: amount });
    for (let day = first; day < first + 3; day += 1) last.set(day, seq);
  }
  expect(changes.pack().length).toBeLessThanOrEqual(8);
  for (const [day, seq] of last) {
    const found = changes.after(0).filter((change) => daysIn(change).includes(day));
    expect(found.at(-1)!.seq).toBeGreaterThanOrEqual(seq);
    if (seq > 194) expect(found.at(-1)!.seq).toBe(seq);
  }
  changes.forgetBefore(20_050);
  expect(
    changes
      .after(0)
      .flatMap(daysIn)
      .every((day) => day >= 20_050),
  ).toBe(true);
});
