/**
 * Derives deliveries from the journal as it grows. The endpoints at that time decide, once, which
 * of them get an event.
 *
 * All endpoints share one walk along the journal. An endpoint that starts further back (new, or
 * noticed late) walks alone until it has caught up. Without open endpoints the cursor moves to the
 * journal's end and nothing is read.
 *
 * A row with a damaged record is skipped. A search for its events is stored in the same transaction
 * and runs after the repair.
 */
import type { Database } from "bun:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Damage } from "../../../engine/core/damage.ts";
import type { Row } from "../../../engine/core/events/event.ts";
import type { UnlistedEvent } from "../../../engine/core/public-events.ts";
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import { JournalTail } from "../../../engine/log/journal-tail.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import { GENESIS_CHAIN } from "../../../engine/log/stored-row.ts";
import { every, type Log, type Service } from "../../../src/lib/service.ts";
import { isBusy } from "../../../src/lib/store-file.ts";
import type { DamageReports } from "../../lanes/damage-reports.ts";
import { type Endpoint, type EndpointBook, lastWanted } from "../endpoint.ts";
import { wants } from "../send/ota.ts";
import {
  type Advance,
  Derivation,
  type Derived,
  type Progress,
  type SkippedRow,
  type WalkResult,
} from "./derivation.ts";
import { DAMAGED_AGAIN_MS, firstRowSince, publicEventsOf } from "./journal-rows.ts";
import { MissedEvents } from "./missed-events.ts";
import { MissingDeliveries } from "./missing-deliveries.ts";

const POLL_EVERY_MS = 50;
const SLICE_MS = 20;
/** Deliveries written at once; more would block the process and the file. */
const FOUND_MAX = 400;
/** An endpoint that fails for so long is disabled, so older events are settled. */
const SETTLED_AFTER_MS = 5 * 86_400_000;
/** Pause after an error such as a full disk. */
const AGAIN_AFTER_MS = 1_000;

export interface DeriverOptions {
  readonly db: Database;
  /** Its state is needed to render events. */
  readonly replica: Replica;
  readonly book: Pick<EndpointBook, "all" | "refresh">;
  /** Takes the events of derived rows, so that the first attempt does not read them again. */
  readonly bodies: { keep(row: number, events: readonly UnlistedEvent[]): void };
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  /** Endpoints that may have due deliveries. */
  readonly onDerived: (endpointIds: Iterable<string>) => void;
  readonly damage: Pick<DamageReports, "report">;
  readonly log: Log;
}

export class Deriver implements Service {
  readonly id = "webhook deriver";
  readonly #options: DeriverOptions;
  readonly #derivation: Derivation;
  readonly #missingDeliveries: MissingDeliveries;
  readonly #missedEvents: MissedEvents;
  readonly #timer = every(this.id, POLL_EVERY_MS, () => void this.#run());
  #tail: JournalTail | null = null;
  #endpoints: readonly Endpoint[] = [];
  /** Endpoints whose events are derived. */
  #open: readonly Endpoint[] = [];
  /** Resumed endpoints whose missed events are not known yet. */
  #resumed: readonly Endpoint[] = [];
  /** When resumed endpoints with unreadable rows are tried again. */
  readonly #againAtMs = new Map<string, number>();
  #byRealm: ReadonlyMap<string, readonly Endpoint[]> = new Map();
  #progress: Map<string, Progress> = new Map();
  #isRunning = false;
  #isStopped = false;
  #restsUntilMs = 0;
  #lastError = "";

  constructor(options: DeriverOptions) {
    this.#options = options;
    this.#derivation = new Derivation(options.db);
    this.#missingDeliveries = new MissingDeliveries({ ...options, derivation: this.#derivation });
    this.#missedEvents = new MissedEvents(options);
  }

  /** Rows of the journal after the cursor. */
  get lagRows(): number {
    return Math.max(0, this.#options.replica.head.row - this.#derivation.cursor.row);
  }

  /** Continues where the last worker ended and follows the journal. */
  start(): void {
    const { replica, book, now, log } = this.#options;
    const { journalId, head } = replica;
    const adopted = this.#derivation.adopt({
      ...{ journalId, head, chainAt: (row) => replica.chainAt(row) },
      settledRow: () => firstRowSince(replica, now() - SETTLED_AFTER_MS) - 1,
    });
    if (adopted.kind === "other") {
      log("warn", "deliveries were derived from another journal", {
        derived_again_after_row: adopted.after,
      });
    }
    if (adopted.kind === "first" && book.all().some(({ after_row }) => after_row < head.row)) {
      log("warn", "deliveries.db is new: recent events are delivered again", {
        derived_again_after_row: adopted.after,
      });
    }
    this.#timer.start();
  }

  drain(): void {
    this.#timer.stop();
    this.#isStopped = true;
  }

  stop(): void {
    this.drain();
  }

  async #run(): Promise<void> {
    if (this.#isRunning || performance.now() < this.#restsUntilMs) return;
    this.#isRunning = true;
    try {
      while (!this.#isStopped && this.#step()) await nextTurn();
      this.#lastError = "";
    } catch (error) {
      this.#tail = null;
      this.#endpoints = [];
      if (!isBusy(error)) this.#reportError(error);
    } finally {
      this.#isRunning = false;
    }
  }

  /** The position did not move, so the same rows are derived again. */
  #reportError(error: unknown): void {
    if (this.#isStopped) return;
    this.#restsUntilMs = performance.now() + AGAIN_AFTER_MS;
    const text = String(error);
    if (text === this.#lastError) return;
    this.#lastError = text;
    this.#options.log("error", "cannot derive deliveries", { error: text });
  }

  /** Applies changes of endpoints and derives one page. True when there is more. */
  #step(): boolean {
    const { replica, book, now } = this.#options;
    const isCurrent = replica.catchUp(SLICE_MS);
    // Read after the rows: a change that the tenant knows of applies to all later events.
    book.refresh();
    const all = book.all();
    if (all !== this.#endpoints) this.#follow(all);
    const isSearching = this.#searchMissed();
    const open = this.#open;
    if (open.length === 0) return this.#skipToEnd() || isSearching;
    if (this.#derivation.reorder(now())) return true;
    const behind = open.find((each) => this.#progressOf(each).row < this.#derivation.cursor.row);
    if (behind) return this.#walkAlone(behind);
    if (this.#walkTogether() || !isCurrent || isSearching) return true;
    const refilled = this.#missingDeliveries.step([...open, ...this.#resumed], now());
    if (refilled !== null) this.#options.onDerived([refilled]);
    return refilled !== null;
  }

  #follow(all: readonly Endpoint[]): void {
    this.#progress = this.#derivation.follow(all);
    this.#endpoints = all;
    this.#sort();
    this.#options.onDerived(all.map(({ endpoint_id }) => endpoint_id));
  }

  #sort(): void {
    const wanting = this.#endpoints.filter(({ state }) => state !== "disabled");
    // After a resume `after_row` is the row from which the endpoint gets events again.
    const isBack = (each: Endpoint) => each.after_row <= this.#progressOf(each).row;
    this.#open = wanting.filter(isBack);
    this.#resumed = wanting.filter((each) => !isBack(each));
    this.#byRealm = Map.groupBy(this.#open, realmOf);
  }

  /** Searches a slice for events that a resumed endpoint missed. True when there is more. */
  #searchMissed(): boolean {
    const { replica, now } = this.#options;
    const isReady = ({ endpoint_id, after_row }: Endpoint) =>
      after_row <= replica.head.row && now() >= (this.#againAtMs.get(endpoint_id) ?? 0);
    const resumed = this.#resumed.find(isReady);
    if (!resumed) return false;
    const seq = this.#lastMissedSeq(resumed);
    if (seq === null) return true;
    this.#progress.set(resumed.endpoint_id, this.#derivation.resume(resumed, seq));
    this.#sort();
    return true;
  }

  /** As `lastSeq`; after unreadable rows the endpoint is tried again later. */
  #lastMissedSeq(resumed: Endpoint): number | null {
    try {
      return this.#missedEvents.lastSeq(resumed, this.#progressOf(resumed));
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      const { now, log } = this.#options;
      const { endpoint_id } = resumed;
      this.#againAtMs.set(endpoint_id, now() + DAMAGED_AGAIN_MS);
      log("error", "cannot resume a webhook endpoint", { endpoint_id, error: String(error) });
      return null;
    }
  }

  #skipToEnd(): boolean {
    const { head } = this.#options.replica;
    if (head.row > this.#derivation.cursor.row) {
      this.#tail = null;
      const nothing = { advances: [], found: [], skipped: [], progress: new Map() };
      this.#derivation.derive(nothing, { cursor: head }, this.#options.now());
    }
    return false;
  }

  #walkTogether(): boolean {
    const { replica } = this.#options;
    const lastRow = replica.head.row;
    this.#tail ??= new JournalTail(replica.journal, this.#derivation.cursor);
    const tail = this.#tail;
    if (tail.head.row >= lastRow) return false;
    const advances: Advance[] = [];
    const walked = this.#page(tail, lastRow, (row) => {
      const theirs = this.#byRealm.get(realmOf(row)) ?? [];
      advances.push(...advancesOf(row, theirs));
      return theirs;
    });
    const { progress } = walked;
    // So that an endpoint that is disabled later continues at its `after_row`.
    for (const { endpoint_id: id } of this.#open) {
      const { row, seq } = progress.get(id)!;
      progress.set(id, { row: Math.max(row, tail.head.row), seq });
    }
    this.#keep({ ...walked, advances }, { cursor: tail.head });
    return tail.head.row < lastRow;
  }

  #walkAlone(endpoint: Endpoint): boolean {
    const { row } = this.#progressOf(endpoint);
    const chain = row === 0 ? GENESIS_CHAIN : this.#options.replica.chainAt(row)!;
    const tail = new JournalTail(this.#options.replica.journal, { row, chain });
    const until = this.#derivation.cursor.row;
    const isOwn = (at: Realm) => realmOf(at) === realmOf(endpoint);
    const walked = this.#page(tail, until, (at) => (isOwn(at) ? [endpoint] : []));
    const { progress } = walked;
    const { endpoint_id } = endpoint;
    const reached = tail.head.row;
    progress.set(endpoint_id, { row: reached, seq: progress.get(endpoint_id)!.seq });
    this.#keep({ ...walked, advances: [] }, { behind: endpoint_id, row: reached });
    return true;
  }

  #progressOf({ endpoint_id }: Endpoint): Progress {
    return this.#progress.get(endpoint_id)!;
  }

  /** Deliveries of the next page up to `lastRow`. */
  #page(tail: JournalTail, lastRow: number, whose: (row: Row) => readonly Endpoint[]) {
    const { replica, bodies, damage, now } = this.#options;
    const { state, eventLookups: look } = replica;
    const nowMs = now();
    const progress = new Map(this.#progress);
    const found: Derived[] = [];
    const skipped: SkippedRow[] = [];
    const concerns = (row: Row) => (each: Endpoint) =>
      row.row > progress.get(each.endpoint_id)!.row && lastWanted(each, row.events) !== null;
    tail.readPage(
      (row, block) => {
        const theirs = whose(row).filter(concerns(row));
        if (theirs.length === 0) return;
        const all = publicEventsOf({ row, chain: block.chainAt(row.row) }, look);
        if (all instanceof RecordDamaged) {
          damage.report(all);
          skipped.push(...skipRow(row, theirs, progress));
          return;
        }
        bodies.keep(row.row, all);
        for (const unlisted of all) {
          for (const endpoint of theirs) {
            const reached = progress.get(endpoint.endpoint_id)!;
            if (!wants(endpoint, unlisted, row, { state, nowMs })) continue;
            const at = { row: row.row, event_at: row.stamp, prev_seq: reached.seq };
            found.push({ endpoint, unlisted, ...at, trigger: "event" });
            progress.set(endpoint.endpoint_id, { row: reached.row, seq: unlisted.event.seq });
          }
        }
      },
      () => tail.head.row >= lastRow || found.length + skipped.length >= FOUND_MAX,
    );
    return { found, skipped, progress };
  }

  #keep(walked: WalkResult, to: Parameters<Derivation["derive"]>[1]): void {
    const { advances, found, progress } = walked;
    this.#derivation.derive(walked, to, this.#options.now());
    this.#progress = progress;
    const due = [...advances, ...found.map(({ endpoint }) => endpoint)];
    if (due.length === 0) return;
    this.#options.onDerived(new Set(due.map(({ endpoint_id }) => endpoint_id)));
  }
}

type Realm = Pick<Endpoint, "tenant_id" | "mode">;

function realmOf({ tenant_id, mode }: Realm): string {
  return `${mode} ${tenant_id}`;
}

const NO_ADVANCES: readonly Advance[] = [];

/** The endpoints of the realm whose test clock a row advances. */
function advancesOf({ mode, events }: Row, theirs: readonly Endpoint[]): readonly Advance[] {
  if (mode === "live" || theirs.length === 0) return NO_ADVANCES;
  return events.flatMap((event) => {
    if (event.type !== "test_clock.set") return [];
    const byMs = 1000 * (event.data.offset_s - event.data.previous_offset_s);
    return byMs > 0 ? theirs.map(({ endpoint_id }) => ({ endpoint_id, byMs })) : [];
  });
}

/**
 * Skips a row with a damaged record for the endpoints that may want it by its kinds. Their next
 * event has its `seq` as `prev_seq`, so that receivers notice the gap.
 */
function skipRow(
  { row, stamp, events }: Row,
  theirs: readonly Endpoint[],
  progress: Map<string, Progress>,
): SkippedRow[] {
  return theirs.map((endpoint) => {
    const { endpoint_id } = endpoint;
    const seq = lastWanted(endpoint, events)!;
    progress.set(endpoint_id, { row: progress.get(endpoint_id)!.row, seq });
    return { endpoint_id, row, stamp };
  });
}
