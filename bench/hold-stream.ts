/**
 * Holds at a fixed rate, each sent again with its key until it is acknowledged: what clients see of
 * a takeover.
 */

/** Not so many that those that wait for a takeover exceed the requests of one process. */
const EVERY_MS = 40;
const AGAIN_MS = 20;
const LOOK_EVERY_MS = 5;
/** Longer than any answer may take. */
const ANSWER_MS_MAX = 15_000;
const WAIT_MS_MAX = 60_000;

/** A hold from its first request to its 201, both as `performance.now()`. */
export interface AcknowledgedHold {
  readonly key: string;
  readonly startedMs: number;
  readonly endedMs: number;
}

interface StreamOptions {
  readonly baseUrl: string;
  readonly secret: string;
  readonly quoteIds: readonly string[];
}

export class HoldStream {
  readonly #options: StreamOptions;
  readonly #acknowledged: AcknowledgedHold[] = [];
  readonly #open = new Set<Promise<void>>();
  #failure: Error | null = null;
  #isEnding = false;
  readonly #running: Promise<void>;

  /** Begins at once. */
  constructor(options: StreamOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  get acknowledged(): readonly AcknowledgedHold[] {
    return this.#acknowledged;
  }

  /** The first acknowledgement of a hold that began at an instant or later. */
  async firstAfter(atMs: number): Promise<AcknowledgedHold> {
    const limitMs = performance.now() + WAIT_MS_MAX;
    while (performance.now() < limitMs) {
      if (this.#failure) throw this.#failure;
      const found = this.#acknowledged.find(({ startedMs }) => startedMs >= atMs);
      if (found) return found;
      await Bun.sleep(LOOK_EVERY_MS);
    }
    throw new Error(`no hold was acknowledged within ${WAIT_MS_MAX} ms`);
  }

  /** No hold begins any more. */
  end(): void {
    this.#isEnding = true;
  }

  /** Resolves when every hold that has begun is acknowledged. Throws when one was refused. */
  async stop(): Promise<void> {
    this.end();
    await this.#running;
    await Promise.all(this.#open);
    if (this.#failure) throw this.#failure;
  }

  async #run(): Promise<void> {
    const startMs = performance.now();
    for (let n = 0; !this.#isEnding; n += 1) {
      await Bun.sleep(Math.max(0, startMs + n * EVERY_MS - performance.now()));
      const hold = this.#hold(n).catch((error: Error) => {
        this.#failure ??= error;
      });
      this.#open.add(hold);
      void hold.then(() => this.#open.delete(hold));
    }
  }

  async #hold(n: number): Promise<void> {
    const { quoteIds } = this.#options;
    const key = `stream-${n}`;
    const body = JSON.stringify({ quote_id: quoteIds[n % quoteIds.length] });
    const startedMs = performance.now();
    while (performance.now() < startedMs + WAIT_MS_MAX) {
      const status = await this.#send(key, body);
      const endedMs = performance.now();
      if (status === 201) {
        this.#acknowledged.push({ key, startedMs, endedMs });
        return;
      }
      if (status >= 400 && status < 500) throw new Error(`a hold was answered ${status}`);
      await Bun.sleep(AGAIN_MS);
    }
    throw new Error(`${key} was not acknowledged within ${WAIT_MS_MAX} ms`);
  }

  /** The status of the answer; 0 without one. */
  async #send(key: string, body: string): Promise<number> {
    const { baseUrl, secret } = this.#options;
    const headers = {
      ...{ authorization: `Bearer ${secret}`, "content-type": "application/json" },
      "idempotency-key": key,
    };
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    try {
      const answer = await fetch(`${baseUrl}/v1/holds`, { method: "POST", headers, body, signal });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }
}

/** The longest time without an acknowledgement between two instants. */
export function longestPauseMs(
  acknowledged: readonly Pick<AcknowledgedHold, "endedMs">[],
  fromMs: number,
  toMs: number,
): number {
  const within = acknowledged
    .map(({ endedMs }) => endedMs)
    .filter((ms) => ms >= fromMs && ms <= toMs);
  const instants = [fromMs, ...within.sort((a, b) => a - b), toMs];
  return Math.max(...instants.slice(1).map((ms, i) => ms - instants[i]!));
}
