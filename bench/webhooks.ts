/**
 * How fast a backlog of events is delivered and how it affects holds, and how long an event takes
 * to healthy endpoints, with and without failing endpoints beside them.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { deliveriesPath } from "../src/config.ts";
import type { Bench, Measured } from "./bench.ts";
import { processName, rssBytes } from "./cpu.ts";
import { addEndpoint, makeEvents, makeSteadily, steer } from "./endpoints.ts";
import { Fixture } from "./fixture.ts";
import { type Disturbance, fullSpeed, holdInTurns, quietAround } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { type Figures, latenciesOf } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import type { Round } from "./progress.ts";
import { type Received, Receiver } from "./receiver.ts";
import { shown, type Verdict } from "./result.ts";
import { judged, Samples, sampleOf } from "./samples.ts";

const BACKLOG = 100_000;
const CONNECTIONS = 32;
/** Far below what the machine can do: waiting is measured, not capacity. */
const EVENTS_PER_SECOND = 20;
const HEALTHY = 8;
/** How failing endpoints behave: five are dead, three slow. */
const FAILING = [
  ...["dead", "dead", "dead", "dead", "dead", "slow", "silent", "huge"],
  ...["flapping", "flapping", "gone", "redirecting"],
];

const POLL_MS = 50;
const LIMIT_MS = 300_000;
const STAGE = "webhooks";
const DRAINED = `a backlog of ${BACKLOG} deliveries`;
const QUIET = "nothing to deliver";
const DRAINING = "a backlog being delivered";
const ALONE = "all endpoints healthy";
const BESIDE = `${FAILING.length} others in trouble`;
/** Quiet at both ends, as holds. */
const ARRIVAL_TURNS = [ALONE, BESIDE, ALONE];

/** Runs in a round, apart from that of the backlog. */
export const WEBHOOK_TURNS = 3 + ARRIVAL_TURNS.length;

interface WebhookBench extends Bench {
  /** Has `BACKLOG` deliveries for one endpoint, which is paused. */
  readonly fixture: Fixture;
  readonly receiver: Receiver;
  readonly endpointId: string;
  readonly samples: Samples;
}

/**
 * Measures deliveries on copies of an installation of its own, which has a backlog for a paused
 * endpoint.
 *
 * @throws Error when an event is delivered never or twice, or a hold is refused.
 */
export async function measureWebhooks(bench: Bench): Promise<Measured> {
  const { directory, runs, progress } = bench;
  const receiver = await Receiver.start();
  try {
    let endpointId = "";
    const make = () =>
      Fixture.make(join(directory, "webhooks"), async (seeded) => {
        endpointId = await addEndpoint(seeded, receiver.url("ok", 0));
        await steer(seeded, endpointId, "pause");
        await makeEvents(seeded, BACKLOG);
        const isDerived = () => countOf(seeded, endpointId, "pending") === BACKLOG;
        await until("the backlog is derived", isDerived);
      });
    const events = `making ${shown(BACKLOG, 0)} events`;
    const fixture = await progress.step("webhooks, preparing", events, make);
    const samples = new Samples();
    const all: WebhookBench = { ...bench, fixture, receiver, endpointId, samples };
    for (let round = 0; round < runs; round += 1) {
      const at = { round, of: runs };
      await fixture.withCopy(null, (copy) => drain(all, copy, at));
      await fixture.withCopy("spread", (copy) => holdBesideDeliveries(all, copy, at));
      await fixture.withCopy(null, (copy) => arrive(all, copy, at));
    }
    return { groups: groupsOf(samples), verdicts: webhookVerdicts(samples) };
  } finally {
    await receiver.stop();
  }
}

function groupsOf(samples: Samples) {
  const holds = `POST /v1/holds, ${CONNECTIONS} connections`;
  const events = `from an event to each of ${HEALTHY} endpoints, ${EVENTS_PER_SECOND} a second`;
  return [
    ...samples.group({ id: "drain", title: "deliveries", compares: "speed", baseline: null }),
    ...samples.group({ id: "holds", title: holds, compares: "speed", baseline: QUIET }),
    ...samples.group({ id: "arrivals", title: events, compares: "p99Ms", baseline: ALONE }),
  ];
}

/** The targets of deliveries, as far as they were measured. */
export function webhookVerdicts(samples: Samples): Verdict[] {
  const name = "webhooks";
  return judged([
    {
      ...{ name, text: `deliveries a second of a backlog of ${BACKLOG}`, bound: "at least" },
      ...{ measured: samples.median("drain", DRAINED), target: 2_000 },
    },
    {
      ...{ name, text: "MB of the worker meanwhile", bound: "at most", target: 200 },
      measured: samples.median("drain", DRAINED, "workerPeakMb"),
    },
    {
      ...{ name, text: "holds a second meanwhile ÷ quiet", bound: "at least", target: 0.8 },
      measured: samples.ratio("holds", DRAINING, QUIET),
    },
    {
      ...{ name, text: "p99 of healthy endpoints beside others in trouble ÷ alone" },
      measured: samples.ratio("arrivals", BESIDE, ALONE, "p99Ms"),
      ...{ target: 1.1, bound: "at most" },
    },
  ]);
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`waited ${LIMIT_MS} ms in vain: ${what}`);
    await Bun.sleep(POLL_MS);
  }
}

function rowsOf<T>({ dataDir }: Installation, sql: string, ...values: string[]): T[] {
  using db = new Database(deliveriesPath(dataDir), { readonly: true });
  return db.query<T, string[]>(sql).all(...values);
}

/** Deliveries of an endpoint in a state. */
function countOf(copy: Installation, endpointId: string, state: string): number {
  const sql = "SELECT count(*) AS n FROM delivery WHERE endpoint_id = ? AND state = ?";
  return rowsOf<{ n: number }>(copy, sql, endpointId, state)[0]!.n;
}

/** Latencies of the attempts, by the installation's own records. */
function attemptsOf(copy: Installation, endpointId: string) {
  const sql = `SELECT latency_ms AS ms FROM attempt JOIN delivery USING (delivery_id)
    WHERE endpoint_id = ? ORDER BY latency_ms`;
  const all = rowsOf<{ ms: number }>(copy, sql, endpointId);
  const percentile = (share: number) => all[Math.floor(((all.length - 1) * share) / 100)]!.ms;
  return latenciesOf({ percentile }, 1);
}

/** Sends the backlog with nothing else to do, and records the peak memory of the worker. */
async function drain(bench: WebhookBench, copy: Installation, at: Round): Promise<void> {
  const { receiver, endpointId, samples, progress } = bench;
  let workerPeak = 0;
  const deliver = async (onMeasuring: () => void): Promise<Figures> => {
    await steer(copy, endpointId, "resume");
    await until("the first deliveries", async () => (await receiver.figures()).received > 0);
    onMeasuring();
    const before = await receiver.forget();
    const startMs = performance.now();
    let now = before;
    await until("the backlog is sent", async () => {
      const worker = copy.pids.find((pid) => processName(pid) === "worker")!;
      workerPeak = Math.max(workerPeak, rssBytes(worker));
      now = await receiver.figures();
      return before.received + now.received >= BACKLOG;
    });
    const seconds = (performance.now() - startMs) / 1000;
    await until("all is settled", () => countOf(copy, endpointId, "succeeded") === BACKLOG);
    checkOnce(BACKLOG, [before, await receiver.figures()]);
    return figuresOf(now, now.received / seconds);
  };
  const run = await progress.run(`${STAGE}, backlog`, { what: DRAINED, ...at }, async () => {
    await receiver.forget();
    const measured: Run = await measure(copy, deliver);
    return { ...measured, ...attemptsOf(copy, endpointId) };
  });
  const { figures, ...sample } = sampleOf(run);
  const worker = { workerPeakMb: workerPeak / 1e6 };
  samples.add("drain", DRAINED, { ...sample, figures: { ...figures, ...worker } });
}

/** @throws Error when something came never or twice. */
function checkOnce(count: number, parts: readonly Received[]): void {
  const sum = (of: (part: Received) => number) => parts.reduce((all, part) => all + of(part), 0);
  const [received, distinct] = [sum((part) => part.received), sum((part) => part.distinct)];
  if (received === count && distinct === count) return;
  throw new Error(`of ${count} deliveries ${received} came, of ${distinct} events`);
}

function figuresOf(received: Received, requestsPerSecond: number): Figures {
  const { received: answers, distinct: _distinct, cpuMicros, ...latencies } = received;
  return {
    ...{ answers, requestsPerSecond, errors: 0, ...latencies, statusCounts: { 204: answers } },
    generatorCpuMicros: cpuMicros / Math.max(1, answers),
  };
}

function holdBesideDeliveries(bench: WebhookBench, copy: Installation, at: Round): Promise<void> {
  const { fixture, receiver, endpointId, samples } = bench;
  const draining = async (): Promise<Disturbance> => {
    await receiver.forget();
    await steer(copy, endpointId, "resume");
    return {
      async stop() {
        const { received } = await receiver.figures();
        if (received >= BACKLOG) throw new Error("the backlog was too short for the holds");
        await steer(copy, endpointId, "pause");
        return `${shown(received, 0)} deliveries`;
      },
    };
  };
  const turns = quietAround(QUIET, [{ name: DRAINING, start: draining }]);
  const hold = fullSpeed(fixture, bench, CONNECTIONS);
  return holdInTurns(fixture, copy, bench, { stage: STAGE, turns, samples, hold, ...at });
}

/** From an event until healthy endpoints have it. */
async function arrive(bench: WebhookBench, copy: Installation, at: Round): Promise<void> {
  const { receiver, samples, progress, timing } = bench;
  for (let n = 0; n < HEALTHY; n += 1) await addEndpoint(copy, receiver.url("ok", n));
  let from = BACKLOG;
  const send = async (seconds: number): Promise<Figures> => {
    from += EVENTS_PER_SECOND * 1_000;
    await receiver.forget();
    const startMs = performance.now();
    const pace = { perSecond: EVENTS_PER_SECOND, seconds, from };
    const count = HEALTHY * (await makeSteadily(copy, pace));
    await until("all have arrived", async () => (await receiver.figures()).received >= count);
    const received = await receiver.figures();
    checkOnce(count, [received]);
    return figuresOf(received, (count * 1000) / (performance.now() - startMs));
  };
  const measured = () =>
    measure(copy, async (onMeasuring) => {
      await send(timing.seconds / 2);
      onMeasuring();
      return send(timing.seconds);
    });
  for (const turn of ARRIVAL_TURNS) {
    const what = `arrivals, ${turn}`;
    const run = () => progress.run(STAGE, { what, ...at }, measured);
    const arrived = turn === ALONE ? await run() : await besideFailing(copy, receiver, run);
    samples.add("arrivals", turn, sampleOf(arrived));
  }
}

/** Does something beside failing endpoints, and disables them in the end. */
async function besideFailing<T>(
  copy: Installation,
  receiver: Receiver,
  work: () => Promise<T>,
): Promise<T> {
  const ids: string[] = [];
  for (const [n, behaviour] of FAILING.entries()) {
    ids.push(await addEndpoint(copy, receiver.url(behaviour, n)));
  }
  const result = await receiver.whileDead(work);
  for (const id of ids) await steer(copy, id, "disable");
  return result;
}
