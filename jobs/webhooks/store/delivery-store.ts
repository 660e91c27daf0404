/**
 * Deliveries as operators list and change them. Everything is in durable rows, where the worker
 * finds due work, so a loss of Redis loses no accepted request.
 */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { idTime, timeDigits } from "../../../engine/core/ids.ts";
import type { Realm } from "../../../engine/core/supply.ts";
import {
  DELIVERY_COLUMNS,
  type Delivery,
  type DeliveryState,
  type DeliveryTrigger,
  IS_OPEN,
  newId,
  type StoredAttempt,
} from "./delivery.ts";
import { releaseNext } from "./subject-order.ts";

/** An absent member does not restrict. Instants are engine time, epoch milliseconds. */
export interface DeliveryFilter extends Realm {
  /** What the caller may see; null: all. A list excludes deliveries without a property. */
  readonly visible_property_ids: readonly string[] | null;
  /** Endpoints that the caller may see; absent: all. */
  readonly visible_endpoint_ids?: readonly string[] | null;
  readonly endpoint_id?: string | undefined;
  readonly webhook_id?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly property_id?: string | undefined;
  readonly subject?: string | undefined;
  readonly states?: readonly DeliveryState[] | undefined;
  readonly reason?: string | undefined;
  /** HTTP status of the last answer. */
  readonly status?: number | undefined;
  /** Creation time; `until` is excluded. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Dead letters without a replay. */
  readonly is_unhandled?: boolean | undefined;
}

/** A refusal has the delivery that blocks the call: the delivery itself or its open replay. */
export type OperatorResult =
  | { readonly ok: true; readonly delivery: Delivery }
  | { readonly ok: false; readonly delivery: Delivery };

/** A search for events of which an endpoint has no delivery. */
export interface MissingSearch {
  readonly refill_id: string;
  readonly endpoint_id: string;
  readonly since: number;
  readonly until: number;
  /** The last row of the journal that was searched. */
  readonly row: number;
  /** Deliveries created. */
  readonly found: number;
  readonly created_at: number;
  /** Null until the search is complete. */
  readonly done_at: number | null;
}

/** An endpoint's figures for one hour. */
export interface HourlyFigures {
  /** Start of the hour; epoch milliseconds. */
  readonly hour: number;
  readonly attempts: number;
  readonly succeeded: number;
  readonly dead_lettered: number;
  /** Sum and maximum over all attempts. */
  readonly latency_ms: number;
  readonly latency_ms_max: number;
}

/** Current counts of an endpoint. */
export interface EndpointCounts {
  readonly open: number;
  /** Creation of the oldest open delivery; null without one. */
  readonly oldest_open_at: number | null;
  /** Dead letters without a replay. */
  readonly dead_letters: number;
  /** Time of the first failure since the last success; null when the last attempt succeeded. */
  readonly failing_since: number | null;
}

/** Epoch milliseconds or null. */
interface EndpointHealth extends Pick<EndpointCounts, "failing_since"> {
  /** Creation of the oldest dead letter without a replay. */
  readonly oldest_dead_letter_at: number | null;
}

const UNHANDLED = "state = 'dead_lettered' AND replayed_as IS NULL";

/**
 * Deliveries scanned per page. A page with few matches ends here, so that a rare filter among a
 * million deliveries does not block the process.
 */
const SCANNED_MAX = 20_000;

export interface Page {
  /** Newest first. */
  readonly items: readonly Delivery[];
  /** Cursor of the next page, null on the last one. A page before the last may be empty. */
  readonly next: string | null;
}

interface Condition {
  readonly text: string;
  readonly values: readonly SQLQueryBindings[];
}

export class DeliveryStore {
  readonly #db: Database;

  /** `db`: a connection of `openDeliveries` with `full`. */
  constructor(db: Database) {
    this.#db = db;
  }

  /** Newest first, after the delivery `after`. */
  list(filter: DeliveryFilter, { after, limit }: { after: string | null; limit: number }): Page {
    const { text, values } = conditionOf(filter);
    const within = windowOf(filter, after);
    const looked = `SELECT * FROM delivery WHERE ${within.text} ORDER BY delivery_id DESC`;
    const select = `SELECT ${DELIVERY_COLUMNS} FROM (${looked} LIMIT ${SCANNED_MAX})
      WHERE ${text} ORDER BY delivery_id DESC LIMIT ?`;
    const items = this.#db
      .prepare<Delivery, SQLQueryBindings[]>(select)
      .all(...within.values, ...values, limit);
    if (items.length === limit) return { items, next: items.at(-1)?.delivery_id ?? null };
    const last = `SELECT delivery_id, tenant_id, mode FROM (${looked}
      LIMIT 1 OFFSET ${SCANNED_MAX - 1})`;
    const reached = this.#db.prepare<Delivery, SQLQueryBindings[]>(last).get(...within.values);
    // The scan may end at a delivery of another tenant, whose id must not appear in a cursor.
    const isOwn = reached?.tenant_id === filter.tenant_id && reached.mode === filter.mode;
    return { items, next: isOwn ? reached.delivery_id : null };
  }

  count(filter: DeliveryFilter): number {
    const { text, values } = conditionOf(filter);
    const select = `SELECT count(*) AS n FROM delivery WHERE ${text}`;
    return this.#db.prepare<{ n: number }, SQLQueryBindings[]>(select).get(...values)!.n;
  }

  /**
   * Dead letters without a replay that match. Among the newest `scannedMax` of the realm only, so
   * that the time is bounded.
   */
  countDead(filter: DeliveryFilter, scannedMax: number): number {
    const unhandled = { ...filter, is_unhandled: true };
    const { text, values } = conditionOf(unhandled);
    const within = windowOf(unhandled, null);
    const looked = `SELECT * FROM delivery WHERE ${within.text} ORDER BY delivery_id DESC LIMIT ?`;
    const select = `SELECT count(*) AS n FROM (${looked}) WHERE ${text}`;
    return this.#db
      .prepare<{ n: number }, SQLQueryBindings[]>(select)
      .get(...within.values, scannedMax, ...values)!.n;
  }

  /** Of any tenant. */
  get(deliveryId: string): Delivery | null {
    const select = `SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE delivery_id = ?`;
    return this.#db.query<Delivery, [string]>(select).get(deliveryId);
  }

  /** In order of their number. */
  attempts(deliveryId: string): StoredAttempt[] {
    const select = `SELECT nth, at, latency_ms, reason, status, address, request_id,
      request_headers, response_headers, excerpt FROM attempt WHERE delivery_id = ? ORDER BY nth`;
    type Stored = Omit<StoredAttempt, "request_headers" | "response_headers"> &
      Readonly<Record<"request_headers" | "response_headers", string>>;
    const found = this.#db.query<Stored, [string]>(select).all(deliveryId);
    return found.map((attempt) => ({
      ...attempt,
      request_headers: JSON.parse(attempt.request_headers),
      response_headers: JSON.parse(attempt.response_headers),
    }));
  }

  /**
   * Makes a new delivery of the same event, due now; null for an unknown delivery. Refused while
   * the delivery or a replay of it is open. Repeating a request key returns its first delivery.
   */
  replay(
    deliveryId: string,
    trigger: Extract<DeliveryTrigger, "manual" | "recover">,
    nowMs: number,
    requestKey: string | null = null,
  ): OperatorResult | null {
    return this.#write(() => {
      const made = requestKey === null ? null : this.#byRequestKey(requestKey);
      if (made) return { ok: true, delivery: made };
      return this.#replayOne(deliveryId, trigger, nowMs, requestKey);
    });
  }

  /**
   * Replays the oldest matching dead letters that have no replay, at most `limit`. Returns how
   * many; fewer than `limit` means that none is left.
   */
  recover(filter: DeliveryFilter, { limit, nowMs }: { limit: number; nowMs: number }): number {
    const { text, values } = conditionOf({ ...filter, is_unhandled: true });
    const select = `SELECT delivery_id FROM delivery WHERE ${text} ORDER BY delivery_id LIMIT ?`;
    return this.#write(() => {
      const found = this.#db
        .prepare<{ delivery_id: string }, SQLQueryBindings[]>(select)
        .all(...values, limit);
      for (const { delivery_id } of found) this.#replayOne(delivery_id, "recover", nowMs);
      return found.length;
    });
  }

  /** Cancels a delivery with a note; refused while in flight and after its end. */
  discard(deliveryId: string, note: string, nowMs: number): OperatorResult | null {
    return this.#write(() => {
      const found = this.get(deliveryId);
      if (found === null) return null;
      const isOpen = found.state === "pending" || found.state === "scheduled";
      if (!isOpen && found.state !== "dead_lettered") return { ok: false, delivery: found };
      this.#db
        .query(
          `UPDATE delivery SET state = 'cancelled', settled_at = ?, next_attempt_at = NULL,
           note = ? WHERE delivery_id = ?`,
        )
        .run(nowMs, note, deliveryId);
      if (isOpen) releaseNext(this.#db, found, { isDead: true, nowMs });
      return { ok: true, delivery: this.get(deliveryId)! };
    });
  }

  /**
   * Requests a search by the worker. A search walks the journal, so an endpoint has one at a time;
   * a refusal has the running one. Searches for single damaged rows span one millisecond and do
   * not count.
   */
  requestMissing(
    endpointId: string,
    since: number,
    until: number,
    nowMs: number,
  ): { readonly ok: boolean; readonly search: MissingSearch } {
    const open = `SELECT refill_id FROM refill
      WHERE endpoint_id = ? AND done_at IS NULL AND until > since + 1`;
    return this.#write(() => {
      const known = this.#db.query<{ refill_id: string }, [string]>(open).get(endpointId);
      if (known) return { ok: false, search: this.missingSearch(known.refill_id)! };
      const search = { endpoint_id: endpointId, since, until, row: 0 };
      return {
        ok: true,
        search: this.missingSearch(insertMissingSearch(this.#db, search, nowMs))!,
      };
    });
  }

  missingSearch(searchId: string): MissingSearch | null {
    const select = `SELECT refill_id, endpoint_id, since, until, row, found, created_at, done_at
      FROM refill WHERE refill_id = ?`;
    return this.#db.query<MissingSearch, [string]>(select).get(searchId);
  }

  /** Hours with attempts, oldest first. */
  stats(endpointId: string, since: number, until: number): HourlyFigures[] {
    const select = `SELECT hour, attempts, succeeded, dead_lettered, latency_ms, latency_ms_max
      FROM hourly WHERE endpoint_id = ? AND hour >= ? AND hour < ? ORDER BY hour`;
    return this.#db
      .query<HourlyFigures, [string, number, number]>(select)
      .all(endpointId, since, until);
  }

  /** For the endpoint's own view; the cost does not depend on the number of deliveries. */
  health(endpointId: string): EndpointHealth {
    const select = `SELECT
      (SELECT failing_since FROM progress WHERE endpoint_id = ?1) AS failing_since,
      (SELECT created_at FROM delivery WHERE endpoint_id = ?1 AND ${UNHANDLED}
       ORDER BY delivery_id LIMIT 1) AS oldest_dead_letter_at`;
    return this.#db.query<EndpointHealth, [string]>(select).get(endpointId)!;
  }

  counts(endpointId: string): EndpointCounts {
    const select = `SELECT
      (SELECT count(*) FROM delivery WHERE endpoint_id = ?1 AND ${IS_OPEN}) AS open,
      (SELECT min(delivery_id) FROM delivery WHERE endpoint_id = ?1 AND ${IS_OPEN}) AS oldest_open,
      (SELECT count(*) FROM delivery WHERE endpoint_id = ?1 AND ${UNHANDLED}) AS dead_letters,
      (SELECT failing_since FROM progress WHERE endpoint_id = ?1) AS failing_since`;
    type Found = Omit<EndpointCounts, "oldest_open_at"> & { readonly oldest_open: string | null };
    const { oldest_open, ...counts } = this.#db.query<Found, [string]>(select).get(endpointId)!;
    return { ...counts, oldest_open_at: oldest_open === null ? null : idTime(oldest_open) };
  }

  close(): void {
    this.#db.close();
  }

  #write<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  #byRequestKey(requestKey: string): Delivery | null {
    const select = `SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE request_key = ?`;
    return this.#db.query<Delivery, [string]>(select).get(requestKey);
  }

  #replayOne(
    deliveryId: string,
    trigger: DeliveryTrigger,
    nowMs: number,
    requestKey: string | null = null,
  ): OperatorResult | null {
    const found = this.get(deliveryId);
    if (found === null) return null;
    const last = found.replayed_as === null ? found : (this.get(found.replayed_as) ?? found);
    const busy = [found, last].find(({ settled_at }) => settled_at === null);
    if (busy) return { ok: false, delivery: busy };
    const id = newId("dlv", nowMs);
    const { endpoint_id, tenant_id, mode, webhook_id, row, seq, prev_seq } = found;
    const { kind, subject, property_id, event_at } = found;
    this.#db
      .query(
        `INSERT INTO delivery (delivery_id, endpoint_id, tenant_id, mode, webhook_id, row, seq,
           prev_seq, kind, subject, property_id, event_at, created_at, state, next_attempt_at,
           replay_of, trigger, request_key)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?)`,
      )
      .run(
        ...([id, endpoint_id, tenant_id, mode, webhook_id, row, seq, prev_seq] as const),
        ...([kind, subject, property_id, event_at, nowMs, nowMs, deliveryId, trigger] as const),
        requestKey,
      );
    const mark = "UPDATE delivery SET replayed_as = ? WHERE delivery_id = ?";
    this.#db.query(mark).run(id, deliveryId);
    return { ok: true, delivery: this.get(id)! };
  }
}

/** The range that a page scans, selected by an index only. */
function windowOf(filter: DeliveryFilter, after: string | null): Condition {
  const { tenant_id, mode, endpoint_id, webhook_id, since, until } = filter;
  const texts: string[] = [];
  const values: SQLQueryBindings[] = [];
  const and = (text: string, ...more: SQLQueryBindings[]) => {
    texts.push(text);
    values.push(...more);
  };
  if (webhook_id !== undefined) and("webhook_id = ?", webhook_id);
  else if (endpoint_id !== undefined) and("endpoint_id = ?", endpoint_id);
  else and("tenant_id = ? AND mode = ?", tenant_id, mode);
  if (filter.is_unhandled) and(UNHANDLED);
  // An id starts with its creation time.
  if (since !== undefined) and("delivery_id >= ?", `dlv_${timeDigits(since)}`);
  if (until !== undefined) and("delivery_id < ?", `dlv_${timeDigits(until)}`);
  if (after !== null) and("delivery_id < ?", after);
  return { text: texts.join(" AND "), values };
}

/** Stores a search that begins after `row`, or at time `since` for row 0. Returns its id. */
export function insertMissingSearch(
  db: Database,
  {
    endpoint_id,
    since,
    until,
    row,
  }: Pick<MissingSearch, "endpoint_id" | "since" | "until" | "row">,
  nowMs: number,
): string {
  const searchId = newId("rfl", nowMs);
  const insert = `INSERT INTO refill (refill_id, endpoint_id, since, until, row, found, created_at)
    VALUES (?, ?, ?, ?, ?, 0, ?)`;
  db.query(insert).run(searchId, endpoint_id, since, until, row, nowMs);
  return searchId;
}

function conditionOf(filter: DeliveryFilter): Condition {
  const texts = ["tenant_id = ?", "mode = ?"];
  const values: SQLQueryBindings[] = [filter.tenant_id, filter.mode];
  const and = (text: string, value: SQLQueryBindings | undefined) => {
    if (value === undefined) return;
    texts.push(text);
    values.push(value);
  };
  const oneOf = (column: string, wanted: readonly string[] | null | undefined) => {
    if (wanted === null || wanted === undefined) return;
    texts.push(`${column} IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(wanted));
  };
  oneOf("property_id", filter.visible_property_ids);
  oneOf("endpoint_id", filter.visible_endpoint_ids);
  oneOf("kind", filter.kinds);
  oneOf("state", filter.states);
  and("endpoint_id = ?", filter.endpoint_id);
  and("webhook_id = ?", filter.webhook_id);
  and("property_id = ?", filter.property_id);
  and("subject = ?", filter.subject);
  and("reason = ?", filter.reason);
  and("last_status = ?", filter.status);
  and("created_at >= ?", filter.since);
  and("created_at < ?", filter.until);
  if (filter.is_unhandled) texts.push(UNHANDLED);
  return { text: texts.join(" AND "), values };
}
