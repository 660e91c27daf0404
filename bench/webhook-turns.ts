/** The turns of the webhooks benchmark: each of its own load on a fresh copy. */
import { Database } from "bun:sqlite";
import { deliveriesPath } from "../src/config.ts";
import { processName, rssBytes } from "./cpu.ts";
import { addEndpoint, makeSteadily, steer } from "./endpoints.ts";
import type { Fixture } from "./fixture.ts";
import { checkConservation, holdOn } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { type Figures, latenciesOf } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import type { Progress } from "./progress.ts";
import type { Received, Receiver } from "./receiver.ts";
import { shown } from "./result.ts";
import { type Timing, warmedUpBy } from "./timing.ts";

export const BACKLOG = 100_000;
export const CONNECTIONS = 32;
/** Far below what the machine can do: what is measured is waiting, not capacity. */
export const EVENTS_PER_SECOND = 20;
export const HEALTHY = 8;
/** How those in trouble behave: five are dead, three slow. */
export const TROUBLED = [
  ...["dead", "dead", "dead", "dead", "dead", "slow", "silent", "huge"],
  ...["flapping", "flapping", "gone", "redirecting"],
] as const;

const POLL_MS = 50;
const LIMIT_MS = 300_000;

export interface WebhookBench {
  /** Has `BACKLOG` deliveries for one endpoint, which is paused. */
  readonly fixture: Fixture;
  readonly receiver: Receiver;
  readonly endpointId: string;
  readonly timing: Timing;
  readonly progress: Progress;
}

/** Which round it is, from 0, of how many. */
type Round = Pick<Parameters<Progress["run"]>[1], "round" | "of">;

const STAGE = "webhooks";
export const DRAINED = `a backlog of ${BACKLOG} deliveries`;

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`waited ${LIMIT_MS} ms in vain: ${what}`);
    await Bun.sleep(POLL_MS);
  }
}

/** Deliveries of an endpoint in a state. */
function countOf({ dataDir }: Installation, endpointId: string, state: string): number {
  const db = new Database(deliveriesPath(dataDir), { readonly: true });
  try {
    const select = "SELECT count(*) AS n FROM delivery WHERE endpoint_id = ? AND state = ?";
    return db.query<{ n: number }, [string, string]>(select).get(endpointId, state)!.n;
  } finally {
    db.close();
  }
}

/** Resolves when all of the backlog has its durable row. */
export function untilDerived(seeded: Installation, endpointId: string): Promise<void> {
  return until("the backlog", () => countOf(seeded, endpointId, "pending") === BACKLOG);
}

/** Sends the backlog with nothing else to do; beside the figures, the most the worker has held. */
export async function drain(
  bench: WebhookBench,
  at: Round,
): Promise<{ run: Run; workerRss: number }> {
  let workerRss = 0;
  const work = () =>
    drainCopy(bench, (bytes) => {
      workerRss = Math.max(workerRss, bytes);
    });
  const run = await bench.progress.run(`${STAGE}, backlog`, { what: DRAINED, ...at }, work);
  return { run, workerRss };
}

function drainCopy(bench: WebhookBench, onWorkerRss: (bytes: number) => void): Promise<Run> {
  const { fixture, receiver, endpointId } = bench;
  return fixture.withCopy(null, async (copy) => {
    const look = () => {
      const worker = copy.pids.find((pid) => processName(pid) === "worker")!;
      onWorkerRss(rssBytes(worker));
    };
    await receiver.forget();
    const run = await measure(copy, async (onMeasuring) => {
      await steer(copy, endpointId, "resume");
      await until("the first deliveries", async () => (await receiver.figures()).received > 0);
      onMeasuring();
      const before = await receiver.forget();
      const startMs = performance.now();
      let now = before;
      await until("the backlog is sent", async () => {
        look();
        now = await receiver.figures();
        return before.received + now.received >= BACKLOG;
      });
      const seconds = (performance.now() - startMs) / 1000;
      await until("all is settled", () => countOf(copy, endpointId, "succeeded") === BACKLOG);
      checkOnce(BACKLOG, [before, await receiver.figures()]);
      return figuresOf(now, now.received / seconds);
    });
    return { ...run, ...attemptsOf(copy, endpointId) };
  });
}

/** @throws Error when something came never or twice. */
function checkOnce(count: number, parts: readonly Received[]): void {
  const sum = (of: (part: Received) => number) => parts.reduce((all, part) => all + of(part), 0);
  const [received, distinct] = [sum((part) => part.received), sum((part) => part.distinct)];
  if (received === count && distinct === count) return;
  throw new Error(`of ${count} deliveries ${received} came, of ${distinct} events`);
}

function figuresOf(received: Received, requestsPerSecond: number): Figures {
  const { received: answers, p50Ms, p90Ms, p99Ms, p999Ms, cpuMicros } = received;
  return {
    ...{ answers, requestsPerSecond, errors: 0, p50Ms, p90Ms, p99Ms, p999Ms },
    ...{ statusCounts: { 204: answers }, generatorCpuMicros: cpuMicros / Math.max(1, answers) },
  };
}

/** How long the attempts took, by the installation's own records. */
function attemptsOf({ dataDir }: Installation, endpointId: string) {
  const db = new Database(deliveriesPath(dataDir), { readonly: true });
  try {
    const select = `SELECT latency_ms AS ms FROM attempt JOIN delivery USING (delivery_id)
      WHERE endpoint_id = ? ORDER BY latency_ms`;
    const all = db.query<{ ms: number }, [string]>(select).all(endpointId);
    const percentile = (share: number) => all[Math.floor(((all.length - 1) * share) / 100)]!.ms;
    return latenciesOf({ percentile }, 1);
  } finally {
    db.close();
  }
}

export type HoldTurn = "quiet" | "draining";
/** Quiet at both ends: processes are slow while they are new, and have much to collect later. */
export const HOLD_TURNS: readonly HoldTurn[] = ["quiet", "draining", "quiet"];
export const HOLD_TURN_NAMES: Readonly<Record<HoldTurn, string>> = {
  quiet: "nothing to deliver",
  draining: "a backlog being delivered",
};

/**
 * As many holds as the service takes, without and with a backlog that is being sent. The turns
 * share a copy, so only the first one meets new processes.
 */
export function holdTurns(bench: WebhookBench, at: Round): Promise<[HoldTurn, Run][]> {
  const { fixture, receiver, endpointId, timing, progress } = bench;
  return fixture.withCopy("spread", async (copy) => {
    const runs: [HoldTurn, Run][] = [];
    const keys: string[] = [];
    for (const [n, turn] of HOLD_TURNS.entries()) {
      const isDraining = turn === "draining";
      await receiver.forget();
      if (isDraining) await steer(copy, endpointId, "resume");
      const keyPrefix = `turn-${n}-`;
      const about = { connections: CONNECTIONS, crowd: "spread", keyPrefix } as const;
      const load = { ...about, ...warmedUpBy(timing, 1 / 4) };
      const what = `holds, ${HOLD_TURN_NAMES[turn]}`;
      const hold = () => holdOn(fixture, copy, load);
      const { keys: taken, ...run } = await progress.run(STAGE, { what, ...at }, hold);
      runs.push([turn, run]);
      for (const key of taken) keys.push(key);
      if (!isDraining) continue;
      const { received } = await receiver.figures();
      progress.note(`${shown(received, 0)} deliveries beside ${shown(run.sent, 0)} holds.`);
      if (received >= BACKLOG) throw new Error("the backlog was too short for the holds");
      await steer(copy, endpointId, "pause");
    }
    checkConservation(fixture, copy, keys);
    return runs;
  });
}

export type ArrivalTurn = "alone" | "beside";
export const ARRIVAL_TURNS: readonly ArrivalTurn[] = ["alone", "beside", "alone"];
export const ARRIVAL_TURN_NAMES: Readonly<Record<ArrivalTurn, string>> = {
  alone: "all endpoints healthy",
  beside: `${TROUBLED.length} others in trouble`,
};

/** From an event until healthy endpoints have it, without and with others in trouble. */
export function arrivalTurns(bench: WebhookBench, at: Round) {
  const { fixture, receiver, timing, progress } = bench;
  return fixture.withCopy(null, async (copy) => {
    for (let n = 0; n < HEALTHY; n += 1) await addEndpoint(copy, receiver.url("ok", n));
    const runs: [ArrivalTurn, Run][] = [];
    let from = BACKLOG;
    const send = () =>
      measure(copy, async (onMeasuring) => {
        const { seconds } = timing;
        const pace = { perSecond: EVENTS_PER_SECOND, seconds: seconds / 2, from };
        await sendSteadily(copy, receiver, pace);
        onMeasuring();
        from += EVENTS_PER_SECOND * 1_000;
        return sendSteadily(copy, receiver, { ...pace, seconds, from });
      });
    const arrive = async (turn: ArrivalTurn) => {
      const what = `arrivals, ${ARRIVAL_TURN_NAMES[turn]}`;
      const run = await progress.run(STAGE, { what, ...at }, send);
      from += EVENTS_PER_SECOND * 1_000;
      runs.push([turn, run]);
    };
    for (const turn of ARRIVAL_TURNS) {
      if (turn === "alone") await arrive(turn);
      else await withTroubled(copy, receiver, () => arrive(turn));
    }
    return runs;
  });
}

/** Does something while endpoints are in trouble, and disables them in the end. */
async function withTroubled(
  copy: Installation,
  receiver: Receiver,
  work: () => Promise<void>,
): Promise<void> {
  const ids: string[] = [];
  for (const [n, behaviour] of TROUBLED.entries()) {
    ids.push(await addEndpoint(copy, receiver.url(behaviour, n)));
  }
  await receiver.whileDead(work);
  for (const id of ids) await steer(copy, id, "disable");
}

/** Makes events, and waits until every healthy endpoint has each of them once. */
async function sendSteadily(
  copy: Installation,
  receiver: Receiver,
  pace: Parameters<typeof makeSteadily>[1],
): Promise<Figures> {
  await receiver.forget();
  const startMs = performance.now();
  const count = HEALTHY * (await makeSteadily(copy, pace));
  await until("all have arrived", async () => (await receiver.figures()).received >= count);
  const received = await receiver.figures();
  checkOnce(count, [received]);
  return figuresOf(received, (count * 1000) / (performance.now() - startMs));
}
