/**
 * Searches for events of a time that an endpoint has no delivery of (`replay-missing`), a page of
 * the journal at a time. What it has already is met again and stays as it is.
 */
import type { Database } from "bun:sqlite";
import { publicEvents } from "../../engine/core/public-events.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import type { Derivation, Derived } from "./derivation.ts";
import { type Endpoint, matches } from "./endpoint.ts";
import { firstRowSince } from "./row-since.ts";
import type { Refill } from "./store.ts";

const PAGE_ROWS = 256;

/** A new endpoint is known here by then. */
const KNOWN_WITHIN_MS = 5_000;

type Open = Pick<Refill, "refill_id" | "endpoint_id" | "since" | "until" | "row" | "created_at">;

export class Refills {
  readonly #db: Database;
  readonly #replica: Replica;
  readonly #derivation: Derivation;
  /** By tenant: when it had its last turn. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  constructor(db: Database, replica: Replica, derivation: Derivation) {
    this.#db = db;
    this.#replica = replica;
    this.#derivation = derivation;
  }

  /**
   * A page of a search; the endpoint that it was for, or null when there is none. Whose turn was
   * longest ago is next: no tenant keeps another waiting by how much it asks for.
   */
  step(endpoints: readonly Endpoint[], nowMs: number): string | null {
    const select = `SELECT refill_id, endpoint_id, since, until, row, created_at FROM refill
      WHERE done_at IS NULL ORDER BY refill_id`;
    const byId = new Map(endpoints.map((each) => [each.endpoint_id, each]));
    const known = (open: Open) => byId.get(open.endpoint_id) ?? null;
    const turnOf = (open: Open) => this.#turns.get(known(open)?.tenant_id ?? "") ?? 0;
    const ready = this.#db
      .query<Open, []>(select)
      .all()
      .filter((open) => known(open) || nowMs - open.created_at >= KNOWN_WITHIN_MS);
    const [next] = ready.sort((a, b) => turnOf(a) - turnOf(b));
    if (next === undefined) return null;
    const endpoint = known(next);
    this.#turn += 1;
    this.#turns.set(endpoint?.tenant_id ?? "", this.#turn);
    if (endpoint) this.#page(next, endpoint, nowMs);
    else this.#derivation.refill(next.refill_id, [], { row: next.row, isDone: true }, nowMs);
    return next.endpoint_id;
  }

  #page({ refill_id, since, until, row }: Open, endpoint: Endpoint, nowMs: number): void {
    const { head, eventLookups } = this.#replica;
    const first = row === 0 ? firstRowSince(this.#replica, since) : row + 1;
    const rows = this.#replica.rowsFrom(first, PAGE_ROWS);
    const found: Derived[] = [];
    let reached = Math.max(row, first - 1);
    let isDone = rows.length < PAGE_ROWS;
    for (const { row: at, chain } of rows) {
      // Beyond the head nothing can be told yet, and the deriver comes there anyway.
      if (at.stamp >= until || at.row > head.row) {
        isDone = true;
        break;
      }
      reached = at.row;
      if (at.tenant_id !== endpoint.tenant_id || at.mode !== endpoint.mode) continue;
      for (const told of publicEvents(at, chain, eventLookups)) {
        if (!matches(endpoint, told.event, told.property_id)) continue;
        const prev_seq = found.at(-1)?.told.event.seq ?? this.#before(endpoint, told.event.seq);
        const where = { row: at.row, event_at: at.stamp, prev_seq };
        found.push({ endpoint, told, ...where, trigger: "missing" });
      }
    }
    this.#derivation.refill(refill_id, found, { row: reached, isDone }, nowMs);
  }

  #before({ endpoint_id }: Endpoint, seq: number): number {
    return this.#derivation.seqBefore(endpoint_id, seq);
  }
}
