/**
 * Changes in the journal since a feed was built. Supply changes have their own, rare rows and are
 * followed; sales are only searched for when needed.
 */
import type { Row } from "../../engine/core/events/event.ts";
import type { Replica } from "../../engine/log/replica.ts";
import type { Feed } from "./store.ts";

/** Rows per slice that were not seen while being folded. */
const SLICE_ROWS = 10_000;
/** The same for sales, which are more frequent. */
const SOLD_SLICE_ROWS = 2_000;
const SOLD_SLICES_MAX = 5;
/** Changes within this time count as one. */
const ONE_CHANGE_MS = 1_000;

const SUPPLY_WORDS = ['"ari.changed"', '"property.'] as const;
const SUPPLY = /^(?:ari|property)\./;
const SALE = /^(?:hold|booking)\./;

/** The parts of the replica that are used here. */
export type WatchedJournal = Pick<Replica, "rowsNaming" | "state" | "watchRows">;

/** Rows and engine times of the first and last change that a feed lacks. */
export interface Unknown {
  readonly firstAt: number;
  readonly lastAt: number;
}

type FeedName = Pick<Feed, "tenant_id" | "partner">;

interface Change extends Unknown {
  readonly lastRow: number;
}

export class Changes {
  readonly #journal: WatchedJournal;
  #row: number;
  readonly #byTenant = new Map<string, Change[]>();
  /** By feed: the row up to which nothing was sold since its build. */
  readonly #unsoldThrough = new Map<string, number>();

  /** Knows changes after `row`, the oldest row that any feed was built at. */
  constructor(journal: WatchedJournal, row: number) {
    this.#journal = journal;
    this.#row = row;
    journal.watchRows((folded) => this.#see(folded));
  }

  /** Reads a slice of new rows; true when there are more. */
  follow(): boolean {
    const { rows, through } = this.#journal.rowsNaming(SUPPLY_WORDS, this.#row, SLICE_ROWS);
    for (const row of rows) this.#note(row);
    const isFull = through - this.#row === SLICE_ROWS;
    this.#row = Math.max(this.#row, through);
    return isFull;
  }

  /** Reads a row while it is folded, if it follows the last one read. */
  #see(row: Row): void {
    if (row.row !== this.#row + 1) return;
    this.#row = row.row;
    this.#note(row);
  }

  #note({ tenant_id, mode, row, stamp, events }: Row): void {
    if (mode !== "live" || !names(events, SUPPLY)) return;
    const known = this.#byTenant.get(tenant_id) ?? [];
    const last = known.at(-1);
    const isSame = last !== undefined && stamp - last.firstAt < ONE_CHANGE_MS;
    if (isSame) known.pop();
    known.push({ firstAt: isSame ? last.firstAt : stamp, lastAt: stamp, lastRow: row });
    this.#byTenant.set(tenant_id, known);
  }

  /** Changes of a tenant's live supply after `row`; null for none. */
  since(tenantId: string, row: number): Unknown | null {
    const unknown = (this.#byTenant.get(tenantId) ?? []).filter(({ lastRow }) => lastRow > row);
    if (unknown.length === 0) return null;
    return { firstAt: unknown[0]!.firstAt, lastAt: unknown.at(-1)!.lastAt };
  }

  /** Forgets changes that all feeds of a tenant contain, by the row up to which they do. */
  forget(knownRows: ReadonlyMap<string, number>): void {
    for (const [tenantId, changes] of this.#byTenant) {
      const knownRow = knownRows.get(tenantId) ?? Number.POSITIVE_INFINITY;
      const left = changes.filter(({ lastRow }) => lastRow > knownRow);
      if (left.length > 0) this.#byTenant.set(tenantId, left);
      else this.#byTenant.delete(tenantId);
    }
  }

  /**
   * Whether units of the tenant have moved after `row`, the feed's build; false while unknown. Kept
   * per feed, because their rows differ. For a tenant without activity no row is read, however much
   * other tenants write.
   */
  hasSoldSince({ tenant_id: tenantId, partner }: FeedName, row: number): boolean {
    const feed = `${tenantId} ${partner}`;
    const last = this.#journal.state.tenants.get(tenantId)?.rows.live.last ?? 0;
    let after = Math.max(row, this.#unsoldThrough.get(feed) ?? 0);
    for (let slice = 0; slice < SOLD_SLICES_MAX && after < last; slice += 1) {
      const words = [tenantId, tenantId] as const;
      const { rows, through } = this.#journal.rowsNaming(words, after, SOLD_SLICE_ROWS);
      const isOurs = (found: Row) => found.tenant_id === tenantId && found.mode === "live";
      if (rows.some((found) => isOurs(found) && names(found.events, SALE))) return true;
      if (through <= after) break;
      after = through;
      this.#unsoldThrough.set(feed, after);
    }
    return false;
  }
}

function names(events: Row["events"], kinds: RegExp): boolean {
  return events.some(({ type }) => kinds.test(type));
}
