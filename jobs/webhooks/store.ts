/**
 * What operators see of deliveries and do with them. All of it works on the durable rows; what they
 * make due is found there by the worker, so nothing that was promised here is lost with Redis.
 */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { idTime, timeDigits } from "../../engine/core/ids.ts";
import type { Realm } from "../../engine/core/supply.ts";
import {
  DELIVERY_COLUMNS,
  type Delivery,
  type DeliveryState,
  type DeliveryTrigger,
  IS_OPEN,
  type StoredAttempt,
} from "./delivery.ts";
import { newDeliveryId, newRefillId } from "./ids.ts";
import { releaseNext } from "./subject-order.ts";

/** What is left out does not restrict. Instants are engine time, epoch milliseconds. */
export interface DeliveryFilter extends Realm {
  /** What the caller may see; null for all, else nothing that lies at no property. */
  readonly visible_property_ids: readonly string[] | null;
  /** The same of endpoints; left out for all. */
  readonly visible_endpoint_ids?: readonly string[] | null;
  readonly endpoint_id?: string | undefined;
  readonly webhook_id?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly property_id?: string | undefined;
  readonly subject?: string | undefined;
  readonly states?: readonly DeliveryState[] | undefined;
  readonly reason?: string | undefined;
  /** Of the last answer. */
  readonly status?: number | undefined;
  /** Of its creation; the end is excluded. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Dead letters that nobody has replayed. */
  readonly is_unhandled?: boolean | undefined;
}

/** A refusal names the delivery that is in the way: itself, or a replay of it that is under way. */
export type Handled =
  | { readonly ok: true; readonly delivery: Delivery }
  | { readonly ok: false; readonly delivery: Delivery };

/** A search for events that an endpoint has no delivery of. */
export interface Refill {
  readonly refill_id: string;
  readonly endpoint_id: string;
  readonly since: number;
  readonly until: number;
  /** The row of the journal that it has come to. */
  readonly row: number;
  /** Deliveries that it has made. */
  readonly found: number;
  readonly created_at: number;
  /** Null until it has seen all. */
  readonly done_at: number | null;
}

/** An endpoint's figures for one hour. */
export interface HourlyFigures {
  /** When it began; epoch milliseconds. */
  readonly hour: number;
  readonly attempts: number;
  readonly succeeded: number;
  readonly dead_lettered: number;
  /** Sum over all attempts, and the worst. */
  readonly latency_ms: number;
  readonly latency_ms_max: number;
}

/** How an endpoint stands now. */
export interface EndpointCounts {
  readonly open: number;
  /** When the oldest open delivery was created; null when there is none. */
  readonly oldest_open_at: number | null;
  /** Dead letters that nobody has handled. */
  readonly dead_letters: number;
  /** Since when nothing has succeeded; null when the last attempt did. */
  readonly failing_since: number | null;
}

/** Epoch milliseconds; null where there is none. */
interface EndpointStanding extends Pick<EndpointCounts, "failing_since"> {
  /** When the oldest dead letter was made that nobody has handled. */
  readonly oldest_dead_letter_at: number | null;
}

const UNHANDLED = "state = 'dead_lettered' AND replayed_as IS NULL";

/**
 * Deliveries that one page looks at: what few of them fit ends a page early, so that whoever asks
 * for something rare among a million holds up no other caller of the process.
 */
const LOOKED_AT_MAX = 20_000;

export interface Page {
  /** Newest first. */
  readonly items: readonly Delivery[];
  /** After which the next page begins; null when there is none. A page may be empty before it. */
  readonly next: string | null;
}

interface Condition {
  readonly text: string;
  readonly values: readonly SQLQueryBindings[];
}

export class DeliveryStore {
  readonly #db: Database;

  /** On a connection that `openDeliveries` made for promises: `full`. */
  constructor(db: Database) {
    this.#db = db;
  }

  /** Newest first, from the one after `after` on. */
  list(filter: DeliveryFilter, { after, limit }: { after: string | null; limit: number }): Page {
    const { text, values } = conditionOf(filter);
    const within = windowOf(filter, after);
    const looked = `SELECT * FROM delivery WHERE ${within.text} ORDER BY delivery_id DESC`;
    const select = `SELECT ${DELIVERY_COLUMNS} FROM (${looked} LIMIT ${LOOKED_AT_MAX})
      WHERE ${text} ORDER BY delivery_id DESC LIMIT ?`;
    const items = this.#db
      .prepare<Delivery, SQLQueryBindings[]>(select)
      .all(...within.values, ...values, limit);
    if (items.length === limit) return { items, next: items.at(-1)?.delivery_id ?? null };
    const last = `SELECT delivery_id, tenant_id, mode FROM (${looked}
      LIMIT 1 OFFSET ${LOOKED_AT_MAX - 1})`;
    const reached = this.#db.prepare<Delivery, SQLQueryBindings[]>(last).get(...within.values);
    // An endpoint or event of another tenant has nothing to tell here.
    const isOurs = reached?.tenant_id === filter.tenant_id && reached.mode === filter.mode;
    return { items, next: isOurs ? reached.delivery_id : null };
  }

  count(filter: DeliveryFilter): number {
    const { text, values } = conditionOf(filter);
    const select = `SELECT count(*) AS n FROM delivery WHERE ${text}`;
    return this.#db.prepare<{ n: number }, SQLQueryBindings[]>(select).get(...values)!.n;
  }

  /** Whosever it is. */
  get(deliveryId: string): Delivery | null {
    const select = `SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE delivery_id = ?`;
    return this.#db.query<Delivery, [string]>(select).get(deliveryId);
  }

  /** In their order. */
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
   * A new delivery of the same event, due now; null when there is none to repeat. Refused while the
   * delivery, or a replay of it, is still open. The same request key finds what it has made.
   */
  replay(
    deliveryId: string,
    trigger: Extract<DeliveryTrigger, "manual" | "recover">,
    nowMs: number,
    requestKey: string | null = null,
  ): Handled | null {
    return this.#write(() => {
      const made = requestKey === null ? null : this.#askedFor(requestKey);
      if (made) return { ok: true, delivery: made };
      return this.#replayOne(deliveryId, trigger, nowMs, requestKey);
    });
  }

  /**
   * Replays the oldest dead letters of the filter that nobody has replayed, at most `limit`, and
   * says how many: fewer than `limit` when none is left.
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

  /** Gives a delivery up for good, with what is said about it; refused in flight and when over. */
  discard(deliveryId: string, note: string, nowMs: number): Handled | null {
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
   * Has the worker look for events of a time that the endpoint has no delivery of. Each search
   * walks the journal, so an endpoint has one at a time: a refusal names the one that is under way.
   * What it is owed of single rows, within a millisecond, is none that anybody asked for.
   */
  requestMissing(
    endpointId: string,
    since: number,
    until: number,
    nowMs: number,
  ): { readonly ok: boolean; readonly refill: Refill } {
    const open = `SELECT refill_id FROM refill
      WHERE endpoint_id = ? AND done_at IS NULL AND until > since + 1`;
    return this.#write(() => {
      const known = this.#db.query<{ refill_id: string }, [string]>(open).get(endpointId);
      if (known) return { ok: false, refill: this.refill(known.refill_id)! };
      const search = { endpoint_id: endpointId, since, until, row: 0 };
      return { ok: true, refill: this.refill(insertRefill(this.#db, search, nowMs))! };
    });
  }

  refill(refillId: string): Refill | null {
    const select = `SELECT refill_id, endpoint_id, since, until, row, found, created_at, done_at
      FROM refill WHERE refill_id = ?`;
    return this.#db.query<Refill, [string]>(select).get(refillId);
  }

  /** Hours that had attempts, oldest first. */
  stats(endpointId: string, since: number, until: number): HourlyFigures[] {
    const select = `SELECT hour, attempts, succeeded, dead_lettered, latency_ms, latency_ms_max
      FROM hourly WHERE endpoint_id = ? AND hour >= ? AND hour < ? ORDER BY hour`;
    return this.#db
      .query<HourlyFigures, [string, number, number]>(select)
      .all(endpointId, since, until);
  }

  /** What the endpoint itself shows; costs nothing, however much there is. */
  standing(endpointId: string): EndpointStanding {
    const select = `SELECT
      (SELECT failing_since FROM progress WHERE endpoint_id = ?1) AS failing_since,
      (SELECT created_at FROM delivery WHERE endpoint_id = ?1 AND ${UNHANDLED}
       ORDER BY delivery_id LIMIT 1) AS oldest_dead_letter_at`;
    return this.#db.query<EndpointStanding, [string]>(select).get(endpointId)!;
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

  #askedFor(requestKey: string): Delivery | null {
    const select = `SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE request_key = ?`;
    return this.#db.query<Delivery, [string]>(select).get(requestKey);
  }

  #replayOne(
    deliveryId: string,
    trigger: DeliveryTrigger,
    nowMs: number,
    requestKey: string | null = null,
  ): Handled | null {
    const found = this.get(deliveryId);
    if (found === null) return null;
    const last = found.replayed_as === null ? found : (this.get(found.replayed_as) ?? found);
    const busy = [found, last].find(({ settled_at }) => settled_at === null);
    if (busy) return { ok: false, delivery: busy };
    const id = newDeliveryId(nowMs);
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

/** The deliveries that a page is looked for among, by an index alone. */
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
  // An id tells when it was made.
  if (since !== undefined) and("delivery_id >= ?", `dlv_${timeDigits(since)}`);
  if (until !== undefined) and("delivery_id < ?", `dlv_${timeDigits(until)}`);
  if (after !== null) and("delivery_id < ?", after);
  return { text: texts.join(" AND "), values };
}

/** Notes a search that begins after a row, or with the time where that is 0; its id. */
export function insertRefill(
  db: Database,
  { endpoint_id, since, until, row }: Pick<Refill, "endpoint_id" | "since" | "until" | "row">,
  nowMs: number,
): string {
  const refillId = newRefillId(nowMs);
  const insert = `INSERT INTO refill (refill_id, endpoint_id, since, until, row, found, created_at)
    VALUES (?, ?, ?, ?, ?, 0, ?)`;
  db.query(insert).run(refillId, endpoint_id, since, until, row, nowMs);
  return refillId;
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
