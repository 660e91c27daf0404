/** How deliveries go, by the health of their endpoints: of endpoints there may be many. */
import { idTime } from "../../engine/core/ids.ts";
import type { Claims, Ended } from "./claims.ts";
import type { EndpointState, Health } from "./endpoint-state.ts";
import type { Reason } from "./reasons.ts";

/** Upper bounds in seconds; the last attempt ends with the time that all of it may take. */
const BOUNDS_S = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15] as const;
/** What is looked up in the rows is this old at most. */
const LOOK_EVERY_MS = 5_000;
/** Beyond it, the number of dead letters is only known to be larger. */
const COUNTED_MAX = 100_000;

export interface Latencies {
  /** Attempts that took at most so many seconds. */
  readonly buckets: readonly { readonly leS: number; readonly count: number }[];
  readonly sumS: number;
  readonly count: number;
}

/** Counted since the start of the process, but for what is said to be so now. */
export interface WebhookFigures {
  readonly attempts: readonly { health: Health; isOk: boolean; count: number }[];
  readonly latencies: readonly (Latencies & { readonly health: Health })[];
  readonly died: readonly { readonly reason: Reason; readonly count: number }[];
  /** Now: endpoints that are active. */
  readonly endpoints: readonly { readonly health: Health; readonly count: number }[];
  /** Now: age of the oldest open delivery to an active endpoint; 0 when there is none. */
  readonly oldest: readonly { readonly health: Health; readonly ageS: number }[];
  /** Now: dead letters that nobody has handled, at most 100,000 of them. */
  readonly deadLetters: number;
}

const HEALTHS: readonly Health[] = ["healthy", "troubled"];

class Latency {
  readonly #counts = BOUNDS_S.map(() => 0);
  #sumS = 0;
  #total = 0;

  add(seconds: number): void {
    this.#total += 1;
    this.#sumS += seconds;
    const bucket = BOUNDS_S.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) this.#counts[bucket]! += 1;
  }

  get figures(): Latencies {
    let below = 0;
    const buckets = this.#counts.map((count, i) => {
      below += count;
      return { leS: BOUNDS_S[i]!, count: below };
    });
    return { buckets, sumS: this.#sumS, count: this.#total };
  }
}

/** What was counted of the endpoints of one health. */
class Tally {
  ok = 0;
  failed = 0;
  readonly latency = new Latency();
}

export interface WatchOptions {
  readonly claims: Pick<Claims, "oldestOpen" | "countDeadLetters">;
  readonly outlets: () => Iterable<EndpointState>;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
}

export class Watch {
  readonly #options: WatchOptions;
  readonly #tallies = { healthy: new Tally(), troubled: new Tally() };
  readonly #died = new Map<Reason, number>();
  #looked: Pick<WebhookFigures, "endpoints" | "oldest" | "deadLetters"> | null = null;
  #lookedAtMs = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Counts what was settled. */
  noteSettled({ health }: EndpointState, { attempt, reason }: Ended, isDead: boolean): void {
    if (attempt) {
      const tally = this.#tallies[health];
      if (attempt.ok) tally.ok += 1;
      else tally.failed += 1;
      tally.latency.add(attempt.latency_ms / 1_000);
    }
    const why = attempt?.reason ?? reason;
    if (isDead && why) this.noteDead(why, 1);
  }

  noteDead(reason: Reason, count: number): void {
    this.#died.set(reason, (this.#died.get(reason) ?? 0) + count);
  }

  figures(): WebhookFigures {
    const tallies = HEALTHS.map((health) => ({ health, tally: this.#tallies[health] }));
    return {
      attempts: tallies.flatMap(({ health, tally: { ok, failed } }) => [
        { health, isOk: true, count: ok },
        { health, isOk: false, count: failed },
      ]),
      latencies: tallies.map(({ health, tally }) => ({ health, ...tally.latency.figures })),
      died: [...this.#died].map(([reason, count]) => ({ reason, count })),
      ...this.#look(),
    };
  }

  /** What the rows say, looked up now and then. */
  #look() {
    const steadyMs = performance.now();
    if (this.#looked && steadyMs - this.#lookedAtMs < LOOK_EVERY_MS) return this.#looked;
    const { claims, outlets, now } = this.#options;
    const active = [...outlets()].filter(({ endpoint }) => endpoint.state === "active");
    const oldest = HEALTHS.map((health) => {
      const ages = active
        .filter((outlet) => outlet.health === health)
        .map(({ endpoint }) => claims.oldestOpen(endpoint.endpoint_id))
        .map((id) => (id === null ? 0 : Math.max(0, now() - idTime(id)) / 1_000));
      return { health, ageS: Math.max(0, ...ages) };
    });
    const endpoints = HEALTHS.map((health) => {
      return { health, count: active.filter((outlet) => outlet.health === health).length };
    });
    this.#looked = { endpoints, oldest, deadLetters: claims.countDeadLetters(COUNTED_MAX) };
    this.#lookedAtMs = steadyMs;
    return this.#looked;
  }
}
