/**
 * Counts requests by agent and route in memory and writes them to `traffic.db` once a minute. A
 * request costs two look-ups and three increments. A killed process loses its last counts.
 */
import type { Realm } from "../../engine/core/supply.ts";
import { every, type Service } from "../../src/lib/service.ts";
import { isBusy } from "../../src/lib/store-file.ts";
import { BOUNDS_MS, type Traffic, type TrafficFile } from "./traffic-file.ts";

const WRITE_EVERY_MS = 60_000;
/** How long the last write waits for another process; there is no later one. */
const LAST_WAIT_MS = 1_000;

/** A route; compared by identity. */
interface CountedRoute {
  readonly id: string;
}

export interface TrafficOptions {
  readonly file: Pick<TrafficFile, "add" | "close">;
  /** Wall clock, epoch milliseconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

export class TrafficCounter implements Service {
  readonly id = "traffic counter";
  readonly #options: TrafficOptions;
  readonly #timer = every("traffic timer", WRITE_EVERY_MS, () => this.write());
  /** By agent and route; agent ids are unique in an installation. */
  #byAgent = new Map<string, Map<CountedRoute, Traffic>>();

  constructor(options: TrafficOptions) {
    this.#options = options;
  }

  /** Counts an answered request. */
  note(
    { tenant_id, mode, agent_id }: Realm & { readonly agent_id: string },
    route: CountedRoute,
    status: number,
    ms: number,
  ): void {
    let byRoute = this.#byAgent.get(agent_id);
    if (!byRoute) {
      byRoute = new Map();
      this.#byAgent.set(agent_id, byRoute);
    }
    let counts = byRoute.get(route);
    if (!counts) {
      const latencies = Array.from({ length: BOUNDS_MS.length + 1 }, () => 0);
      const none = { answered: 0, refused: 0, failed: 0, latencies };
      counts = { tenant_id, mode, agent_id, route: route.id, ...none };
      byRoute.set(route, counts);
    }
    if (status < 400) counts.answered += 1;
    else if (status < 500) counts.refused += 1;
    else counts.failed += 1;
    let nth = 0;
    while (nth < BOUNDS_MS.length && ms > BOUNDS_MS[nth]!) nth += 1;
    counts.latencies[nth]! += 1;
  }

  /** Writes the counts; keeps them for the next time if that fails. */
  write(): void {
    this.#write((error) => {
      // The next minute retries.
      if (!isBusy(error)) this.#options.onError(error);
    });
  }

  start(): void {
    this.#timer.start();
  }

  /** Writes early, because the process may be killed before `stop`, which retries. */
  drain(untilMs: number): void {
    this.#timer.stop();
    const leftMs = Math.max(0, Math.floor(untilMs - performance.now()));
    this.#write(() => {}, Math.min(leftMs, LAST_WAIT_MS));
  }

  stop(): void {
    this.#timer.stop();
    this.#write(this.#options.onError, LAST_WAIT_MS);
    this.#options.file.close();
  }

  #write(onFailure: (error: unknown) => void, waitMs?: number): void {
    const counts = [...this.#byAgent.values()].flatMap((byRoute) => [...byRoute.values()]);
    if (counts.length === 0) return;
    try {
      this.#options.file.add(counts, this.#options.now(), waitMs);
      this.#byAgent = new Map();
    } catch (error) {
      onFailure(error);
    }
  }
}
