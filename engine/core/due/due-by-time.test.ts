/** Work that becomes due by time: in order of its instant, once, and never early. */
import { expect, test } from "bun:test";
import {
  createProperty,
  extendHold,
  frozenQuote,
  HOLD_TTL_MS,
  NOON,
  placeHold,
  promoteProperty,
  propertyTree,
  releaseHold,
} from "../../../test/support/builders.ts";
import { dayIn, given, Scenario } from "../../../test/support/given.ts";

const TREE = propertyTree();
const DAY_MS = 86_400_000;

function held(ttls: readonly number[]) {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const ids = ttls.map((ttl_ms, i) => {
    const stay = frozenQuote(TREE, {
      stay: { check_in: `2026-11-0${i + 1}`, check_out: `2026-11-0${i + 2}` },
    });
    return world.when(placeHold(stay, { ttl_ms })).text("hold_id");
  });
  return { world, ids };
}

test("the window begins two days back and moves once a day, outside every tenant's list", () => {
  const world = new Scenario();
  const moved = world.due();
  expect(moved?.decision.events).toEqual([
    { type: "horizon.advanced", seq: 0, data: { base_day: dayIn(-2) } },
  ]);
  expect(world.due()).toBeNull();
  expect(world.at(NOON + DAY_MS / 2 - 1).due()).toBeNull();
  expect(
    world
      .at(NOON + DAY_MS / 2)
      .due()
      ?.event("horizon.advanced").base_day,
  ).toBe(dayIn(-1));
});

test("holds expire in the order of their instants, from the exact millisecond on", () => {
  const { world, ids } = held([3_000, 1_000, 2_000]);
  expect(world.at(NOON + 999).due()).toBeNull();
  const first = world
    .at(NOON + 1_000)
    .due()
    ?.event("hold.expired");
  const expired_at = new Date(NOON + 1_000).toISOString();
  expect(first).toEqual({ hold_id: ids[1]!, expired_at });
  world.at(NOON + 3_000);
  expect(world.due()?.event("hold.expired").hold_id).toBe(ids[2]!);
  expect(world.due()?.event("hold.expired").hold_id).toBe(ids[0]!);
  expect(world.due()).toBeNull();
});

test("released and extended holds do not expire at their first instant", () => {
  const { world, ids } = held([HOLD_TTL_MS, HOLD_TTL_MS]);
  world.when(releaseHold(ids[0]!));
  world.when(extendHold(ids[1]!));
  expect(world.at(NOON + HOLD_TTL_MS).due()).toBeNull();
  world
    .at(NOON + 2 * HOLD_TTL_MS)
    .due()
    ?.recorded("hold.expired");
  expect(world.state.holds.size).toBe(0);
});
