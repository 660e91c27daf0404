/**
 * How fast a backlog of events is delivered and what holds feel of it, and how long an event takes
 * to endpoints that answer, with and without endpoints in trouble beside them.
 */
import { join } from "node:path";
import type { Bench, Measured } from "./bench.ts";
import { addEndpoint, makeEvents, steer } from "./endpoints.ts";
import { Fixture } from "./fixture.ts";
import type { Run } from "./measure.ts";
import { Receiver } from "./receiver.ts";
import { groupOf, medianOf, type Series } from "./report.ts";
import { type Group, shown, type Verdict } from "./result.ts";
import { summarize } from "./stats.ts";
import {
  ARRIVAL_TURN_NAMES,
  type ArrivalTurn,
  arrivalTurns,
  BACKLOG,
  CONNECTIONS,
  DRAINED,
  drain,
  EVENTS_PER_SECOND,
  HEALTHY,
  HOLD_TURN_NAMES,
  type HoldTurn,
  holdTurns,
  untilDerived,
  type WebhookBench,
} from "./webhook-turns.ts";

const DELIVERIES_PER_SECOND_MIN = 2_000;
const WORKER_MB_MAX = 200;
const HOLDS_RATIO_MIN = 0.8;
const P99_RATIO_MAX = 1.1;

export interface WebhookSeries {
  readonly drain: Series;
  readonly holds: Readonly<Record<HoldTurn, Series>>;
  readonly arrivals: Readonly<Record<ArrivalTurn, Series>>;
  /** The most that the worker has held in each drain, bytes. */
  readonly workerRss: readonly number[];
}

/**
 * Measures deliveries on copies of an installation of its own, which has a backlog for an endpoint
 * that is paused.
 *
 * @throws Error when an event is delivered never or twice, or a hold is refused.
 */
export async function measureWebhooks(bench: Bench): Promise<Measured> {
  const { directory, timing, runs, progress } = bench;
  const receiver = await Receiver.start();
  try {
    let endpointId = "";
    const make = () =>
      Fixture.make(join(directory, "webhooks"), async (seeded) => {
        endpointId = await addEndpoint(seeded, receiver.url("ok", 0));
        await steer(seeded, endpointId, "pause");
        await makeEvents(seeded, BACKLOG);
        await untilDerived(seeded, endpointId);
      });
    const events = `making ${shown(BACKLOG, 0)} events`;
    const fixture = await progress.step("webhooks, preparing", events, make);
    const series = await measureAll({ fixture, receiver, endpointId, timing, progress }, runs);
    return { groups: groupsOf(series), verdicts: webhookVerdicts(series) };
  } finally {
    await receiver.stop();
  }
}

async function measureAll(bench: WebhookBench, runs: number): Promise<WebhookSeries> {
  const drains: Run[] = [];
  const workerRss: number[] = [];
  const holds: Record<HoldTurn, Run[]> = { quiet: [], draining: [] };
  const arrivals: Record<ArrivalTurn, Run[]> = { alone: [], beside: [] };
  for (let round = 0; round < runs; round += 1) {
    const drained = await drain(bench, { round, of: runs });
    drains.push(drained.run);
    workerRss.push(drained.workerRss);
    for (const [turn, run] of await holdTurns(bench, { round, of: runs })) holds[turn].push(run);
    for (const [turn, run] of await arrivalTurns(bench, { round, of: runs }))
      arrivals[turn].push(run);
  }
  return {
    drain: { name: DRAINED, runs: drains },
    holds: {
      quiet: { name: HOLD_TURN_NAMES.quiet, runs: holds.quiet },
      draining: { name: HOLD_TURN_NAMES.draining, runs: holds.draining },
    },
    arrivals: {
      alone: { name: ARRIVAL_TURN_NAMES.alone, runs: arrivals.alone },
      beside: { name: ARRIVAL_TURN_NAMES.beside, runs: arrivals.beside },
    },
    workerRss,
  };
}

function groupsOf({ drain, holds, arrivals }: WebhookSeries): Group[] {
  const events = `from an event to each of ${HEALTHY} endpoints, ${EVENTS_PER_SECOND} a second`;
  return [
    groupOf({ id: "drain", title: "deliveries", compares: "speed", baseline: null }, [drain]),
    groupOf(
      {
        ...{ id: "holds", title: `POST /v1/holds, ${CONNECTIONS} connections` },
        ...{ compares: "speed", baseline: holds.quiet.name },
      },
      Object.values(holds),
    ),
    groupOf(
      { id: "arrivals", title: events, compares: "p99Ms", baseline: arrivals.alone.name },
      Object.values(arrivals),
    ),
  ];
}

/** What issue and design ask of deliveries. */
export function webhookVerdicts({ drain, holds, arrivals, workerRss }: WebhookSeries): Verdict[] {
  const perSecond = (of: Series) => medianOf(of, (run) => run.requestsPerSecond);
  const p99Ms = (of: Series) => medianOf(of, (run) => run.p99Ms);
  const name = "webhooks";
  return [
    {
      ...{ name, text: `deliveries a second of a backlog of ${BACKLOG}`, bound: "at least" },
      ...{ measured: perSecond(drain), target: DELIVERIES_PER_SECOND_MIN },
    },
    {
      ...{ name, text: "MB of the worker meanwhile", bound: "at most" },
      ...{ measured: summarize(workerRss).median / 1e6, target: WORKER_MB_MAX },
    },
    {
      ...{ name, text: "holds a second meanwhile ÷ quiet", bound: "at least" },
      ...{ measured: perSecond(holds.draining) / perSecond(holds.quiet), target: HOLDS_RATIO_MIN },
    },
    {
      ...{ name, text: "p99 of healthy endpoints beside others in trouble ÷ alone" },
      ...{ measured: p99Ms(arrivals.beside) / p99Ms(arrivals.alone), target: P99_RATIO_MAX },
      bound: "at most",
    },
  ];
}
