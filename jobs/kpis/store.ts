/**
 * The sums of the journal, and the row up to which they go.
 *
 * Invariants: sums and position are written in one transaction, so each row counts once. A total is
 * the sum of its deltas.
 */
import type { Database, Statement } from "bun:sqlite";
import { BEGINNING, type Head } from "../../engine/log/head.ts";
import { Chunk, chunkOf } from "./chunks.ts";
import { LEDGERS, type LedgerName, type PropertyName, type Sum } from "./measures.ts";
import { LEDGER_NAMES, openKpis } from "./schema.ts";
import type { PropertySupply, StoredSupply } from "./supply.ts";

/** Rows folded since the last position. */
export interface Folded {
  readonly sums: Readonly<Record<LedgerName, readonly Sum[]>>;
  readonly supplies: readonly { readonly name: PropertyName; readonly supply: PropertySupply }[];
  /** New pages with the stamp of their first row. */
  readonly pages: readonly { readonly page: number; readonly first_at: number }[];
  readonly head: Head;
}

type Value = string | number | Uint8Array;
type DaySum = Omit<Sum, "property" | "mark">;
type PropertyRow = { readonly property: number; readonly supply: string | null };

/** A query of a ledger. */
export interface SumsAsked {
  /** Numbers of properties. */
  readonly properties: readonly number[];
  readonly firstDay: number;
  readonly lastDay: number;
  /** Excludes this mark and later ones; null: all. */
  readonly beforeMark: number | null;
}

export class KpiStore {
  readonly #db: Database;
  /** Numbers of properties; cleared when a transaction may have been rolled back. */
  readonly #numbers = new Map<string, number>();
  readonly #deltas: readonly { readonly ledger: LedgerName; readonly insert: Statement }[];

  /** Opens or creates the file at `path`; throws as `openKpis` does. */
  constructor(path: string) {
    this.#db = openKpis(path);
    this.#deltas = LEDGER_NAMES.map((ledger) => {
      return { ledger, insert: this.#db.prepare(addingDelta(ledger)) };
    });
  }

  /** The last folded row. */
  position(): Head {
    return this.#db.query<Head, []>("SELECT row, chain FROM place").get() ?? BEGINNING;
  }

  /** Deletes everything, before another journal is read from its start. */
  clear(): void {
    const tables = LEDGER_NAMES.flatMap((ledger) => [`${ledger}_total`, `${ledger}_delta`]);
    this.#numbers.clear();
    this.write(() => {
      for (const table of [...tables, "page", "property", "place"]) {
        this.#db.run(`DELETE FROM ${table}`);
      }
    });
  }

  /** Adds folded rows and moves the position. */
  add(folded: Folded): void {
    try {
      this.write(() => this.#add(folded));
    } catch (error) {
      this.#numbers.clear();
      throw error;
    }
  }

  #add({ sums, supplies, pages, head }: Folded): void {
    for (const { ledger, insert } of this.#deltas) {
      for (const { property, mark, day, keys, values } of sums[ledger]) {
        const number = this.#numberOf(property);
        insert.run(...([number, mark, day, ...keys, ...values] as Value[]));
      }
      this.#addTotals(ledger, sums[ledger]);
    }
    const update = this.#db.query("UPDATE property SET supply = ? WHERE property = ?");
    for (const { name, supply } of supplies) {
      update.run(JSON.stringify(supply), this.#numberOf(name));
    }
    const insert = this.#db.query("INSERT OR IGNORE INTO page VALUES (?, ?)");
    for (const { page, first_at } of pages) insert.run(page, first_at);
    const move = this.#db.query("INSERT OR REPLACE INTO place VALUES (1, ?, ?)");
    move.run(head.row, head.chain);
  }

  supplyOf(name: PropertyName): StoredSupply | null {
    const supply = this.#property(name)?.supply ?? null;
    return supply === null ? null : (JSON.parse(supply) as StoredSupply);
  }

  /** Numbers of properties; properties without sums have none. */
  numbersOf(names: readonly PropertyName[]): number[] {
    return names.flatMap((name) => this.#property(name)?.property ?? []);
  }

  /** Sums by day and key over the properties; a day may occur twice, to be added up. */
  sums(ledger: LedgerName, asked: SumsAsked): DaySum[] {
    const { keys } = LEDGERS[ledger];
    const { properties, firstDay, lastDay, beforeMark } = asked;
    const select = `SELECT chunk, ${keys.map((key) => `${key}, `).join("")} sums
      FROM ${ledger}_total WHERE property IN (SELECT value FROM json_each(?))
      AND chunk BETWEEN ? AND ?`;
    const rows = this.#db
      .query<never, Value[]>(select)
      .values(JSON.stringify(properties), chunkOf(firstDay), chunkOf(lastDay));
    const chunks = new ChunksOf(ledger);
    for (const [chunk, ...rest] of rows as [number, ...(string | Uint8Array)[]][]) {
      const bytes = rest.pop() as Uint8Array;
      chunks.of(chunk, rest as string[]).addBytes(bytes);
    }
    const within = ({ day }: DaySum) => day >= firstDay && day <= lastDay;
    const later = beforeMark === null ? [] : this.#later(ledger, asked, beforeMark);
    return [...chunks.sums().filter(within), ...later];
  }

  /** Sums from a mark on, to be subtracted. */
  #later(ledger: LedgerName, asked: SumsAsked, mark: number): DaySum[] {
    const { keys, measures } = LEDGERS[ledger];
    const at = ["day", ...keys].join(", ");
    const select = `SELECT ${at}, ${measures.map((each) => `-SUM(${each})`).join(", ")}
      FROM ${ledger}_delta WHERE property IN (SELECT value FROM json_each(?)) AND mark >= ?
      AND day BETWEEN ? AND ? GROUP BY ${at}`;
    const { properties, firstDay, lastDay } = asked;
    const rows = this.#db
      .query<never, Value[]>(select)
      .values(JSON.stringify(properties), mark, firstDay, lastDay) as Value[][];
    return rows.map(([day, ...rest]) => ({
      day: day as number,
      keys: rest.slice(0, keys.length) as string[],
      values: rest.slice(keys.length) as number[],
    }));
  }

  /** Adds sums to the totals; reads and writes each chunk once. */
  #addTotals(ledger: LedgerName, sums: readonly Sum[]): void {
    const byProperty = new Map<number, ChunksOf>();
    for (const { property, day, keys, values } of sums) {
      const number = this.#numberOf(property);
      const chunks = byProperty.get(number) ?? new ChunksOf(ledger);
      byProperty.set(number, chunks);
      chunks.of(chunkOf(day), keys).add(day, values);
    }
    const { keys } = LEDGERS[ledger];
    const of = ["property", "chunk", ...keys];
    const read = this.#db.query<{ sums: Uint8Array }, Value[]>(
      `SELECT sums FROM ${ledger}_total WHERE ${of.map((name) => `${name} = ?`).join(" AND ")}`,
    );
    const write = this.#db.query(
      `INSERT OR REPLACE INTO ${ledger}_total (${of.join(", ")}, sums)
       VALUES (${of.map(() => "?").join(", ")}, ?)`,
    );
    for (const [number, chunks] of byProperty) {
      for (const { chunk, keys: own, sums: added } of chunks.all()) {
        const known = read.get(number, chunk, ...own);
        if (known) added.addBytes(known.sums);
        write.run(number, chunk, ...own, added.bytes);
      }
    }
  }

  /** The last page that starts at `atMs` or earlier. */
  pageAt(atMs: number): number {
    const select = "SELECT max(page) AS page FROM page WHERE first_at <= ?";
    return this.#db.query<{ page: number | null }, [number]>(select).get(atMs)?.page ?? 0;
  }

  /** Runs reads in one transaction. */
  read<T>(work: () => T): T {
    return this.#db.transaction(work).deferred();
  }

  write<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  close(): void {
    this.#db.close();
  }

  #property({ tenant_id, mode, property_id }: PropertyName): PropertyRow | null {
    const select = `SELECT property, supply FROM property
      WHERE tenant_id = ? AND mode = ? AND property_id = ?`;
    const of = this.#db.query<PropertyRow, [string, string, string]>(select);
    return of.get(tenant_id, mode, property_id);
  }

  #numberOf(name: PropertyName): number {
    const { tenant_id, mode, property_id } = name;
    const key = `${mode} ${tenant_id} ${property_id}`;
    const number = this.#numbers.get(key) ?? this.#property(name)?.property ?? this.#added(name);
    this.#numbers.set(key, number);
    return number;
  }

  #added({ tenant_id, mode, property_id }: PropertyName): number {
    const insert = "INSERT INTO property (tenant_id, mode, property_id) VALUES (?, ?, ?)";
    return Number(this.#db.query(insert).run(tenant_id, mode, property_id).lastInsertRowid);
  }
}

/** Chunks by number and keys. */
class ChunksOf {
  readonly #measures: number;
  readonly #chunks = new Map<string, { chunk: number; keys: readonly string[]; sums: Chunk }>();

  constructor(ledger: LedgerName) {
    this.#measures = LEDGERS[ledger].measures.length;
  }

  of(chunk: number, keys: readonly string[]): Chunk {
    const name = `${chunk} ${keys.join(" ")}`;
    let known = this.#chunks.get(name);
    if (!known) {
      known = { chunk, keys, sums: new Chunk(chunk, this.#measures) };
      this.#chunks.set(name, known);
    }
    return known.sums;
  }

  all() {
    return this.#chunks.values();
  }

  sums(): DaySum[] {
    return [...this.all()].flatMap(({ keys, sums }) => {
      return [...sums.days()].map((day) => ({ ...day, keys }));
    });
  }
}

function addingDelta(ledger: LedgerName): string {
  const { keys, measures } = LEDGERS[ledger];
  const key = ["property", "mark", "day", ...keys];
  const columns = [...key, ...measures];
  return `INSERT INTO ${ledger}_delta (${columns.join(", ")})
    VALUES (${columns.map(() => "?").join(", ")})
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET
    ${measures.map((measure) => `${measure} = ${measure} + excluded.${measure}`).join(", ")}`;
}
