/** Goal: the backlog of a paused endpoint is bounded by number and by age. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { anEndpoint, DeliveriesRig, NOON } from "../../../test/support/deliveries.ts";
import type { Endpoint } from "../endpoint.ts";
import { limitBacklogs, WAITING_DAYS_MAX, WAITING_MAX } from "./backlog-limit.ts";

const DAY_MS = 86_400_000;

let rig: DeliveriesRig;
let disabled: string[];
beforeEach(() => {
  rig = new DeliveriesRig();
  disabled = [];
});
afterEach(() => rig.stop());

function limit(endpoints: readonly Endpoint[], nowMs = NOON): string[] {
  const disable = (id: string, reason: string) => void disabled.push(`${id} ${reason}`);
  return limitBacklogs({ db: rig.db, book: { all: () => endpoints, disable }, now: () => nowMs });
}

test("a paused endpoint with more events than the bound is disabled; one at the bound is not", () => {
  const paused = anEndpoint({ state: "paused" });
  rig.derive(
    Array.from({ length: WAITING_MAX }, (_, i) => i + 1),
    [paused],
  );
  expect(limit([paused])).toEqual([]);
  rig.derive([WAITING_MAX + 1], [paused]);
  expect(limit([paused])).toEqual(["whe_1"]);
  expect(limit([anEndpoint({ state: "active" })])).toEqual([]);
  expect(disabled).toEqual(["whe_1 backlog"]);
});

test("a paused endpoint whose oldest event is older than the bound is disabled", () => {
  const paused = anEndpoint({ state: "paused" });
  rig.derive([1], [paused]);
  expect(limit([paused], NOON + WAITING_DAYS_MAX * DAY_MS)).toEqual([]);
  expect(limit([paused], NOON + WAITING_DAYS_MAX * DAY_MS + 1)).toEqual(["whe_1"]);
});
