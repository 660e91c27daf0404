/**
 * Metrics of feeds, and an alarm in the log when one is too old: partners refuse prices that are a
 * day old and demote sellers with wrong ones.
 */
import { every, type Log, type Service } from "../../src/lib/service.ts";
import { KEPT_FRESH_MS } from "./due.ts";
import type { FeedRun, FeedRunState } from "./run.ts";
import type { Feed, FeedStore } from "./store.ts";

/** An older published feed raises the alarm. */
const OLD_AFTER_MS = 20 * 3_600_000;
const LOOK_EVERY_MS = 60_000;
const ALARM_EVERY_MS = 3_600_000;

/** `failing`: the last run failed, and the published feed, if any, is not old yet. */
export type FeedHealth = "fresh" | "failing" | "old" | "unpublished";
const HEALTHS: readonly FeedHealth[] = ["fresh", "failing", "old", "unpublished"];

export interface PartnerFigures {
  readonly partner: string;
  readonly feeds: Readonly<Record<FeedHealth, number>>;
  /** Age of the oldest published feed, seconds. */
  readonly oldestS: number;
  /** Of all published feeds: prices and lists, plain and compressed. */
  readonly bytes: number;
  readonly gzipBytes: number;
  /** Runs that ended since the start of this process. */
  readonly runs: Readonly<Record<Extract<FeedRunState, "published" | "failed">, number>>;
  /** Duration of the last published run; null before one. */
  readonly lastRunS: number | null;
}

interface Ended {
  published: number;
  failed: number;
  lastRunS: number | null;
}

export interface FeedMetricsOptions {
  readonly store: FeedStore;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** The health of a feed that is kept fresh. */
function healthOf({ published, failed }: Feed, nowMs: number): FeedHealth {
  if (published === null) return failed === null ? "unpublished" : "failing";
  if (nowMs - published.at! >= OLD_AFTER_MS) return "old";
  return failed === null ? "fresh" : "failing";
}

export class FeedMetrics implements Service {
  readonly id = "feed watch";
  readonly #options: FeedMetricsOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => this.#look());
  readonly #ended = new Map<string, Ended>();
  #alarmedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: FeedMetricsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer.start();
  }

  stop(): void {
    this.#timer.stop();
  }

  noteEnded({ partner, state, started_at, ended_at }: FeedRun): void {
    const ended = this.#ended.get(partner) ?? { published: 0, failed: 0, lastRunS: null };
    this.#ended.set(partner, ended);
    if (state === "failed") ended.failed += 1;
    if (state !== "published") return;
    ended.published += 1;
    ended.lastRunS = (ended_at! - started_at!) / 1_000;
  }

  /** By partner, sorted by name. */
  figures(): PartnerFigures[] {
    const feeds = this.#feeds();
    const partners = new Set([...feeds.map(({ partner }) => partner), ...this.#ended.keys()]);
    return [...partners].sort().map((partner) => {
      return this.#figuresOf(
        partner,
        feeds.filter((feed) => feed.partner === partner),
      );
    });
  }

  #figuresOf(partner: string, feeds: readonly Feed[]): PartnerFigures {
    const { store, now } = this.#options;
    const nowMs = now();
    const healths = feeds.map((feed) => healthOf(feed, nowMs));
    const count = (health: FeedHealth) => healths.filter((each) => each === health).length;
    const ages = feeds.flatMap(({ published }) => published?.at ?? []).map((at) => nowMs - at);
    const manifests = feeds.flatMap(
      ({ tenant_id }) => store.current(tenant_id, partner)?.manifest ?? [],
    );
    const sum = (of: readonly number[]) => of.reduce((total, each) => total + each, 0);
    const sizes = manifests.flatMap(({ list, ari }) => [
      [list.bytes, list.gzip_bytes] as const,
      ...ari.sets.map(({ ends, gzip_ends }) => [ends.at(-1)!, gzip_ends.at(-1)!] as const),
    ]);
    const { published = 0, failed = 0, lastRunS = null } = this.#ended.get(partner) ?? {};
    return {
      ...{ partner, runs: { published, failed }, lastRunS },
      feeds: Object.fromEntries(
        HEALTHS.map((health) => [health, count(health)]),
      ) as PartnerFigures["feeds"],
      oldestS: Math.max(0, ...ages) / 1_000,
      bytes: sum(sizes.map(([bytes]) => bytes)),
      gzipBytes: sum(sizes.map(([, bytes]) => bytes)),
    };
  }

  #feeds(): Feed[] {
    const { store, now } = this.#options;
    return store.feedsAskedSince(now() - KEPT_FRESH_MS);
  }

  #look(): void {
    const { now, log } = this.#options;
    const nowMs = now();
    const old = this.#feeds().filter((feed) => healthOf(feed, nowMs) === "old");
    if (old.length === 0 || performance.now() - this.#alarmedAtMs < ALARM_EVERY_MS) return;
    this.#alarmedAtMs = performance.now();
    const [{ tenant_id, partner, published }] = old as [Feed];
    const built_at = published?.at;
    log("error", "feeds are old", { count: old.length, tenant_id, partner, built_at });
  }
}
