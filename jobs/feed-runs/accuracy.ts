/**
 * The price-accuracy self-check. Partners click through and demote sellers with another price on
 * the page. So after each publication and then hourly, a sample of every feed is quoted again from
 * the live replica. A difference without any change since the build is our fault; many differences
 * after changes mean the feed is stale. Both raise an alarm, and the feed is rebuilt.
 */
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { dayOf, todayIn } from "../../engine/core/calendar.ts";
import type { Row } from "../../engine/core/events/event.ts";
import type { Replica } from "../../engine/log/replica.ts";
import { parsed } from "../../feeds/reading/element.ts";
import { itineraryOf } from "../../feeds/reading/itinerary.ts";
import { OUTCOMES, type Outcome, outcomeOf } from "../../feeds/requote.ts";
import { sampleOf } from "../../feeds/sample.ts";
import { every, type Log, type Service } from "../../src/lib/service.ts";
import { type Accuracy, type AccuracyBook, checkedIn, wrongShareOf } from "./accuracy-book.ts";
import { KEPT_FRESH_MS } from "./due.ts";
import type { Feed, FeedStore, PublishedFeed } from "./store.ts";

const LOOK_EVERY_MS = 60_000;
const CHECK_EVERY_MS = 3_600_000;
/** Itineraries per check. */
const SAMPLE = 100;
/** The alarm limit for feeds with changes since the build. */
const STALE_SHARE = 0.2;
/** Time slice before yielding to the event loop. */
const SLICE_MS = 2;

export interface AccuracyOptions {
  readonly store: Pick<FeedStore, "feedsAskedSince" | "current" | "request">;
  readonly book: AccuracyBook;
  readonly replica: Pick<Replica, "state" | "head" | "journalId" | "catchUp" | "rowsNaming">;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly newSeed?: () => number;
  readonly log: Log;
}

/** Counted since the start of the process; the shares are of the last checks. */
export interface AccuracyFigures {
  readonly outcomes: readonly {
    readonly partner: string;
    readonly outcome: Outcome;
    readonly count: number;
  }[];
  /** Per partner, the largest share of itineraries that differ, over all tenants. */
  readonly wrongShares: readonly { readonly partner: string; readonly share: number }[];
}

/** Checks due feeds once a minute, one at a time. */
export class AccuracyCheck implements Service {
  readonly id = "feed accuracy";
  readonly #options: AccuracyOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => void this.look());
  #round: Promise<void> | null = null;
  #isEnding = false;
  readonly #counts = new Map<string, Record<Outcome, number>>();
  /** From the last check of each feed. */
  readonly #shares = new Map<string, { readonly partner: string; readonly share: number }>();

  constructor(options: AccuracyOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer.start();
  }

  async stop(): Promise<void> {
    this.#timer.stop();
    this.#isEnding = true;
    await this.#round;
  }

  /** Checks every due feed; a call during a round shares it. */
  look(): Promise<void> {
    const { log } = this.#options;
    this.#round ??= this.#checkAll()
      .catch((error) => log("warn", "cannot check feeds", { error: String(error) }))
      .finally(() => {
        this.#round = null;
      });
    return this.#round;
  }

  figures(): AccuracyFigures {
    const outcomes = [...this.#counts].flatMap(([partner, counts]) =>
      OUTCOMES.map((outcome) => ({ partner, outcome, count: counts[outcome] })),
    );
    const shares = [...this.#shares.values()];
    const partners = [...new Set(shares.map(({ partner }) => partner))];
    const wrongShares = partners.map((partner) => {
      const own = shares.filter((each) => each.partner === partner);
      return { partner, share: Math.max(...own.map(({ share }) => share)) };
    });
    return { outcomes, wrongShares };
  }

  async #checkAll(): Promise<void> {
    const { store, now, log } = this.#options;
    const feeds = store.feedsAskedSince(now() - KEPT_FRESH_MS);
    const kept = new Set(feeds.map(nameOf));
    for (const name of this.#shares.keys()) if (!kept.has(name)) this.#shares.delete(name);
    for (const feed of feeds) {
      if (this.#isEnding) return;
      const { tenant_id, partner } = feed;
      try {
        const published = this.#due(feed);
        if (published) await this.#check(feed, published);
      } catch (error) {
        log("warn", "cannot check a feed", { tenant_id, partner, error: String(error) });
      }
    }
  }

  /** The document to check now; null if there is none or its check is not due. */
  #due({ tenant_id, partner }: Feed): PublishedFeed | null {
    const { store, book, now } = this.#options;
    const published = store.current(tenant_id, partner);
    const last = book.last(tenant_id, partner);
    if (published === null || last === null || last.run_id !== published.run_id) return published;
    this.#noteShare({ tenant_id, partner }, last);
    const sinceMs = now() - last.checked_at;
    // Negative after the clock was set back: due.
    return sinceMs >= 0 && sinceMs < CHECK_EVERY_MS ? null : published;
  }

  async #check({ tenant_id, partner }: Feed, published: PublishedFeed): Promise<void> {
    const { book, replica, now, newSeed = randomSeed } = this.#options;
    const { manifest, run_id } = published;
    while (!replica.catchUp(SLICE_MS) && !this.#isEnding) await nextTurn();
    if (manifest.journal_id !== replica.journalId || replica.head.row < manifest.row) return;
    const seed = newSeed();
    const outcomes = await this.#outcomes(tenant_id, partner, published, seed);
    if (outcomes === null) return;
    const is_unchanged = !(await hasMoved(replica, tenant_id, manifest.row));
    const share = wrongShareOf({ outcomes });
    const alarm = alarmOf(share, is_unchanged);
    const accuracy = { run_id, checked_at: now(), seed, outcomes, is_unchanged, alarm };
    const before = book.last(tenant_id, partner);
    book.note(tenant_id, partner, accuracy);
    this.#count(partner, outcomes);
    this.#noteShare({ tenant_id, partner }, accuracy);
    if (alarm !== null) this.#alarm(tenant_id, partner, accuracy, before);
  }

  /** The results of a sample; null when it was not finished. */
  async #outcomes(tenant_id: string, partner: string, published: PublishedFeed, seed: number) {
    const { replica, now } = this.#options;
    const { sets } = published.manifest.ari;
    const counts = noOutcomes();
    for (const { file, ends, step } of sets) {
      const path = join(published.directory, file);
      const results = await sampleOf({ path, ends }, Math.ceil(SAMPLE / sets.length), seed);
      for (const xml of results) {
        if (this.#isEnding) return null;
        const itinerary = itineraryOf(parsed(xml, "Result"));
        const property = replica.state.property({ tenant_id, mode: "live" }, itinerary.property);
        const todayDay = todayIn(property?.tree.timezone ?? "UTC", now());
        // A past check-in of a document built on an earlier day: it can no longer be booked.
        if (dayOf(itinerary.checkIn) < todayDay) continue;
        const isWhole = step === "all_rates";
        counts[outcomeOf(itinerary, { property, todayDay, agentId: partner, isWhole })] += 1;
        await nextTurn();
      }
    }
    return counts;
  }

  /** Raises the alarm and requests a rebuild, once an hour because a rebuild may not help. */
  #alarm(tenant_id: string, partner: string, accuracy: Accuracy, before: Accuracy | null): void {
    const { store, now, log } = this.#options;
    const { alarm, ...facts } = accuracy;
    const message =
      alarm === "wrong"
        ? "a feed has prices that were never quoted"
        : "a feed has prices that are no longer quoted";
    log("error", message, { tenant_id, partner, checked: checkedIn(accuracy), ...facts });
    const isMade = before !== null && before.alarm !== null;
    if (isMade && now() - before.checked_at < CHECK_EVERY_MS) return;
    store.request(tenant_id, partner, "change", { nowMs: now() });
  }

  #count(partner: string, outcomes: Readonly<Record<Outcome, number>>): void {
    const counts = this.#counts.get(partner) ?? noOutcomes();
    for (const outcome of OUTCOMES) counts[outcome] += outcomes[outcome];
    this.#counts.set(partner, counts);
  }

  #noteShare(feed: Pick<Feed, "tenant_id" | "partner">, accuracy: Accuracy): void {
    const { partner } = feed;
    this.#shares.set(nameOf(feed), { partner, share: wrongShareOf(accuracy) });
  }
}

function nameOf({ tenant_id, partner }: Pick<Feed, "tenant_id" | "partner">): string {
  return `${tenant_id} ${partner}`;
}

/** Rows per slice of the search for changes. */
const SLICE_ROWS = 2_000;
/** After this many slices, the feed counts as changed. */
const SLICES_MAX = 25;
/** Events that change prices or availability. */
const MOVES = /^(?:ari|property|hold|booking)\./;

/** Whether the tenant's live supply has changed or moved after a row. */
async function hasMoved(
  replica: AccuracyOptions["replica"],
  tenantId: string,
  row: number,
): Promise<boolean> {
  const words = [tenantId, tenantId] as const;
  const isMove = ({ tenant_id, mode, events }: Row) =>
    tenant_id === tenantId && mode === "live" && events.some(({ type }) => MOVES.test(type));
  let after = row;
  for (let slice = 0; slice < SLICES_MAX && after < replica.head.row; slice += 1) {
    const { rows, through } = replica.rowsNaming(words, after, SLICE_ROWS);
    if (rows.some(isMove)) return true;
    after = through;
    await nextTurn();
  }
  return after < replica.head.row;
}

function noOutcomes(): Record<Outcome, number> {
  return { equal: 0, price_changed: 0, no_longer_sellable: 0, now_sellable: 0 };
}

/** Without a change, any difference is wrong. */
function alarmOf(share: number, isUnchanged: boolean): Accuracy["alarm"] {
  if (isUnchanged) return share > 0 ? "wrong" : null;
  return share > STALE_SHARE ? "stale" : null;
}

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}
