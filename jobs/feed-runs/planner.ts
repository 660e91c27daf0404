/**
 * Decides when feeds are built, by their state and not by messages: a missed night is made up.
 */
import type { Replica } from "../../engine/log/replica.ts";
import { every, type Log, type Service } from "../../src/lib/service.ts";
import { Changes, type Unknown } from "./changes.ts";
import { DayTurns } from "./day-turns.ts";
import { type FeedTerms, KEPT_FRESH_MS, triggerOf } from "./due.ts";
import { lastNight, nextNight, zoneOf } from "./nightly-times.ts";
import type { FeedTrigger } from "./run.ts";
import type { RunBook } from "./run-book.ts";
import type { Feed, FeedStore } from "./store.ts";

const LOOK_EVERY_MS = 1_000;
/** Slices of the journal per check. */
const SLICES_MAX = 4;

export interface PlannerOptions {
  readonly store: FeedStore;
  readonly book: RunBook;
  readonly replica: Pick<Replica, "state" | "rowsNaming" | "watchRows" | "head" | "journalId">;
  readonly terms: FeedTerms;
  /** `HH:mm`, in the zone of each tenant. */
  readonly nightlyAt: string;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
}

export class FeedPlanner implements Service {
  readonly id = "feed planner";
  readonly #options: PlannerOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => this.#tryLook());
  readonly #turns = new DayTurns();
  #changes: Changes | null = null;

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer.start();
  }

  drain(): void {
    this.#timer.stop();
  }

  stop(): void {
    this.#timer.stop();
  }

  /** Checks everything once. */
  look(): void {
    const { store, now } = this.#options;
    const nowMs = now();
    const feeds = store.feedsAskedSince(nowMs - KEPT_FRESH_MS);
    const changes = this.#follow(feeds);
    const zones = new Map(feeds.map(({ tenant_id }) => [tenant_id, ""]));
    for (const tenantId of zones.keys()) zones.set(tenantId, this.#zoneOf(tenantId));
    for (const feed of feeds) {
      const trigger = this.#triggerOf(feed, changes, zones.get(feed.tenant_id)!, nowMs);
      if (trigger !== null) this.#request(feed, trigger);
    }
    this.#forget(feeds, changes);
    this.#noteNights(feeds, zones, nowMs);
  }

  #tryLook(): void {
    try {
      this.look();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #follow(feeds: readonly Feed[]): Changes {
    const { replica } = this.#options;
    if (this.#changes === null) {
      const rows = feeds.map(knownRowOf).filter((row) => row > 0);
      this.#changes = new Changes(replica, Math.min(replica.head.row, ...rows));
    }
    for (let slices = 1; this.#changes.follow() && slices < SLICES_MAX; slices += 1);
    return this.#changes;
  }

  #triggerOf(feed: Feed, changes: Changes, zone: string, nowMs: number): FeedTrigger | null {
    const { replica, terms, nightlyAt } = this.#options;
    const { tenant_id, published } = feed;
    const knownRow = knownRowOf(feed);
    const isOfOtherJournal = published !== null && published.journal_id !== replica.journalId;
    const unknown = both(changes.since(tenant_id, knownRow), this.#turnSince(feed, nowMs));
    const standing = {
      ...{ nowMs, isOfOtherJournal, unknown },
      lastNightMs: lastNight(nightlyAt, zone, nowMs),
      hasSold: () => changes.hasSoldSince(feed, knownRow),
    };
    return triggerOf(feed, standing, terms);
  }

  /** A midnight since the published build, or since a later failed one. */
  #turnSince({ tenant_id, published, failed }: Feed, nowMs: number): Unknown | null {
    const properties = this.#options.replica.state.tenants.get(tenant_id)?.properties.live;
    const builtAt = Math.max(published?.at ?? 0, failed?.ended_at ?? 0);
    if (!properties || builtAt === 0) return null;
    return this.#turns.since(tenant_id, properties, { builtAt, nowMs });
  }

  #request({ tenant_id, partner }: Feed, trigger: FeedTrigger): void {
    const { store, now, log } = this.#options;
    const { run_id, created_at } = store.request(tenant_id, partner, trigger, { nowMs: now() });
    log("info", "a feed build is requested", { run_id, tenant_id, partner, trigger, created_at });
  }

  #forget(feeds: readonly Feed[], changes: Changes): void {
    const known = new Map<string, number>();
    for (const feed of feeds) {
      const row = knownRowOf(feed);
      // A feed without a run reads all changes.
      if (row > 0) known.set(feed.tenant_id, Math.min(known.get(feed.tenant_id) ?? row, row));
    }
    changes.forget(known);
  }

  #zoneOf(tenantId: string): string {
    const properties = this.#options.replica.state.tenants.get(tenantId)?.properties.live;
    return zoneOf(properties?.values() ?? []);
  }

  /** Updates the next nights that operators see. */
  #noteNights(feeds: readonly Feed[], zones: ReadonlyMap<string, string>, nowMs: number): void {
    const { nightlyAt, book } = this.#options;
    for (const { tenant_id, partner, next_nightly_at } of feeds) {
      const nextAt = nextNight(nightlyAt, zones.get(tenant_id)!, nowMs);
      if (nextAt !== next_nightly_at) book.noteNextNightly(tenant_id, partner, nextAt);
    }
  }
}

function both(one: Unknown | null, other: Unknown | null): Unknown | null {
  if (one === null || other === null) return one ?? other;
  const firstAt = Math.min(one.firstAt, other.firstAt);
  return { firstAt, lastAt: Math.max(one.lastAt, other.lastAt) };
}

/** The last row that the feed's runs have read; 0 if unknown. */
function knownRowOf({ published, failed }: Feed): number {
  return Math.max(published?.row ?? 0, failed?.row ?? 0);
}
