/**
 * The load generator: autocannon in a process of its own, so that it shares no event loop with the
 * harness and its CPU can be told apart. All sides of a comparison are driven by this one.
 */

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

/** Reads the shares off a histogram, or whatever knows them, of so many units a millisecond. */
export function latenciesOf(
  histogram: { percentile(share: number): number },
  unitsPerMs: number,
): Latencies {
  const at = (share: number) => histogram.percentile(share) / unitsPerMs;
  return { p50Ms: at(50), p90Ms: at(90), p99Ms: at(99), p999Ms: at(99.9) };
}

/** What every generator tells of its measured part. */
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

/** Throws when any answer was not 2xx or a connection failed. */
export function assertAllGood(what: string, { statusCounts, errors }: Figures): void {
  const isGood = Object.keys(statusCounts).every((status) => status.startsWith("2"));
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

/**
 * Runs a generator of this folder: options as JSON on its stdin; on its stdout the line `MEASURING`
 * and then its result as JSON.
 */
export async function runGenerator<Result>(
  program: string,
  options: object,
  onMeasuring: () => void,
): Promise<Result> {
  const worker = Bun.spawn([process.execPath, `${import.meta.dir}/${program}`], {
    stdin: new Blob([JSON.stringify(options)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  let hasStarted = false;
  for await (const chunk of worker.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk;
    if (hasStarted || !output.includes("\n")) continue;
    hasStarted = true;
    onMeasuring();
  }
  if ((await worker.exited) !== 0) throw new Error("the load generator failed");
  return JSON.parse(output.slice(output.indexOf("\n"))) as Result;
}
