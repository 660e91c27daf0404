/**
 * Goal: a percentile is the smallest bound that covers that share of requests. Method: counts by
 * hand.
 */
import { expect, test } from "bun:test";
import { BOUNDS_MS } from "../../../jobs/kpis/traffic-file.ts";
import { percentile } from "./traffic.ts";

/** Counts with so many requests in the columns named. */
function counts(of: Readonly<Record<number, number>>): number[] {
  return [...BOUNDS_MS, 0].map((_, nth) => of[nth] ?? 0);
}

test("p50 is the bound of the middle request, and p99 that of the 99th in a hundred", () => {
  const latencies = counts({ 0: 50, 3: 49, 6: 1 });
  expect(percentile(latencies, 0.5)).toBe(BOUNDS_MS[0]);
  expect(percentile(latencies, 0.51)).toBe(BOUNDS_MS[3]);
  expect(percentile(latencies, 0.99)).toBe(BOUNDS_MS[3]);
  expect(percentile(latencies, 1)).toBe(BOUNDS_MS[6]);
});

test("a request beyond the last bound gives no percentile", () => {
  expect(percentile(counts({ [BOUNDS_MS.length]: 3 }), 0.5)).toBeNull();
});
