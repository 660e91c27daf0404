/**
 * Makes deliveries of what the journal says, page by page as it grows: who gets an event is decided
 * here, once, by the endpoints as they are then.
 *
 * All endpoints share one walk along the journal. One that begins further back (it is new, or the
 * worker learned of it late) first walks alone until it has caught up. Where nobody wants anything
 * there is nothing to read: the cursor goes to the journal's end.
 *
 * A row that needs a damaged record holds nobody up: it is passed over, and a search for what its
 * tenant's endpoints miss by that is written with the place, to be done when the record is whole.
 */
import type { Database } from "bun:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Row } from "../../engine/core/events.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { Damage } from "../../engine/shell/damage.ts";
import { JournalTail } from "../../engine/shell/journal-tail.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import { every, type Log, type Service } from "../../engine/shell/service.ts";
import { GENESIS_CHAIN } from "../../engine/shell/stored-row.ts";
import type { DamageReports } from "../damage-reports.ts";
import { isBusy } from "../store-file.ts";
import { Derivation, type Derived, type Owed, type Progress, type Walked } from "./derivation.ts";
import { type Endpoint, type EndpointBook, lastWanted } from "./endpoint.ts";
import { MissedEvents } from "./missed-events.ts";
import { MissingDeliveries } from "./missing-deliveries.ts";
import { wants } from "./ota.ts";
import { firstRowSince } from "./row-since.ts";
import { DAMAGED_AGAIN_MS, tellRow } from "./telling.ts";

const LOOK_EVERY_MS = 50;
const SLICE_MS = 20;
/** Deliveries written at once: more would hold the process and the file up. */
const FOUND_MAX = 400;
/** Whoever has taken nothing for that long is disabled, so nothing older was still to be sent. */
const SETTLED_AFTER_MS = 5 * 86_400_000;
/** A full disk stays so until there is room. */
const AGAIN_AFTER_MS = 1_000;

export interface DeriverOptions {
  readonly db: Database;
  /** Folded here as far as events are told from it. */
  readonly replica: Replica;
  readonly book: Pick<EndpointBook, "all" | "refresh">;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  /** Endpoints that may have something due. */
  readonly onDerived: (endpointIds: Iterable<string>) => void;
  readonly damage: Pick<DamageReports, "tell">;
  readonly log: Log;
}

export class Deriver implements Service {
  readonly id = "webhook deriver";
  readonly #options: DeriverOptions;
  readonly #derivation: Derivation;
  readonly #refills: MissingDeliveries;
  readonly #absences: MissedEvents;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => void this.#run());
  #tail: JournalTail | null = null;
  #endpoints: readonly Endpoint[] = [];
  /** Those whose events are derived. */
  #open: readonly Endpoint[] = [];
  /** Those that were disabled, until it is known what they have missed. */
  #resumed: readonly Endpoint[] = [];
  /** When those are tried again for which the journal could not be read. */
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
    this.#refills = new MissingDeliveries({ ...options, derivation: this.#derivation });
    this.#absences = new MissedEvents(options);
  }

  /** Rows of the journal that are not looked at yet. */
  get lagRows(): number {
    return Math.max(0, this.#options.replica.head.row - this.#derivation.cursor.row);
  }

  /** Takes up where the last worker left off and follows the journal from there. */
  start(): void {
    const { replica, book, now, log } = this.#options;
    const { journalId, head } = replica;
    const adopted = this.#derivation.adopt({
      ...{ journalId, head, chainAt: (row) => replica.chainAt(row) },
      settledRow: () => firstRowSince(replica, now() - SETTLED_AFTER_MS) - 1,
    });
    if (adopted.kind === "other") {
      log("warn", "the journal is not the one that deliveries were derived from", {
        derived_again_after_row: adopted.after,
      });
    }
    if (adopted.kind === "first" && book.all().some(({ after_row }) => after_row < head.row)) {
      log("warn", "what endpoints have had is not known: events are delivered again", {
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
      if (!isBusy(error)) this.#tellTrouble(error);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Nothing is lost by trouble: the place was not moved, and the same rows come again. */
  #tellTrouble(error: unknown): void {
    if (this.#isStopped) return;
    this.#restsUntilMs = performance.now() + AGAIN_AFTER_MS;
    const text = String(error);
    if (text === this.#lastError) return;
    this.#lastError = text;
    this.#options.log("error", "no deliveries are derived for now", { error: text });
  }

  /** One page, or the endpoints that have changed. True when there is more. */
  #step(): boolean {
    const { replica, book, now } = this.#options;
    const isCurrent = replica.catchUp(SLICE_MS);
    // After the rows were read: whoever was told of a change has by it each event that came later.
    book.refresh();
    const all = book.all();
    if (all !== this.#endpoints) this.#follow(all);
    const isLookingBack = this.#lookBack();
    const open = this.#open;
    if (open.length === 0) return this.#skipToEnd() || isLookingBack;
    if (this.#derivation.reorder(now())) return true;
    const behind = open.find((each) => this.#progressOf(each).row < this.#derivation.cursor.row);
    if (behind) return this.#walkAlone(behind);
    if (this.#walkTogether() || !isCurrent || isLookingBack) return true;
    const refilled = this.#refills.step([...open, ...this.#resumed], now());
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
    // One that was disabled says by `after_row` since when events are its again.
    const isBack = (each: Endpoint) => each.after_row <= this.#progressOf(each).row;
    this.#open = wanting.filter(isBack);
    this.#resumed = wanting.filter((each) => !isBack(each));
    this.#byRealm = Map.groupBy(this.#open, realmOf);
  }

  /** Looks a bit further for what a resumed endpoint has missed. True when there is more. */
  #lookBack(): boolean {
    const { replica, now } = this.#options;
    const isReady = ({ endpoint_id, after_row }: Endpoint) =>
      after_row <= replica.head.row && now() >= (this.#againAtMs.get(endpoint_id) ?? 0);
    const resumed = this.#resumed.find(isReady);
    if (!resumed) return false;
    const seq = this.#missedBy(resumed);
    if (seq === null) return true;
    this.#progress.set(resumed.endpoint_id, this.#derivation.resume(resumed, seq));
    this.#sort();
    return true;
  }

  /** As `lastSeq`; one that rows which cannot be read were for waits alone until they can. */
  #missedBy(resumed: Endpoint): number | null {
    try {
      return this.#absences.lastSeq(resumed, this.#progressOf(resumed));
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      const { now, log } = this.#options;
      const { endpoint_id } = resumed;
      this.#againAtMs.set(endpoint_id, now() + DAMAGED_AGAIN_MS);
      log("error", "an endpoint is not resumed for now", { endpoint_id, error: String(error) });
      return null;
    }
  }

  #skipToEnd(): boolean {
    const { head } = this.#options.replica;
    if (head.row > this.#derivation.cursor.row) {
      this.#tail = null;
      const nothing = { found: [], owed: [], progress: new Map() };
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
    const walked = this.#page(tail, lastRow, (row) => this.#byRealm.get(realmOf(row)) ?? []);
    const { progress } = walked;
    // One that is disabled goes on from where it is resumed, whenever we hear of that.
    for (const { endpoint_id: id } of this.#open) {
      const { row, seq } = progress.get(id)!;
      progress.set(id, { row: Math.max(row, tail.head.row), seq });
    }
    this.#keep(walked, { cursor: tail.head });
    return tail.head.row < lastRow;
  }

  #walkAlone(endpoint: Endpoint): boolean {
    const { row } = this.#progressOf(endpoint);
    const chain = row === 0 ? GENESIS_CHAIN : this.#options.replica.chainAt(row)!;
    const tail = new JournalTail(this.#options.replica.journal, { row, chain });
    const until = this.#derivation.cursor.row;
    const isOurs = (at: Realm) => realmOf(at) === realmOf(endpoint);
    const walked = this.#page(tail, until, (at) => (isOurs(at) ? [endpoint] : []));
    const { progress } = walked;
    const { endpoint_id } = endpoint;
    const reached = tail.head.row;
    progress.set(endpoint_id, { row: reached, seq: progress.get(endpoint_id)!.seq });
    this.#keep(walked, { behind: endpoint_id, row: reached });
    return true;
  }

  #progressOf({ endpoint_id }: Endpoint): Progress {
    return this.#progress.get(endpoint_id)!;
  }

  /** What the next page holds for whom, up to `lastRow`. */
  #page(tail: JournalTail, lastRow: number, whose: (row: Realm) => readonly Endpoint[]) {
    const { replica, damage, now } = this.#options;
    const { state, eventLookups: look } = replica;
    const nowMs = now();
    const progress = new Map(this.#progress);
    const found: Derived[] = [];
    const owed: Owed[] = [];
    const concerns = (row: Row) => (each: Endpoint) =>
      row.row > progress.get(each.endpoint_id)!.row && lastWanted(each, row.events) !== null;
    tail.readPage(
      (row, block) => {
        const theirs = whose(row).filter(concerns(row));
        if (theirs.length === 0) return;
        const all = tellRow({ row, chain: block.chainAt(row.row) }, look);
        if (all instanceof RecordDamaged) {
          damage.tell(all);
          owed.push(...passOver(row, theirs, progress));
          return;
        }
        for (const told of all) {
          for (const endpoint of theirs) {
            const reached = progress.get(endpoint.endpoint_id)!;
            if (!wants(endpoint, told, row, { state, nowMs })) continue;
            const at = { row: row.row, event_at: row.stamp, prev_seq: reached.seq };
            found.push({ endpoint, told, ...at, trigger: "event" });
            progress.set(endpoint.endpoint_id, { row: reached.row, seq: told.event.seq });
          }
        }
      },
      () => tail.head.row >= lastRow || found.length + owed.length >= FOUND_MAX,
    );
    return { found, owed, progress };
  }

  #keep(walked: Walked, to: Parameters<Derivation["derive"]>[1]): void {
    const { found, progress } = walked;
    this.#derivation.derive(walked, to, this.#options.now());
    this.#progress = progress;
    if (found.length === 0) return;
    this.#options.onDerived(new Set(found.map(({ endpoint }) => endpoint.endpoint_id)));
  }
}

type Realm = Pick<Endpoint, "tenant_id" | "mode">;

function realmOf({ tenant_id, mode }: Realm): string {
  return `${mode} ${tenant_id}`;
}

/**
 * What is owed of a row that cannot be told to those who want it by its kinds, which is all that is
 * known of it. Their next event names it as the one before, so that receivers see the gap.
 */
function passOver(
  { row, stamp, events }: Row,
  theirs: readonly Endpoint[],
  progress: Map<string, Progress>,
): Owed[] {
  return theirs.map((endpoint) => {
    const { endpoint_id } = endpoint;
    const seq = lastWanted(endpoint, events)!;
    progress.set(endpoint_id, { row: progress.get(endpoint_id)!.row, seq });
    return { endpoint_id, row, stamp };
  });
}
