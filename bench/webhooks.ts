/**
 * How fast a backlog of events is delivered and what holds feel of it, and how long an event takes
 * to endpoints that answer, with and without endpoints in trouble beside them.
 */
import { join } from "node:path";
import { addEndpoint, makeEvents, steer } from "./endpoints.ts";
import { Fixture } from "./fixture.ts";
import type { Timing } from "./holds.ts";
import type { Run } from "./measure.ts";
import { Receiver } from "./receiver.ts";
import { medianOf, type Series, type Verdict } from "./report.ts";
import { summarize } from "./stats.ts";
import {
  type ArrivalTurn,
  arrivalTurns,
  BACKLOG,
  CONNECTIONS,
  drain,
  EVENTS_PER_SECOND,
  HEALTHY,
  type HoldTurn,
  holdTurns,
  TROUBLED,
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
export async function measureWebhooks(
  directory: string,
  timing: Timing,
  runs: number,
): Promise<WebhookSeries> {
  const receiver = await Receiver.start();
  try {
    let endpointId = "";
    console.log(`making ${BACKLOG} events`);
    const fixture = await Fixture.make(join(directory, "webhooks"), async (seeded) => {
      endpointId = await addEndpoint(seeded, receiver.url("ok", 0));
      await steer(seeded, endpointId, "pause");
      await makeEvents(seeded, BACKLOG);
      await untilDerived(seeded, endpointId);
    });
    return await measureAll({ fixture, receiver, endpointId, timing }, runs);
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
    const drained = await drain(bench);
    drains.push(drained.run);
    workerRss.push(drained.workerRss);
    for (const [turn, run] of await holdTurns(bench)) holds[turn].push(run);
    for (const [turn, run] of await arrivalTurns(bench)) arrivals[turn].push(run);
  }
  const hold = `POST /v1/holds, ${CONNECTIONS} connections`;
  const event = `an event to each of ${HEALTHY} endpoints, ${EVENTS_PER_SECOND} a second`;
  const trouble = `${TROUBLED.length} others in trouble`;
  return {
    drain: { name: `deliveries of a backlog of ${BACKLOG}`, runs: drains },
    holds: {
      quiet: { name: `${hold}, nothing to deliver`, runs: holds.quiet },
      draining: { name: `${hold}, a backlog being delivered`, runs: holds.draining },
    },
    arrivals: {
      alone: { name: event, runs: arrivals.alone },
      beside: { name: `${event}, ${trouble}`, runs: arrivals.beside },
    },
    workerRss,
  };
}

/** All series, in the order in which they are shown. */
export function allWebhooks({ drain, holds, arrivals }: WebhookSeries): Series[] {
  return [drain, ...Object.values(holds), ...Object.values(arrivals)];
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
