/**
 * The process behind `stalls`: SteadyOptions as JSON on stdin; on stdout the line `MEASURING` when
 * the warm-up is over, then SteadyResult as JSON.
 *
 * Holds are due at fixed times whether or not earlier ones were answered, and a latency counts from
 * the time its hold was due: a stall is seen by every hold that fell into it.
 */
import { createHistogram } from "node:perf_hooks";
import { latenciesOf, MEASURING } from "./load.ts";
import type { SteadyOptions, SteadyResult } from "./stalls.ts";

class Steady {
  readonly #options: SteadyOptions;
  readonly #acknowledged: string[] = [];
  #sent = 0;

  constructor(options: SteadyOptions) {
    this.#options = options;
  }

  /** Sends for this long and waits for the last answer; the figures are of this call alone. */
  async run(seconds: number): Promise<SteadyResult> {
    const { perSecond } = this.#options;
    const latencyMicros = createHistogram({ figures: 4 });
    const statusCounts: Record<string, number> = {};
    const count = Math.ceil(seconds * perSecond);
    const cpuBefore = process.cpuUsage();
    const startMs = performance.now();
    const answers: Promise<void>[] = [];
    for (let i = 0; i < count; i += 1) {
      const dueMs = startMs + (i * 1000) / perSecond;
      await Bun.sleep(Math.max(0, dueMs - performance.now()));
      const answer = this.#hold(this.#sent++).then((status) => {
        latencyMicros.record(Math.max(1, Math.round((performance.now() - dueMs) * 1000)));
        statusCounts[status] = (statusCounts[status] ?? 0) + 1;
      });
      answers.push(answer);
    }
    await Promise.all(answers);
    const { user, system } = process.cpuUsage(cpuBefore);
    return {
      answers: count,
      requestsPerSecond: (count * 1000) / (performance.now() - startMs),
      ...latenciesOf(latencyMicros, 1000),
      statusCounts,
      errors: 0,
      generatorCpuMicros: (user + system) / count,
      holdKeys: this.#acknowledged,
    };
  }

  async #hold(n: number): Promise<number> {
    const { baseUrl, secret, quoteIds, keyPrefix } = this.#options;
    const key = `${keyPrefix}${n}`;
    const response = await fetch(`${baseUrl}/v1/holds`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${secret}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify({ quote_id: quoteIds[n % quoteIds.length] }),
    });
    await response.text();
    if (response.ok) this.#acknowledged.push(key);
    return response.status;
  }
}

const options = (await Bun.stdin.json()) as SteadyOptions;
const steady = new Steady(options);
if (options.warmupSeconds > 0) await steady.run(options.warmupSeconds);
process.stdout.write(`${MEASURING}\n`);
process.stdout.write(JSON.stringify(await steady.run(options.seconds)));
