/**
 * The files beside the journal in PostgreSQL, row by row: what the machine that is the home of api
 * and worker changed, for the next one. A row is there as it was last, with the number of its
 * change, so the tables do not grow with the number of changes.
 *
 * Fence: as an append, a change names the epoch of the home. What a machine writes to its files
 * after another one has become the home never gets here, and was answered to no client.
 */
import type { ChangedRow } from "../../src/lib/changed-rows.ts";
import type { Lease } from "./candidacy.ts";
import type { Session } from "./session.ts";
import type { Leadership } from "./shared-journal.ts";

const PAGE_ROWS = 5_000;

/** A file without its rows. */
export interface StoreHead {
  /** Its name without `.db`. */
  readonly store: string;
  /** SQL of its tables and triggers, as JSON list. */
  readonly schema: string;
  /** `user_version`. */
  readonly format: number;
  /** The last change that is here. */
  readonly n: number;
}

const PASS_ON = `
WITH fence AS (
  UPDATE home SET beat = beat + 1 WHERE epoch = $1 RETURNING epoch),
head AS (
  INSERT INTO store(store, schema, format, n) SELECT $2, $3, $4, $5 FROM fence
  ON CONFLICT (store) DO UPDATE
    SET schema = excluded.schema, format = excluded.format, n = excluded.n
    WHERE store.n <= excluded.n RETURNING store),
changed AS (
  INSERT INTO store_row(store, n, table_name, key, row)
  SELECT $2, r.n, r.table_name, r.key, r.row FROM head,
    unnest($6::bigint[], $7::text[], $8::text[], $9::text[]) AS r(n, table_name, key, row)
  ON CONFLICT (store, table_name, key) DO UPDATE SET n = excluded.n, row = excluded.row)
SELECT store FROM head`;

const FORGET = `
WITH fence AS (UPDATE home SET beat = beat + 1 WHERE epoch = $1 RETURNING epoch)
DELETE FROM store_row USING fence WHERE store = $2 AND n <= $3`;

const ROWS = `
SELECT n, table_name, key, row FROM store_row WHERE store = $1 AND n > $2 AND n <= $3
 ORDER BY n LIMIT ${PAGE_ROWS}`;

const TAKE = `
UPDATE home SET epoch = epoch + 1, owner = $1, beat = beat + 1
 WHERE epoch = $2 AND beat = $3 RETURNING epoch`;

export class SharedStores implements Lease<number> {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Which machine is the home now. */
  async leadership(): Promise<Leadership> {
    type Found = Omit<Leadership, "epoch" | "beat"> & { epoch: string; beat: string };
    const sql = "SELECT epoch, beat, owner FROM home";
    const [found] = await this.#session.query<Found>(sql);
    return { ...found!, epoch: Number(found!.epoch), beat: Number(found!.beat) };
  }

  /** Becomes the home in a new epoch, which it returns; null when anything happened since. */
  async take(owner: string, { epoch, beat }: Leadership): Promise<number | null> {
    const [taken] = await this.#session.query<{ epoch: string }>(TAKE, [owner, epoch, beat]);
    return taken ? Number(taken.epoch) : null;
  }

  /** A sign of life; false when another machine is the home. */
  async beat(epoch: number): Promise<boolean> {
    const sql = "UPDATE home SET beat = beat + 1 WHERE epoch = $1 RETURNING epoch";
    return (await this.#session.query(sql, [epoch])).length > 0;
  }

  /** Lets any other machine be the home. */
  async handOver(epoch: number): Promise<void> {
    const sql = "UPDATE home SET owner = NULL, beat = beat + 1 WHERE epoch = $1";
    await this.#session.query(sql, [epoch]);
  }

  /** Forgets rows of a file up to `n`: it has noted all of its rows anew since. */
  async forget(epoch: number, store: string, n: number): Promise<void> {
    await this.#session.query(FORGET, [epoch, store, n]);
  }

  /**
   * Adds changes of a file, up to `head.n`; false when another machine is the home, or the file is
   * older than what is here already.
   *
   * @throws OutcomeUnknown; to add the same changes again is no harm.
   */
  async passOn(epoch: number, head: StoreHead, rows: readonly ChangedRow[]): Promise<boolean> {
    // One statement may not change a row twice: only its last state counts.
    const last = [...new Map(rows.map((row) => [`${row.table_name} ${row.key}`, row])).values()];
    const { store, schema, format, n } = head;
    const values = [
      ...[epoch, store, schema, format, n],
      last.map((row) => row.n),
      last.map((row) => row.table_name),
      last.map((row) => row.key),
      last.map((row) => row.row),
    ];
    return (await this.#session.query(PASS_ON, values)).length > 0;
  }

  /** All files that have been passed on. */
  async heads(): Promise<StoreHead[]> {
    const sql = "SELECT store, schema, format, n FROM store ORDER BY store";
    const found = await this.#session.query<Omit<StoreHead, "n"> & { n: string }>(sql);
    return found.map(({ n, ...head }) => ({ ...head, n: Number(n) }));
  }

  /** The rows of a file that changed after `after` up to `through`, in their order. */
  async *rowsBetween(store: string, after: number, through: number): AsyncGenerator<ChangedRow> {
    for (let from = after; ; ) {
      type Row = Omit<ChangedRow, "n"> & { n: string };
      const found = await this.#session.query<Row>(ROWS, [store, from, through]);
      for (const { n, ...row } of found) yield { ...row, n: Number(n) };
      if (found.length < PAGE_ROWS) return;
      from = Number(found.at(-1)!.n);
    }
  }
}
