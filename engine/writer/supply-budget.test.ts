/** Goal: a tenant's supply changes take a bounded part of the journal; nothing else waits. */
import { expect, test } from "bun:test";
import {
  metaOf,
  OPERATOR,
  openHotel,
  PROPERTY_ID,
  placeHold,
  START_DAY,
  START_MS,
} from "../../test/power/commands.ts";
import { Random } from "../../test/power/random.ts";
import { ManualTime, outcomeOf, Scratch, World } from "../../test/power/world.ts";
import { dateOf } from "../core/calendar.ts";
import type { Command, SuspendProperty, UpdateAri } from "../core/commands.ts";

const DAY_MS = 86_400_000;

/** An update that differs from every other. */
function capacity(random: Random, units: number): UpdateAri {
  const date = dateOf(START_DAY + 1);
  const inventory = [{ room_type_id: "double", from: date, to: date, capacity: units }];
  const ari = { property_id: PROPERTY_ID, ari: { inventory } };
  return { ...metaOf(random, OPERATOR), type: "UpdateAri", ...ari };
}

/** Sends updates until one is refused; how many were taken, and the refusal. */
function untilRefused(world: World, random: Random) {
  for (let taken = 0; taken < 1_000; taken += 1) {
    const outcome = outcomeOf(world.ask(capacity(random, 5 + (taken % 7)))[0]);
    if (outcome?.ok === false) return { taken, outcome };
  }
  throw new Error("no update was refused");
}

test("over its daily bytes a tenant's updates are refused until the day ends, nothing else is", () => {
  using scratch = new Scratch();
  const time = new ManualTime();
  using world = new World(scratch.path, time, { supplyBytesPerDay: 12_000 });
  const random = new Random(3);
  world.tick();
  world.ask(...openHotel(random, 5));
  const { taken, outcome } = untilRefused(world, random);
  expect(taken).toBeGreaterThan(3);
  expect(outcome).toMatchObject({
    code: "rate_limited",
    detail: { policy: "supply_bytes", limit: 12_000, window_s: 86_400 },
    retry_after: (DAY_MS - (START_MS % DAY_MS)) / 1_000,
  });
  // Not sealed: the same key is decided again tomorrow.
  const retried = capacity(random, 9);
  const other = { ...capacity(random, 8), tenant_id: "7b6b6f0e-0000-4000-8000-000000000002" };
  const decided = (command: Command) => outcomeOf(world.ask(command)[0]);
  expect(decided(retried)).toMatchObject({ ok: false, code: "rate_limited" });
  expect(decided(placeHold(random, time.wallMs()))?.ok).toBeTrue();
  expect(decided(other)).toMatchObject({ ok: false, code: "property_not_found" });
  time.pass(DAY_MS - (START_MS % DAY_MS));
  expect(decided(retried)?.ok).toBeTrue();
  untilRefused(world, random);
  const suspend: SuspendProperty = {
    ...metaOf(random, OPERATOR),
    ...{ type: "SuspendProperty", property_id: PROPERTY_ID },
  };
  expect(decided(suspend)?.ok).toBeTrue();
});
