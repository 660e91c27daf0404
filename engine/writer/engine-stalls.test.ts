/** Goal: work that one caller causes delays another's command only a little. */

import { afterEach, expect, spyOn, test } from "bun:test";
import {
  HOLD_TTL_MS,
  metaOf,
  OPERATOR,
  openHotel,
  PROPERTY_ID,
  placeHold,
  START_DAY,
} from "../../test/power/commands.ts";
import { Random } from "../../test/power/random.ts";
import { outcomeOf, Scratch, World } from "../../test/power/world.ts";
import { storedLines } from "../../test/support/stored-blocks.ts";
import { dateOf } from "../core/calendar.ts";
import { decodeRow } from "../core/codec/row-codec.ts";
import type { PlaceHold, UpdateAri } from "../core/commands.ts";
import type { FrozenQuote } from "../core/price/quote.ts";
import type { Reply } from "./group.ts";

/** No group reaches its time limit, on a busy machine either. */
function stopClock(): void {
  spyOn(performance, "now").mockReturnValue(performance.now());
}
afterEach(() => {
  spyOn(performance, "now").mockRestore();
});

const MANY = 5_000;
/** What one group may do of that which time alone makes due. */
const SLICE = 128;

/** A hold on one night, `daysAhead` of the first. */
function holdOf(world: World, random: Random, room: string, daysAhead: number): PlaceHold {
  const command = placeHold(random, world.time.wallMs());
  const first = START_DAY + daysAhead;
  const quote = {
    ...(JSON.parse(JSON.stringify(command.quote)) as FrozenQuote),
    room_type_id: room,
    rate_plan_id: `${room}-flex`,
    stay: { check_in: dateOf(first), check_out: dateOf(first + 1) },
    nightly: [10_000],
    sources: "b",
  };
  return { ...command, quote };
}

/** What sets how many rooms there are on a night. */
function capacity(random: Random, room_type_id: string, daysAhead: number, units: number) {
  const date = dateOf(START_DAY + daysAhead);
  const inventory = [{ room_type_id, from: date, to: date, capacity: units }];
  const property = { property_id: PROPERTY_ID, ari: { inventory } };
  return { ...metaOf(random, OPERATOR), type: "UpdateAri", ...property } satisfies UpdateAri;
}

/** A hotel with `units` of each room and as many due holds as asked for, by room and night. */
function withDue(
  path: string,
  units: number,
  due: readonly { readonly room: string; readonly daysAhead: number; readonly count: number }[],
) {
  const world = new World(path);
  const random = new Random(7);
  world.tick();
  world.ask(...openHotel(random, units));
  for (const { room, daysAhead, count } of due) {
    const all = Array.from({ length: count }, () => holdOf(world, random, room, daysAhead));
    for (let at = 0; at < count; at += 1_000) {
      for (const reply of world.ask(...all.slice(at, at + 1_000))) {
        expect(outcomeOf(reply)).toMatchObject({ ok: true });
      }
    }
  }
  world.time.pass(HOLD_TTL_MS);
  return { world, random };
}

/** Types of the events written after a row, in order. */
function writtenAfter(world: World, row: number): string[] {
  const rows = storedLines(world.journal.db).slice(row).map(decodeRow);
  return rows.flatMap(({ events }) => events.map(({ type }) => type));
}

/** Submits without running a group; the replies come into the list. */
function submit(world: World, ...commands: readonly PlaceHold[]): Reply[] {
  const replies: Reply[] = [];
  for (const command of commands) {
    world.engine.submit({ command, isLapsed: false, send: (reply) => replies.push(reply) });
  }
  return replies;
}

test("a command expires due holds on its own nights, and none of thousands elsewhere", () => {
  using scratch = new Scratch();
  const elsewhere = { room: "double", daysAhead: 5, count: MANY };
  const sameRoom = { room: "single", daysAhead: 9, count: 5 };
  const own = { room: "single", daysAhead: 3, count: 2 };
  const { world, random } = withDue(scratch.path, MANY, [elsewhere, sameRoom, own]);
  using _world = world;
  world.ask(capacity(random, "single", 3, 1));
  const { row } = world.journal.head;
  const [reply] = world.ask(holdOf(world, random, "single", 3));
  expect(outcomeOf(reply)).toMatchObject({ ok: true });
  // The first expiry gives the unit back that the cut took away.
  const expiries = ["hold.expired", "inventory.oversell_resolved", "hold.expired"];
  expect(writtenAfter(world, row)).toEqual([...expiries, "hold.created"]);
});

test("a unit of a due hold goes to the next request, before any tick", () => {
  using scratch = new Scratch();
  const due = { room: "single", daysAhead: 3, count: 2 };
  const { world, random } = withDue(scratch.path, 2, [due]);
  using _world = world;
  const { row } = world.journal.head;
  const replies = world.ask(
    holdOf(world, random, "single", 3),
    holdOf(world, random, "single", 3),
    holdOf(world, random, "single", 3),
  );
  expect(replies.map((reply) => outcomeOf(reply)?.ok)).toEqual([true, true, false]);
  const expiries = ["hold.expired", "hold.expired"];
  expect(writtenAfter(world, row)).toEqual([...expiries, "hold.created", "hold.created"]);
});

test("thousands of due holds on the requested nights expire in slices, with others in between", () => {
  stopClock();
  using scratch = new Scratch();
  const count = 3 * SLICE;
  const { world, random } = withDue(scratch.path, count, [{ room: "single", daysAhead: 3, count }]);
  using _world = world;
  // However many expire, there is no unit.
  world.ask(capacity(random, "single", 3, 0));
  const refused = submit(world, holdOf(world, random, "single", 3));
  const other = submit(world, holdOf(world, random, "double", 4));
  const { row } = world.journal.head;
  world.engine.runGroup();
  expect(other.map((reply) => outcomeOf(reply)?.ok)).toEqual([true]);
  expect(refused).toEqual([]);
  const first = writtenAfter(world, row).filter((type) => type === "hold.expired");
  expect(first).toHaveLength(SLICE);
  while (world.engine.queued > 0) world.engine.runGroup();
  expect(outcomeOf(refused[0])).toMatchObject({ code: "allocation_failed" });
  expect([...world.engine.state.holds.values()]).toHaveLength(1);
});

test("the tick expires due holds in slices, and a command runs after the first", () => {
  stopClock();
  using scratch = new Scratch();
  const count = 10 * SLICE;
  const { world, random } = withDue(scratch.path, count, [{ room: "double", daysAhead: 5, count }]);
  using _world = world;
  world.engine.tick();
  const replies = submit(world, holdOf(world, random, "single", 3));
  const { row } = world.journal.head;
  world.engine.runGroup();
  expect(replies.map((reply) => outcomeOf(reply)?.ok)).toEqual([true]);
  const written = writtenAfter(world, row);
  expect(written.length).toBeLessThanOrEqual(SLICE + 2);
  expect(written.at(-1)).toBe("hold.created");
  for (let groups = 0; groups < 10; groups += 1) world.engine.runGroup();
  expect(world.engine.state.holds.size).toBe(1);
});

test("due holds do not count against their agent, and give no wait", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(8);
  world.tick();
  world.ask(...openHotel(random, 40));
  const base = holdOf(world, random, "single", 3);
  const of = (max_open_holds: number): PlaceHold => ({
    ...base,
    ...{ random: random.hex(16), key: random.hex(16) },
    limits: { max_open_holds, max_booking_amount: null },
  });
  world.ask(of(3), of(3), of(3));
  expect(outcomeOf(world.ask(of(3))[0])).toMatchObject({ ok: false, code: "rate_limited" });
  world.time.pass(HOLD_TTL_MS);
  const [placed, second] = world.ask(of(3), of(1));
  expect(outcomeOf(placed)).toMatchObject({ ok: true, data: { other_live_holds: [] } });
  expect(outcomeOf(second)).toMatchObject({
    code: "rate_limited",
    detail: { policy: "max_open_holds", limit: 1, open: 1 },
    retry_after: HOLD_TTL_MS / 1_000,
  });
});

test("a room's list of expiries empties itself even if no request is ever refused there", () => {
  using scratch = new Scratch();
  const due = { room: "double", daysAhead: 5, count: 500 };
  const { world } = withDue(scratch.path, 500, [due]);
  using _world = world;
  for (let ticks = 0; ticks <= due.count / SLICE; ticks += 1) world.tick();
  expect(world.engine.state.holds.size).toBe(0);
  const [property] = [...world.engine.state.allProperties()];
  expect(property!.rooms.get("double")!.expiries?.size).toBe(0);
});

/** A change of supply that is as good as any. */
function bulk(random: Random): UpdateAri {
  return capacity(random, "double", 1, 40);
}

test("a hold behind 500 changes of supply is in the first group, and they keep their order", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(9);
  world.tick();
  world.ask(...openHotel(random, 40));
  const done: string[] = [];
  for (let i = 0; i < 500; i += 1) {
    const send = () => done.push(`bulk ${i}`);
    world.engine.submit({ command: bulk(random), isLapsed: false, send });
  }
  const command = holdOf(world, random, "single", 3);
  world.engine.submit({ command, isLapsed: false, send: () => done.push("hold") });
  world.engine.runGroup();
  expect(done[0]).toBe("hold");
  while (world.engine.queued > 0 && world.fatals.length === 0) world.engine.runGroup();
  expect(done).toEqual(["hold", ...Array.from({ length: 500 }, (_, i) => `bulk ${i}`)]);
});

test("every group has a change of supply even under constant holds", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(10);
  world.tick();
  world.ask(...openHotel(random, 4_000));
  let applied = 0;
  for (let i = 0; i < 10; i += 1) {
    const send = () => (applied += 1);
    world.engine.submit({ command: bulk(random), isLapsed: false, send });
  }
  for (let groups = 1; groups <= 10; groups += 1) {
    const holds = Array.from({ length: 1_100 }, () => holdOf(world, random, "single", 3));
    submit(world, ...holds);
    world.engine.runGroup();
    expect(applied).toBeGreaterThanOrEqual(groups);
  }
  expect(world.engine.queued).toBeGreaterThan(0);
});

test("a group takes few changes of supply, however many are waiting", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(11);
  world.tick();
  world.ask(...openHotel(random, 40));
  const { ari, ...command } = bulk(random);
  const large = (capacity: number) => {
    const inventory = Array.from({ length: 500 }, () => ({ ...ari.inventory![0]!, capacity }));
    return { ...command, ...metaOf(random, OPERATOR), ari: { inventory } };
  };
  const bytes = JSON.stringify(large(10)).length;
  for (let i = 0; i < 20; i += 1) {
    world.engine.submit({ command: large(10 + i), isLapsed: false, send: () => {} });
  }
  const before = world.engine.queued;
  world.engine.runGroup();
  expect(before - world.engine.queued).toBeLessThanOrEqual(1 + (128 * 1_024) / bytes);
});
