/**
 * Bulk replays of dead letters. A request is a row with counts. The worker replays slices; each
 * slice and its counts are one transaction, so after a crash the work continues where it ended. A
 * replayed dead letter no longer matches, so none is replayed twice.
 */
import type { Database } from "bun:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { every, type Service } from "../../../src/lib/service.ts";
import { isBusy } from "../../../src/lib/store-file.ts";
import { newId } from "../store/delivery.ts";
import { type DeliveryFilter, DeliveryStore } from "../store/delivery-store.ts";

/** Dead letters of one endpoint. `until` is required: later dead letters are not included. */
export interface BulkReplayFilter extends DeliveryFilter {
  readonly endpoint_id: string;
  readonly since: number;
  readonly until: number;
}

/** All instants are engine time, epoch milliseconds. */
export interface BulkReplay {
  /** `rcv_…`. */
  readonly recovery_id: string;
  readonly filter: BulkReplayFilter;
  /** Matching dead letters at the time of the request. */
  readonly total: number;
  readonly replayed: number;
  readonly created_at: number;
  /** Null until all are replayed. */
  readonly done_at: number | null;
}

type StoredBulkReplay = Omit<BulkReplay, "filter"> & { readonly filter: string };

const COLUMNS = "recovery_id, filter, total, replayed, created_at, done_at";
const SLICE = 200;
const POLL_EVERY_MS = 200;

export class BulkReplays {
  readonly #db: Database;
  readonly #deliveries: DeliveryStore;

  constructor(db: Database) {
    this.#db = db;
    this.#deliveries = new DeliveryStore(db);
  }

  /** Requests a replay; repeating a request key returns its first bulk replay. */
  request(filter: BulkReplayFilter, nowMs: number, requestKey: string | null = null): BulkReplay {
    return this.#db
      .transaction(() => {
        const select = `SELECT ${COLUMNS} FROM recovery WHERE request_key = ?`;
        const known = this.#db.query<StoredBulkReplay, [string | null]>(select).get(requestKey);
        if (known) return bulkReplayOf(known);
        const recovery_id = newId("rcv", nowMs);
        const total = this.count(filter);
        const insert = `INSERT INTO recovery
          (recovery_id, endpoint_id, filter, total, replayed, created_at, request_key)
          VALUES (?, ?, ?, ?, 0, ?, ?)`;
        const text = JSON.stringify(filter);
        this.#db.query(insert).run(recovery_id, filter.endpoint_id, text, total, nowMs, requestKey);
        return { recovery_id, filter, total, replayed: 0, created_at: nowMs, done_at: null };
      })
      .immediate();
  }

  /** Dead letters that would be replayed. */
  count(filter: BulkReplayFilter): number {
    return this.#deliveries.count({ ...filter, is_unhandled: true });
  }

  get(recoveryId: string): BulkReplay | null {
    const select = `SELECT ${COLUMNS} FROM recovery WHERE recovery_id = ?`;
    const found = this.#db.query<StoredBulkReplay, [string]>(select).get(recoveryId);
    return found && bulkReplayOf(found);
  }

  /** Replays a slice of the oldest open request. Returns its endpoint; null when all are done. */
  step(nowMs: number): string | null {
    const select = `SELECT ${COLUMNS} FROM recovery WHERE done_at IS NULL
      ORDER BY recovery_id LIMIT 1`;
    if (this.#db.query(select).get() === null) return null;
    return this.#db
      .transaction(() => {
        const found = this.#db.query<StoredBulkReplay, []>(select).get();
        if (!found) return null;
        const { recovery_id, filter } = bulkReplayOf(found);
        const replayed = this.#deliveries.recover(filter, { limit: SLICE, nowMs });
        const doneAt = replayed < SLICE ? nowMs : null;
        const update = `UPDATE recovery SET replayed = replayed + ?, done_at = ?
          WHERE recovery_id = ?`;
        this.#db.query(update).run(replayed, doneAt, recovery_id);
        return filter.endpoint_id;
      })
      .immediate();
  }
}

function bulkReplayOf({ filter, ...stored }: StoredBulkReplay): BulkReplay {
  return { ...stored, filter: JSON.parse(filter) };
}

export interface BulkReplayOptions {
  /** The worker's connection. */
  readonly db: Database;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  /** Endpoints with due deliveries. */
  readonly onReplayed: (endpointIds: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

/** Runs the requested bulk replays. */
export function bulkReplayService({ db, now, onReplayed, onError }: BulkReplayOptions): Service {
  const id = "webhook recoveries";
  const bulkReplays = new BulkReplays(db);
  let isRunning = false;
  let isEnding = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      for (let at = bulkReplays.step(now()); at !== null; at = bulkReplays.step(now())) {
        onReplayed([at]);
        await nextTurn();
        if (isEnding) return;
      }
    } catch (error) {
      // The slice was rolled back and is repeated.
      if (!isBusy(error)) onError(error);
    } finally {
      isRunning = false;
    }
  };
  const timer = every(id, POLL_EVERY_MS, () => void run());
  const stop = () => {
    isEnding = true;
    timer.stop();
  };
  return { id, start: timer.start, drain: stop, stop };
}
