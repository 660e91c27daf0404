/**
 * What has changed in the journal since a feed was built. Changes of supply are told by rows of
 * their own, which are few; what was sold since is only asked for now and then.
 */
import type { Row } from "../../engine/core/events.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import type { Feed } from "./store.ts";

/** Rows looked at in one go, where they were not seen as they were folded. */
const SLICE_ROWS = 10_000;
/** The same of what was sold, of which there is more. */
const SOLD_SLICE_ROWS = 2_000;
const SOLD_SLICES_MAX = 5;
/** Changes within this time are one. */
const ONE_CHANGE_MS = 1_000;

const SUPPLY_WORDS = ['"ari.changed"', '"property.'] as const;
const SUPPLY = /^(?:ari|property)\./;
const SALE = /^(?:hold|booking)\./;

/** The journal as it is looked at here. */
export type WatchedJournal = Pick<Replica, "rowsNaming" | "state" | "watchRows">;

/** Rows and engine times of the first and last change that a feed does not know. */
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
  /** Feed → up to which row nothing was sold since it was built. */
  readonly #unsoldThrough = new Map<string, number>();

  /** Knows of changes after `row`: the oldest that any feed was built at. */
  constructor(journal: WatchedJournal, row: number) {
    this.#journal = journal;
    this.#row = row;
    journal.watchRows((folded) => this.#see(folded));
  }

  /** Reads what is new, for a moment at most; true when there is more. */
  follow(): boolean {
    const { rows, through } = this.#journal.rowsNaming(SUPPLY_WORDS, this.#row, SLICE_ROWS);
    for (const row of rows) this.#note(row);
    const isFull = through - this.#row === SLICE_ROWS;
    this.#row = Math.max(this.#row, through);
    return isFull;
  }

  /** A row that goes on from those that were looked at need not be read again. */
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

  /** Changes of a tenant's live supply after `row`; null when there are none. */
  since(tenantId: string, row: number): Unknown | null {
    const unknown = (this.#byTenant.get(tenantId) ?? []).filter(({ lastRow }) => lastRow > row);
    if (unknown.length === 0) return null;
    return { firstAt: unknown[0]!.firstAt, lastAt: unknown.at(-1)!.lastAt };
  }

  /** Forgets all but what tenants do not know: the row up to which all feeds of each do. */
  forget(knownRows: ReadonlyMap<string, number>): void {
    for (const [tenantId, changes] of this.#byTenant) {
      const knownRow = knownRows.get(tenantId) ?? Number.POSITIVE_INFINITY;
      const left = changes.filter(({ lastRow }) => lastRow > knownRow);
      if (left.length > 0) this.#byTenant.set(tenantId, left);
      else this.#byTenant.delete(tenantId);
    }
  }

  /**
   * Whether units of the tenant have moved after `row`, at which the feed was built; false also
   * while that is not known yet. What is unsold after one feed need not be after an older one. Of a
   * tenant that nothing has happened to no row is looked at, however much others write.
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
