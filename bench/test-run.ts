/** A measured run for tests that care about one figure. */
import type { Run } from "./measure.ts";

/** Any run, with the figures that are given. */
export function runOf(over: Partial<Run>): Run {
  return {
    answers: 1000,
    requestsPerSecond: 1000,
    p50Ms: 1,
    p90Ms: 1.5,
    p99Ms: 2,
    p999Ms: 3,
    statusCounts: { "201": 1000 },
    errors: 0,
    generatorCpuMicros: 10,
    cpuMicrosPerRequest: { api: 10, engine: 20 },
    rssBytes: 1e8,
    groupSize: null,
    strangersShare: 0,
    ...over,
  };
}
