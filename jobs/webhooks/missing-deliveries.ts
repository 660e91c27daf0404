/**
 * Searches for events of a time that an endpoint has no delivery of (`replay-missing`, or a row
 * that could not be told when it was derived), a page of the journal at a time. What it has already
 * is met again and stays as it is. A search that comes to a damaged record, or to a row that cannot
 * be read, waits there, alone.
 */
import type { Database } from "bun:sqlite";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { Damage } from "../../engine/shell/damage.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import type { DamageReports } from "../damage-reports.ts";
import type { Derivation, Derived } from "./derivation.ts";
import { type Endpoint, lastWanted } from "./endpoint.ts";
import { wants } from "./ota.ts";
import { firstRowSince } from "./row-since.ts";
import type { Refill } from "./store.ts";
import { DAMAGED_AGAIN_MS, tellRow } from "./telling.ts";

const PAGE_ROWS = 256;

/** A new endpoint is known here by then. */
const KNOWN_WITHIN_MS = 5_000;

type Open = Pick<Refill, "refill_id" | "endpoint_id" | "since" | "until" | "row" | "created_at">;

export interface MissingDeliveriesOptions {
  readonly db: Database;
  readonly replica: Replica;
  readonly derivation: Derivation;
  readonly damage: Pick<DamageReports, "tell">;
}

export class MissingDeliveries {
  readonly #options: MissingDeliveriesOptions;
  /** Searches that have come to damage, and when each is tried again. */
  readonly #againAtMs = new Map<string, number>();
  /** By tenant: when it had its last turn. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  constructor(options: MissingDeliveriesOptions) {
    this.#options = options;
  }

  /**
   * A page of a search; the endpoint that it was for, or null when there is none. Whose turn was
   * longest ago is next: no tenant keeps another waiting by how much it asks for.
   * A tenant's go by age, those of one page along the journal: what is owed of a subject comes in
   * its order.
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
    if (endpoint) this.#pageIfWhole(next, endpoint, nowMs);
    else derivation.refill(next.refill_id, [], { row: next.row, isDone: true }, nowMs);
    return next.endpoint_id;
  }

  #pageIfWhole(open: Open, endpoint: Endpoint, nowMs: number): void {
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
    // However many wait, looking again costs each a row.
    const limit = this.#againAtMs.has(refill_id) ? 1 : PAGE_ROWS;
    const rows = replica.rowsFrom(first, limit);
    const found: Derived[] = [];
    let reached = Math.max(row, first - 1);
    let isDone = rows.length < limit;
    this.#againAtMs.delete(refill_id);
    for (const { row: at, chain } of rows) {
      // Beyond the head nothing can be told yet, and the deriver comes there anyway.
      if (at.stamp >= until || at.row > head.row) {
        isDone = true;
        break;
      }
      const isTheirs = at.tenant_id === endpoint.tenant_id && at.mode === endpoint.mode;
      const isWanted = isTheirs && lastWanted(endpoint, at.events) !== null;
      const all = isWanted ? tellRow({ row: at, chain }, eventLookups) : [];
      if (all instanceof RecordDamaged) {
        damage.tell(all);
        this.#againAtMs.set(refill_id, nowMs + DAMAGED_AGAIN_MS);
        isDone = false;
        break;
      }
      reached = at.row;
      for (const told of all) {
        if (!wants(endpoint, told, at, { state, nowMs })) continue;
        const prev_seq = found.at(-1)?.told.event.seq ?? this.#before(endpoint, told.event.seq);
        const where = { row: at.row, event_at: at.stamp, prev_seq };
        found.push({ endpoint, told, ...where, trigger: "missing" });
      }
    }
    derivation.refill(refill_id, found, { row: reached, isDone }, nowMs);
  }

  #before({ endpoint_id }: Endpoint, seq: number): number {
    return this.#options.derivation.seqBefore(endpoint_id, seq);
  }
}
