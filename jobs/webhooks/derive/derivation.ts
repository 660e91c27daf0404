/**
 * The deliveries derived from the journal, and the position reached. Both are written in one
 * transaction. An endpoint has at most one delivery of an event, so rows can be derived again.
 *
 * Invariant: the cursor is a row of this journal with its chain. A different chain shows that the
 * journal was restored or has lost rows. Then derivation starts again after the last waypoint that
 * matches the journal.
 */
import type { Database } from "bun:sqlite";
import type { UnlistedEvent } from "../../../engine/core/public-events.ts";
import { BEGINNING, type Head } from "../../../engine/log/head.ts";
import { GENESIS_CHAIN } from "../../../engine/log/stored-row.ts";
import type { Endpoint } from "../endpoint.ts";
import {
  DELIVERY_COLUMNS,
  type Delivery,
  type DeliveryTrigger,
  IS_OPEN,
  newId,
} from "../store/delivery.ts";
import { insertMissingSearch } from "../store/delivery-store.ts";
import { hasToWait, type ReorderPosition, releaseNext, reorder } from "../store/subject-order.ts";

/** Rows between two waypoints. */
const WAYPOINT_ROWS = 1_024;

/** Identifies the journal, and where to start in another one. */
export interface History {
  readonly journalId: string;
  readonly head: Head;
  chainAt(row: number): string | null;
  /** Events up to this row were settled by an earlier `deliveries.db`, even if it is lost. */
  readonly settledRow: () => number;
}

/**
 * How the file relates to the journal. `same`: it continues. `first`: the file is new; endpoints
 * may have received events after `after` already. `other`: another journal after row `after`.
 */
export type Adopted =
  | { readonly kind: "same" }
  | { readonly kind: "first" | "other"; readonly after: number };

/** Position up to which an endpoint's events are derived: row and `seq` of the last event. */
export interface Progress {
  readonly row: number;
  readonly seq: number;
}

interface StoredProgress extends Progress {
  readonly endpoint_id: string;
  readonly state: Endpoint["state"];
  readonly ordering: Endpoint["ordering"];
}

/** An event for an endpoint. */
export interface Derived {
  readonly endpoint: Pick<Endpoint, "endpoint_id" | "ordering" | "format">;
  readonly unlisted: UnlistedEvent;
  readonly row: number;
  readonly event_at: number;
  readonly prev_seq: number;
  readonly trigger: DeliveryTrigger;
}

/** A row with a damaged record, and an endpoint that may want an event of it. */
export interface SkippedRow {
  readonly endpoint_id: string;
  readonly row: number;
  readonly stamp: number;
}

/** A test clock that was advanced, and an endpoint of its realm. */
export interface Advance {
  readonly endpoint_id: string;
  readonly byMs: number;
}

/** The result of a walk along the journal. */
export interface WalkResult {
  readonly advances: readonly Advance[];
  readonly found: readonly Derived[];
  readonly skipped: readonly SkippedRow[];
  readonly progress: Map<string, Progress>;
}

export class Derivation {
  readonly #db: Database;
  /** Endpoints with a changed ordering, and the progress of the change. */
  readonly #reordering = new Map<
    string,
    { readonly ordering: Endpoint["ordering"]; readonly after: ReorderPosition }
  >();
  #cursor: Head = BEGINNING;

  constructor(db: Database) {
    this.#db = db;
  }

  get cursor(): Head {
    return this.#cursor;
  }

  /**
   * Continues at the stored cursor. A new file starts at the journal's end; older rows that are
   * not settled are derived for each endpoint that wants them.
   */
  adopt(history: History): Adopted {
    return this.#write(() => {
      const known = this.#meta("cursor")?.split(" ");
      this.#setMeta("journal_id", history.journalId);
      if (!known) {
        const after = history.settledRow();
        this.#setMeta("settled_row", String(after));
        this.#moveTo(history.head);
        return { kind: "first", after };
      }
      const cursor = { row: Number(known[0]), chain: known[1]! };
      const isSame = chainUpTo(history, cursor.row) === cursor.chain;
      const from = isSame ? cursor : this.#lastCommon(history);
      if (!isSame) this.#goBack(from.row);
      this.#moveTo(from);
      return isSame ? { kind: "same" } : { kind: "other", after: from.row };
    });
  }

  /** Stores changes of endpoints and returns their progress; deletes that of removed ones. */
  follow(endpoints: readonly Endpoint[]): Map<string, Progress> {
    return this.#write(() => {
      const select = "SELECT endpoint_id, row, seq, state, ordering FROM progress";
      const stored = this.#db.query<StoredProgress, []>(select).all();
      const byId = new Map(stored.map((progress) => [progress.endpoint_id, progress]));
      const followed = endpoints.map((endpoint): [string, Progress] => {
        const known = byId.get(endpoint.endpoint_id) ?? null;
        byId.delete(endpoint.endpoint_id);
        return [endpoint.endpoint_id, this.#followOne(endpoint, known)];
      });
      for (const gone of byId.keys()) {
        this.#db.query("DELETE FROM progress WHERE endpoint_id = ?").run(gone);
      }
      return new Map(followed);
    });
  }

  /**
   * Writes the found deliveries, a search per skipped row, and the new position: the cursor, or
   * that of one endpoint behind it. Retries under an advanced test clock are as much earlier.
   * Returns the number of new deliveries.
   */
  derive(
    { advances, found, skipped, progress }: WalkResult,
    to: { readonly cursor: Head } | { readonly behind: string; readonly row: number },
    nowMs: number,
  ): number {
    return this.#write(() => {
      for (const { endpoint_id, row, stamp } of skipped) {
        const search = { endpoint_id, since: stamp, until: stamp + 1, row: row - 1 };
        insertMissingSearch(this.#db, search, nowMs);
      }
      for (const { endpoint_id, byMs } of advances) {
        const earlier = `UPDATE delivery SET next_attempt_at = next_attempt_at - ?
          WHERE endpoint_id = ? AND next_attempt_at IS NOT NULL AND state = 'scheduled'`;
        this.#db.query(earlier).run(byMs, endpoint_id);
      }
      const made = found.filter((derived) => this.#insert(derived, nowMs)).length;
      const update = "UPDATE progress SET row = ?, seq = ? WHERE endpoint_id = ?";
      const moved = "behind" in to ? [to.behind] : progress.keys();
      for (const id of moved) {
        const { row, seq } = progress.get(id)!;
        this.#db.query(update).run(row, seq, id);
      }
      if ("cursor" in to) this.#moveTo(to.cursor);
      return made;
    });
  }

  /** Writes the results and the position of a search for missing deliveries. */
  recordSearch(
    searchId: string,
    found: readonly Derived[],
    to: { readonly row: number; readonly isDone: boolean },
    nowMs: number,
  ): void {
    this.#write(() => {
      const made = found.filter((derived) => this.#insert(derived, nowMs)).length;
      const update = `UPDATE refill SET row = ?, found = found + ?, done_at = ?
        WHERE refill_id = ?`;
      this.#db.query(update).run(to.row, made, to.isDone ? nowMs : null, searchId);
    });
  }

  /** Moves an endpoint to its `after_row`; `seq` is the last event that it missed. */
  resume({ endpoint_id, after_row }: Endpoint, seq: number): Progress {
    const update = "UPDATE progress SET row = ?, seq = ? WHERE endpoint_id = ?";
    this.#write(() => this.#db.query(update).run(after_row, seq, endpoint_id));
    return { row: after_row, seq };
  }

  /** Reorders a slice of deliveries; true while more remain. */
  reorder(nowMs: number): boolean {
    const [next] = this.#reordering;
    if (!next) return false;
    const [endpointId, { ordering, after }] = next;
    this.#write(() => {
      const reached = reorder(this.#db, endpointId, ordering, after, nowMs);
      if (reached) this.#reordering.set(endpointId, { ordering, after: reached });
      else {
        const note = "UPDATE progress SET ordering = ? WHERE endpoint_id = ?";
        this.#db.query(note).run(ordering, endpointId);
        this.#reordering.delete(endpointId);
      }
    });
    return true;
  }

  /** The `seq` of the endpoint's last event before `seq`; 0 without one. */
  seqBefore(endpointId: string, seq: number): number {
    const select = `SELECT max(seq) AS seq FROM delivery
      WHERE endpoint_id = ? AND seq < ? AND replay_of IS NULL AND is_lost = 0`;
    const found = this.#db.query<{ seq: number | null }, [string, number]>(select);
    return found.get(endpointId, seq)?.seq ?? 0;
  }

  #followOne(endpoint: Endpoint, known: StoredProgress | null): Progress {
    const { endpoint_id, after_row, state, ordering } = endpoint;
    const row = known?.row ?? Math.max(Number(this.#meta("settled_row")), after_row);
    const seq = known?.seq ?? 0;
    this.#db
      .query(
        `INSERT INTO progress (endpoint_id, row, seq, state, ordering) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (endpoint_id) DO UPDATE SET row = excluded.row, state = excluded.state,
           -- The time in which it took nothing by its owner's will is no time of failing.
           failing_since = CASE excluded.state WHEN 'active' THEN failing_since END`,
      )
      .run(endpoint_id, row, seq, state, ordering);
    // Stored only after the last slice, so that a crash repeats the reordering.
    if (known !== null && known.ordering !== ordering) {
      this.#reordering.set(endpoint_id, { ordering, after: { subject: "", seq: 0 } });
    } else this.#reordering.delete(endpoint_id);
    return { row, seq };
  }

  /** False when the endpoint has a delivery of this event. */
  #insert(derived: Derived, nowMs: number): boolean {
    if (this.#insertOnce(derived, nowMs)) return true;
    const { endpoint, unlisted } = derived;
    const select = `SELECT ${DELIVERY_COLUMNS} FROM delivery
      WHERE endpoint_id = ? AND seq = ? AND replay_of IS NULL AND is_lost = 0`;
    const known = this.#db
      .query<Delivery, [string, number]>(select)
      .get(endpoint.endpoint_id, unlisted.event.seq);
    if (known === null || known.webhook_id === unlisted.event.id) return false;
    // The journal has lost the event of that delivery; another event has its number now.
    this.#lose(known, nowMs);
    return this.#insertOnce(derived, nowMs);
  }

  #insertOnce({ endpoint, unlisted, ...at }: Derived, nowMs: number): boolean {
    const { event, property_id } = unlisted;
    const { endpoint_id, ordering, format } = endpoint;
    const { type, id } = event.subject;
    // The subject of a message is the property.
    const subject = format === "json" ? `${type}:${id}` : `property:${property_id}`;
    const waits = ordering === "per_subject" && hasToWait(this.#db, endpoint_id, subject);
    const { changes } = this.#db
      .query(
        `INSERT INTO delivery (delivery_id, endpoint_id, tenant_id, mode, webhook_id, row, seq,
           prev_seq, kind, subject, property_id, event_at, created_at, state, next_attempt_at,
           trigger)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)
         ON CONFLICT DO NOTHING`,
      )
      .run(
        ...([newId("dlv", nowMs), endpoint_id, event.tenant_id, event.mode] as const),
        ...([event.id, at.row, event.seq, at.prev_seq, event.type, subject] as const),
        ...([property_id, at.event_at, nowMs, waits ? null : nowMs, at.trigger] as const),
      );
    return changes === 1;
  }

  #lose(lost: Delivery, nowMs: number): void {
    const { delivery_id } = lost;
    this.#db.query("UPDATE delivery SET is_lost = 1 WHERE delivery_id = ?").run(delivery_id);
    const { changes } = this.#db
      .query(
        `UPDATE delivery SET state = 'dead_lettered', reason = 'event_lost', settled_at = ?,
           next_attempt_at = NULL
         WHERE delivery_id = ? AND ${IS_OPEN}`,
      )
      .run(nowMs, delivery_id);
    // A lost event never happened, so the next delivery does not name it as its dead predecessor.
    if (changes > 0) releaseNext(this.#db, lost, { isDead: false, nowMs });
  }

  /** The newest waypoint that matches the journal. */
  #lastCommon(history: History): Head {
    const waypoints = this.#db
      .query<Head, []>("SELECT row, chain FROM waypoint ORDER BY row DESC")
      .all();
    const common = waypoints.find(({ row, chain }) => chainUpTo(history, row) === chain);
    return common ?? BEGINNING;
  }

  #goBack(row: number): void {
    this.#db.query("DELETE FROM waypoint WHERE row > ?").run(row);
    this.#db
      .query(
        `UPDATE progress SET row = min(row, ?1), seq = ifnull((
           SELECT max(seq) FROM delivery WHERE delivery.endpoint_id = progress.endpoint_id
           AND replay_of IS NULL AND is_lost = 0 AND delivery.row <= ?1), 0)`,
      )
      .run(row);
  }

  #moveTo(cursor: Head): void {
    this.#setMeta("cursor", `${cursor.row} ${cursor.chain}`);
    const last = this.#db.query<{ row: number | null }, []>("SELECT max(row) AS row FROM waypoint");
    if (cursor.row >= (last.get()?.row ?? -WAYPOINT_ROWS) + WAYPOINT_ROWS) {
      const insert = "INSERT OR REPLACE INTO waypoint (row, chain) VALUES (?, ?)";
      this.#db.query(insert).run(cursor.row, cursor.chain);
    }
    this.#cursor = cursor;
  }

  #meta(name: string): string | null {
    const select = "SELECT value FROM meta WHERE name = ?";
    return this.#db.query<{ value: string }, [string]>(select).get(name)?.value ?? null;
  }

  #setMeta(name: string, value: string): void {
    this.#db.query("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)").run(name, value);
  }

  #write<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }
}

function chainUpTo(history: History, row: number): string | null {
  return row === 0 ? GENESIS_CHAIN : history.chainAt(row);
}
