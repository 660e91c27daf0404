/** Delivery metrics by endpoint health; one series per endpoint would be too many. */
import { idTime } from "../../../engine/core/ids.ts";
import type { Claims, Ended } from "../store/claims.ts";
import type { Reason } from "../store/delivery.ts";
import type { Health, ServedEndpoint } from "./served-endpoint.ts";

/** Upper bounds in seconds; the last bucket ends with the time limit of an attempt. */
const BOUNDS_S = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15] as const;
/** Maximum age of the figures that are read from the rows. */
const POLL_EVERY_MS = 5_000;
/** Dead letters are counted up to this number. */
const COUNTED_MAX = 100_000;

export interface Latencies {
  /** Cumulative: attempts that took at most `leS` seconds. */
  readonly buckets: readonly { readonly leS: number; readonly count: number }[];
  readonly sumS: number;
  readonly count: number;
}

/** Counted since the start of the process, except for members marked "Now". */
export interface WebhookFigures {
  readonly attempts: readonly { health: Health; isOk: boolean; count: number }[];
  readonly latencies: readonly (Latencies & { readonly health: Health })[];
  readonly died: readonly { readonly reason: Reason; readonly count: number }[];
  /** Now: active endpoints. */
  readonly endpoints: readonly { readonly health: Health; readonly count: number }[];
  /** Now: age of the oldest open delivery to an active endpoint; 0 without one. */
  readonly oldest: readonly { readonly health: Health; readonly ageS: number }[];
  /** Now: dead letters without a replay, at most 100,000. */
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

/** Counts of the endpoints of one health. */
class Tally {
  ok = 0;
  failed = 0;
  readonly latency = new Latency();
}

export interface DeliveryMetricsOptions {
  readonly claims: Pick<Claims, "oldestOpen" | "countDeadLetters">;
  readonly servedEndpoints: () => Iterable<ServedEndpoint>;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
}

export class DeliveryMetrics {
  readonly #options: DeliveryMetricsOptions;
  readonly #tallies = { healthy: new Tally(), troubled: new Tally() };
  readonly #died = new Map<Reason, number>();
  #cached: Pick<WebhookFigures, "endpoints" | "oldest" | "deadLetters"> | null = null;
  #cachedAtMs = 0;

  constructor(options: DeliveryMetricsOptions) {
    this.#options = options;
  }

  /** Counts a settled delivery. */
  noteSettled({ health }: ServedEndpoint, { attempt, reason }: Ended, isDead: boolean): void {
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
      ...this.#poll(),
    };
  }

  /** Figures from the rows, cached for a while. */
  #poll() {
    const steadyMs = performance.now();
    if (this.#cached && steadyMs - this.#cachedAtMs < POLL_EVERY_MS) return this.#cached;
    const { claims, servedEndpoints, now } = this.#options;
    const active = [...servedEndpoints()].filter(({ endpoint }) => endpoint.state === "active");
    const oldest = HEALTHS.map((health) => {
      const ages = active
        .filter((served) => served.health === health)
        .map(({ endpoint }) => claims.oldestOpen(endpoint.endpoint_id))
        .map((id) => (id === null ? 0 : Math.max(0, now() - idTime(id)) / 1_000));
      return { health, ageS: Math.max(0, ...ages) };
    });
    const endpoints = HEALTHS.map((health) => {
      return {
        health,
        count: active.filter((served) => served.health === health).length,
      };
    });
    this.#cached = { endpoints, oldest, deadLetters: claims.countDeadLetters(COUNTED_MAX) };
    this.#cachedAtMs = steadyMs;
    return this.#cached;
  }
}
