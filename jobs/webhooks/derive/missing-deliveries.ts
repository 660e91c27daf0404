/**
 * Searches a time range for events of which an endpoint has no delivery, a page of the journal at a
 * time: `replay-missing` requests one, and the deriver for a row with a damaged record. Existing
 * deliveries stay unchanged. A search that reaches a damaged record or row waits there; others
 * continue.
 */

import type { Database } from "bun:sqlite";
import { Damage } from "../../../engine/core/damage.ts";
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import { isOfRealm } from "../../../engine/core/visibility.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import type { DamageReports } from "../../lanes/damage-reports.ts";
import { type Endpoint, lastWanted } from "../endpoint.ts";
import { wants } from "../send/ota.ts";
import type { MissingSearch } from "../store/delivery-store.ts";
import type { Derivation, Derived } from "./derivation.ts";
import { DAMAGED_AGAIN_MS, firstRowSince, publicEventsOf } from "./journal-rows.ts";

const PAGE_ROWS = 256;

/** The worker's list contains every new endpoint by then. */
const KNOWN_WITHIN_MS = 5_000;

type Open = Pick<
  MissingSearch,
  "refill_id" | "endpoint_id" | "since" | "until" | "row" | "created_at"
>;

export interface MissingDeliveriesOptions {
  readonly db: Database;
  readonly replica: Replica;
  readonly derivation: Derivation;
  readonly damage: Pick<DamageReports, "report">;
}

export class MissingDeliveries {
  readonly #options: MissingDeliveriesOptions;
  /** Searches that wait at damage, and when each is tried again. */
  readonly #againAtMs = new Map<string, number>();
  /** By tenant: number of its last turn. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  constructor(options: MissingDeliveriesOptions) {
    this.#options = options;
  }

  /**
   * Runs one page of a search. Returns its endpoint, or null without open searches. Tenants take
   * turns, so a tenant with many searches does not delay another. The searches of a tenant run by
   * age, then by row, which keeps the events of a subject in order.
   */
  step(endpoints: readonly Endpoint[], nowMs: number): string | null {
    const { db, derivation } = this.#options;
    const select = `SELECT refill_id, endpoint_id, since, until, row, created_at FROM refill
      WHERE done_at IS NULL ORDER BY created_at, row, refill_id`;
    const byId = new Map(endpoints.map((each) => [each.endpoint_id, each]));
    const known = (open: Open) => byId.get(open.endpoint_id) ?? null;
    const turnOf = (open: Open) => this.#turns.get(known(open)?.tenant_id ?? "") ?? 0;
    const isReady = (open: Open) =>
      known(open)
        ? nowMs >= (this.#againAtMs.get(open.refill_id) ?? 0)
        : nowMs - open.created_at >= KNOWN_WITHIN_MS;
    const ready = db.query<Open, []>(select).all().filter(isReady);
    const [next] = ready.sort((a, b) => turnOf(a) - turnOf(b));
    if (next === undefined) return null;
    const endpoint = known(next);
    this.#turn += 1;
    this.#turns.set(endpoint?.tenant_id ?? "", this.#turn);
    if (endpoint) this.#tryPage(next, endpoint, nowMs);
    else derivation.recordSearch(next.refill_id, [], { row: next.row, isDone: true }, nowMs);
    return next.endpoint_id;
  }

  #tryPage(open: Open, endpoint: Endpoint, nowMs: number): void {
    try {
      this.#page(open, endpoint, nowMs);
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      this.#againAtMs.set(open.refill_id, nowMs + DAMAGED_AGAIN_MS);
    }
  }

  #page({ refill_id, since, until, row }: Open, endpoint: Endpoint, nowMs: number): void {
    const { replica, derivation, damage } = this.#options;
    const { head, eventLookups, state } = replica;
    const first = row === 0 ? firstRowSince(replica, since) : row + 1;
    // A search that waits at damage reads one row per try, however many searches wait.
    const limit = this.#againAtMs.has(refill_id) ? 1 : PAGE_ROWS;
    const rows = replica.rowsFrom(first, limit);
    const found: Derived[] = [];
    let reached = Math.max(row, first - 1);
    let isDone = rows.length < limit;
    this.#againAtMs.delete(refill_id);
    for (const { row: at, chain } of rows) {
      // Events beyond the replica's head cannot be rendered yet; the deriver handles them.
      if (at.stamp >= until || at.row > head.row) {
        isDone = true;
        break;
      }
      const isWanted = isOfRealm(at, endpoint) && lastWanted(endpoint, at.events) !== null;
      const all = isWanted ? publicEventsOf({ row: at, chain }, eventLookups) : [];
      if (all instanceof RecordDamaged) {
        damage.report(all);
        this.#againAtMs.set(refill_id, nowMs + DAMAGED_AGAIN_MS);
        isDone = false;
        break;
      }
      reached = at.row;
      for (const unlisted of all) {
        if (!wants(endpoint, unlisted, at, { state, nowMs })) continue;
        const prev_seq =
          found.at(-1)?.unlisted.event.seq ?? this.#before(endpoint, unlisted.event.seq);
        const where = { row: at.row, event_at: at.stamp, prev_seq };
        found.push({ endpoint, unlisted, ...where, trigger: "missing" });
      }
    }
    derivation.recordSearch(refill_id, found, { row: reached, isDone }, nowMs);
  }

  #before({ endpoint_id }: Endpoint, seq: number): number {
    return this.#options.derivation.seqBefore(endpoint_id, seq);
  }
}
