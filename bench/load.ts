/**
 * The load generator: autocannon in a process of its own, so that it shares no event loop with the
 * harness and its CPU is counted separately. It drives all sides of a comparison.
 */
import { outputOf } from "./child.ts";

export interface LoadOptions {
  /** Full address of the route. */
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly connections: number;
  /** Length of the measured part. */
  readonly seconds: number;
  /**
   * Requests before the measured part, which count for `sent` but not for the figures: at least one
   * a connection, unless it is 0. Of all sides the same, because code is compiled by how often it
   * has run: after equal seconds the slower side would still be interpreted.
   */
  readonly warmupRequests: number;
  /** Headers of every request; content-type is set. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bodies of a POST; request n sends number n × 7919 modulo their count, which scatters them. */
  readonly bodies: readonly string[];
  /** When given, request n carries the Idempotency-Key `<keyPrefix><n>`. */
  readonly keyPrefix?: string;
}

/** How long answers took, by the share of them that took no longer. */
export interface Latencies {
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
}

/** Reads the percentiles of a histogram with `unitsPerMs` units a millisecond. */
export function latenciesOf(
  histogram: { percentile(share: number): number },
  unitsPerMs: number,
): Latencies {
  const at = (share: number) => histogram.percentile(share) / unitsPerMs;
  return { p50Ms: at(50), p90Ms: at(90), p99Ms: at(99), p999Ms: at(99.9) };
}

/** The measured part, of every generator. */
export interface Figures extends Latencies {
  /** Answers, whatever their status. */
  readonly answers: number;
  readonly requestsPerSecond: number;
  /** Answers by HTTP status. */
  readonly statusCounts: Readonly<Record<string, number>>;
  /** Connection errors and requests unanswered for 10 s. */
  readonly errors: number;
  /** CPU time of the generator itself per request: what it takes from the machine it shares. */
  readonly generatorCpuMicros: number;
}

export interface LoadResult extends Figures {
  /** Requests 0 to `sent` - 1 were made, warm-up included. */
  readonly sent: number;
  /** Those without a 2xx answer; the last ones were cut off and may have taken effect. */
  readonly unacknowledged: readonly number[];
}

interface ClientOf {
  readonly baseUrl: string;
  readonly secret: string;
  readonly seconds: number;
}

/** Whole flows; one counts as one request, whose latency is that of its six calls together. */
export interface FlowTask extends ClientOf {
  readonly kind: "flows";
  readonly agents: number;
  /** Flows before the measured part. */
  readonly warmupRequests: number;
  /** Delegation tokens that outlive the run, one per traveler. */
  readonly delegations: readonly string[];
}

/** Holds at a fixed rate. */
export interface SteadyTask extends ClientOf {
  readonly kind: "steady";
  readonly perSecond: number;
  /** At a fixed rate every side has as many requests in as many seconds. */
  readonly warmupSeconds: number;
  readonly quoteIds: readonly string[];
  /** Hold n carries the Idempotency-Key `<keyPrefix><n>`. */
  readonly keyPrefix: string;
}

export type ClientTask = FlowTask | SteadyTask;

export interface ClientResult extends Figures {
  /** Idempotency keys of all holds that were answered with 2xx. */
  readonly keys: readonly string[];
}

/** Throws when the status of an answer does not begin so, or a connection failed. */
export function assertAllGood(what: string, { statusCounts, errors }: Figures, begin = "2"): void {
  const isGood = Object.keys(statusCounts).every((status) => status.startsWith(begin));
  if (isGood && errors === 0) return;
  throw new Error(`${what}: answers ${JSON.stringify(statusCounts)}, ${errors} without one`);
}

/** Which of the bodies request `n` sends. */
export function bodyIndex(n: number, bodyCount: number): number {
  return (n * 7919) % bodyCount;
}

/** The first line a generator prints: from here on it counts. */
export const MEASURING = "measuring";

/**
 * Drives one load to its end. `onMeasuring` is called when the warm-up is over. Throws when the
 * generator fails, never for refused requests.
 */
export function drive(options: LoadOptions, onMeasuring = () => {}): Promise<LoadResult> {
  return runGenerator("load-worker.ts", options, onMeasuring);
}

/** The same for calls that depend on each other or are due at fixed times. */
export function driveClient(task: ClientTask, onMeasuring = () => {}): Promise<ClientResult> {
  return runGenerator("client-worker.ts", task, onMeasuring);
}

/**
 * Runs a generator of this folder: options as JSON on its stdin; on its stdout the line `MEASURING`
 * and then its result as JSON.
 */
async function runGenerator<Result>(
  program: string,
  options: object,
  onMeasuring: () => void,
): Promise<Result> {
  const onLine = (line: string) => {
    if (line === MEASURING) onMeasuring();
  };
  const running = { input: JSON.stringify(options), onLine };
  const output = await outputOf(`${import.meta.dir}/${program}`, running);
  return JSON.parse(output.slice(output.indexOf("\n"))) as Result;
}
