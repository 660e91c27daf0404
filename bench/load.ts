/**
 * The load generator: autocannon in a process of its own, so that it shares no event loop with the
 * harness and its CPU can be told apart. All sides of a comparison are driven by this one.
 */

export interface LoadOptions {
  /** Full address of the route; every request is a POST. */
  readonly url: string;
  readonly connections: number;
  /** Length of the measured part. */
  readonly seconds: number;
  /** Load before the measured part, which counts for `sent` but not for the figures. */
  readonly warmupSeconds: number;
  /** Headers of every request; content-type is set. */
  readonly headers: Readonly<Record<string, string>>;
  /** Request bodies; request n sends number n × 7919 modulo their count, which scatters them. */
  readonly bodies: readonly string[];
  /** When given, request n carries the Idempotency-Key `<keyPrefix><n>`. */
  readonly keyPrefix?: string;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  /** Answers by HTTP status. */
  readonly statusCounts: Readonly<Record<string, number>>;
  /** Connection errors and requests unanswered for 10 s. */
  readonly errors: number;
  /** CPU time of the generator itself per request: what it takes from the machine it shares. */
  readonly generatorCpuMicros: number;
  /** Requests 0 to `sent` - 1 were made, warm-up included. */
  readonly sent: number;
  /** Those without a 2xx answer; the last ones were cut off and may have taken effect. */
  readonly unacknowledged: readonly number[];
}

/** Which of the bodies request `n` sends. */
export function bodyIndex(n: number, bodyCount: number): number {
  return (n * 7919) % bodyCount;
}

/** Drives one load to its end. Throws when the generator fails, never for refused requests. */
export async function drive(options: LoadOptions): Promise<LoadResult> {
  const worker = Bun.spawn([process.execPath, `${import.meta.dir}/load-worker.ts`], {
    stdin: new Blob([JSON.stringify(options)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(worker.stdout).text();
  if ((await worker.exited) !== 0) throw new Error("the load generator failed");
  return JSON.parse(output) as LoadResult;
}
