/** Goal: the figures of a day say what the hours do together. */
import { expect, test } from "bun:test";
import { dayOf } from "./endpoint-stats.tsx";

function hour(attempts: number, succeeded: number, mean: number, max: number) {
  return {
    ...{ hour: "2026-12-04T10:00:00Z", attempts, succeeded, dead_lettered: 0 },
    ...{ latency_ms_mean: mean, latency_ms_max: max },
  };
}

test("a quiet hour weighs as little as it had attempts", () => {
  const hours = [hour(1, 0, 5_000, 5_000), hour(99, 99, 100, 900)];
  expect(dayOf({ hours })).toEqual({
    ...{ attempts: 100, succeededBps: 9_900, latencyMsMean: 149, latencyMsMax: 5_000 },
  });
});

test("a share is never rounded up to all, and there is none of nothing", () => {
  expect(dayOf({ hours: [hour(100_000, 99_999, 1, 1)] }).succeededBps).toBe(9_999);
  expect(dayOf({ hours: [] })).toEqual({
    ...{ attempts: 0, succeededBps: null, latencyMsMean: 0, latencyMsMax: 0 },
  });
});
