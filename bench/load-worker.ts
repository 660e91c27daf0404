/**
 * The process behind `drive`: LoadOptions as JSON on stdin; on stdout the line `MEASURING` when the
 * warm-up is over, then LoadResult as JSON.
 *
 * Two parts of autocannon are replaced, because they cost time or lose precision. Its
 * `setupRequest` hook builds every request through several object copies (16 to 20 µs of CPU per
 * request instead of 11), so the bytes are written here. Its histogram keeps whole milliseconds, so
 * latencies are recorded here in microseconds.
 */
import { createHistogram } from "node:perf_hooks";
import autocannon from "autocannon";
import { bodyIndex, type LoadOptions, type LoadResult, latenciesOf, MEASURING } from "./load.ts";

/** The part of autocannon's client behind `setupRequest`; not public, hence the exact version. */
interface RequestSource {
  readonly requestIterator: {
    currentRequest: { requestBuffer: string };
    nextRequest(): void;
  };
}

/** Writes the requests in order and remembers which of them were answered with 2xx. */
class RequestLog {
  readonly #current = new Map<unknown, number>();
  readonly #options: LoadOptions;
  readonly #head: string;
  #acknowledged = new Uint8Array(1 << 16);
  sent = 0;

  constructor(options: LoadOptions) {
    const { host, pathname, search } = new URL(options.url);
    const type = options.method === "POST" ? { "content-type": "application/json" } : {};
    const headers = { host, ...type, ...options.headers };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#head = `${options.method} ${pathname}${search} HTTP/1.1\r\n${lines.join("")}`;
    this.#options = options;
  }

  /** Makes a connection take its requests from here. */
  readonly attach = (client: autocannon.Client): void => {
    const { requestIterator } = client as autocannon.Client & RequestSource;
    requestIterator.nextRequest = () => {
      requestIterator.currentRequest.requestBuffer = this.#next(client);
    };
    requestIterator.nextRequest();
  };

  /** Without pipelining an answer always belongs to the request its connection sent last. */
  answered(client: unknown, status: number): void {
    if (status < 200 || status > 299) return;
    this.#acknowledged[this.#current.get(client)!] = 1;
  }

  unacknowledged(): number[] {
    return Array.from({ length: this.sent }, (_, n) => n).filter((n) => !this.#acknowledged[n]);
  }

  #next(client: unknown): string {
    const n = this.sent++;
    if (n === this.#acknowledged.length) this.#grow();
    this.#current.set(client, n);
    const { bodies, keyPrefix, method } = this.#options;
    if (method === "GET") return `${this.#head}\r\n`;
    const body = bodies[bodyIndex(n, bodies.length)]!;
    const key = keyPrefix === undefined ? "" : `idempotency-key: ${keyPrefix}${n}\r\n`;
    return `${this.#head}${key}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#acknowledged.length * 2);
    larger.set(this.#acknowledged);
    this.#acknowledged = larger;
  }
}

/** Number of requests, or seconds. */
type Until = { readonly amount: number } | { readonly duration: number };

async function fire(options: LoadOptions, until: Until, log: RequestLog) {
  const latencyMicros = createHistogram({ figures: 4 });
  const { url, connections } = options;
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const run = autocannon(
    { url, connections, ...until, setupClient: log.attach, sampleInt: 100 },
    (error, result) => (error ? reject(error) : resolve(result)),
  );
  run.on("response", (client, status, _bytes, durationMs) => {
    log.answered(client, status);
    latencyMicros.record(Math.max(1, Math.round(durationMs * 1000)));
  });
  return { latencyMicros, result: await promise };
}

/** Each connection sends one request at least. */
function warmupOf(connections: number, requests: number): number {
  return Math.max(connections, Math.ceil(requests));
}

async function measure(options: LoadOptions): Promise<LoadResult> {
  const log = new RequestLog(options);
  const { connections, seconds, warmupRequests } = options;
  if (warmupRequests > 0)
    await fire(options, { amount: warmupOf(connections, warmupRequests) }, log);
  process.stdout.write(`${MEASURING}\n`);
  const cpuBefore = process.cpuUsage();
  const { result, latencyMicros } = await fire(options, { duration: seconds }, log);
  const cpu = process.cpuUsage(cpuBefore);
  const answers = result.requests.total;
  const statuses = Object.entries(result.statusCodeStats ?? {});
  return {
    answers,
    requestsPerSecond: answers / result.duration,
    ...latenciesOf(latencyMicros, 1000),
    statusCounts: Object.fromEntries(statuses.map(([status, { count }]) => [status, count ?? 0])),
    errors: result.errors,
    generatorCpuMicros: (cpu.user + cpu.system) / Math.max(1, answers),
    sent: log.sent,
    unacknowledged: log.unacknowledged(),
  };
}

const options = (await Bun.stdin.json()) as LoadOptions;
process.stdout.write(JSON.stringify(await measure(options)));
