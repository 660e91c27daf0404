/**
 * The sums that were made of the journal, and up to which row.
 *
 * Maintained invariants: sums and place are written in one transaction, so each row counts once
 * whenever a process ends; a total is the sum of its deltas.
 */
import type { Database, Statement } from "bun:sqlite";
import { BEGINNING, type Head } from "../../engine/shell/head.ts";
import { LEDGERS, type LedgerName, type PropertyName, type Sum } from "./measures.ts";
import { LEDGER_NAMES, openKpis } from "./schema.ts";
import type { PropertySupply, StoredSupply } from "./supply.ts";

/** What was folded since the place before. */
export interface Folded {
  readonly sums: Readonly<Record<LedgerName, readonly Sum[]>>;
  readonly supplies: readonly { readonly name: PropertyName; readonly supply: PropertySupply }[];
  /** Pages that have begun, with the stamp of their first row. */
  readonly pages: readonly { readonly page: number; readonly first_at: number }[];
  readonly head: Head;
}

type Value = string | number;
type PropertyRow = { readonly property: number; readonly supply: string | null };

/** What is asked of a ledger. */
export interface SumsAsked {
  /** Numbers of properties. */
  readonly properties: readonly number[];
  readonly firstDay: number;
  readonly lastDay: number;
  /** Without what has this mark or a later one; null: all. */
  readonly beforeMark: number | null;
}

export class KpiStore {
  readonly #db: Database;
  readonly #writes: readonly { readonly ledger: LedgerName; total: Statement; delta: Statement }[];

  /** Opens or creates the file at `path`; throws as `openKpis` does. */
  constructor(path: string) {
    this.#db = openKpis(path);
    this.#writes = LEDGER_NAMES.map((ledger) => ({
      ledger,
      total: this.#db.prepare(adding(ledger, "total")),
      delta: this.#db.prepare(adding(ledger, "delta")),
    }));
  }

  /** Up to where the journal was folded. */
  place(): Head {
    return this.#db.query<Head, []>("SELECT row, chain FROM place").get() ?? BEGINNING;
  }

  /** Forgets everything: another journal is read from its beginning. */
  clear(): void {
    const tables = LEDGER_NAMES.flatMap((ledger) => [`${ledger}_total`, `${ledger}_delta`]);
    this.write(() => {
      for (const table of [...tables, "page", "property", "place"]) {
        this.#db.run(`DELETE FROM ${table}`);
      }
    });
  }

  /** Adds what was folded and moves the place. */
  add({ sums, supplies, pages, head }: Folded): void {
    this.write(() => {
      for (const { ledger, total, delta } of this.#writes) {
        for (const { property, mark, day, keys, values } of sums[ledger]) {
          const number = this.#numberOf(property);
          total.run(...([number, day, ...keys, ...values] as Value[]));
          delta.run(...([number, mark, day, ...keys, ...values] as Value[]));
        }
      }
      const update = this.#db.query("UPDATE property SET supply = ? WHERE property = ?");
      for (const { name, supply } of supplies) {
        update.run(JSON.stringify(supply), this.#numberOf(name));
      }
      const insert = this.#db.query("INSERT OR IGNORE INTO page VALUES (?, ?)");
      for (const { page, first_at } of pages) insert.run(page, first_at);
      const move = this.#db.query("INSERT OR REPLACE INTO place VALUES (1, ?, ?)");
      move.run(head.row, head.chain);
    });
  }

  supplyOf(name: PropertyName): StoredSupply | null {
    const supply = this.#property(name)?.supply ?? null;
    return supply === null ? null : (JSON.parse(supply) as StoredSupply);
  }

  /** Numbers of properties; those of which nothing was counted have none. */
  numbersOf(names: readonly PropertyName[]): number[] {
    return names.flatMap((name) => this.#property(name)?.property ?? []);
  }

  /** Sums by day and key, of the properties together. */
  sums(ledger: LedgerName, asked: SumsAsked): Omit<Sum, "property" | "mark">[] {
    const { keys, measures } = LEDGERS[ledger];
    const { properties, firstDay, lastDay, beforeMark } = asked;
    const at = ["day", ...keys].join(", ");
    const of = `property IN (SELECT value FROM json_each($properties))
      AND day BETWEEN $firstDay AND $lastDay`;
    const later = `UNION ALL
      SELECT ${at}, ${measures.map((measure) => `-${measure}`).join(", ")}
      FROM ${ledger}_delta WHERE ${of} AND mark >= $mark`;
    const select = `SELECT ${at}, ${measures.map((m) => `SUM(${m}) AS ${m}`).join(", ")}
      FROM (SELECT ${at}, ${measures.join(", ")} FROM ${ledger}_total WHERE ${of}
        ${beforeMark === null ? "" : later}) GROUP BY ${at}`;
    const given = { properties: JSON.stringify(properties), firstDay, lastDay };
    const rows = this.#db
      .query<Record<string, Value>, [Record<string, Value>]>(select)
      .all(beforeMark === null ? given : { ...given, mark: beforeMark });
    return rows.map((row) => ({
      day: row.day as number,
      keys: keys.map((key) => row[key] as string),
      values: measures.map((measure) => row[measure] as number),
    }));
  }

  /** The last page that begins at `atMs` or earlier. */
  pageAt(atMs: number): number {
    const select = "SELECT max(page) AS page FROM page WHERE first_at <= ?";
    return this.#db.query<{ page: number | null }, [number]>(select).get(atMs)?.page ?? 0;
  }

  /** Reads that all see one state of the file. */
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
    const known = this.#property(name);
    if (known) return known.property;
    const { tenant_id, mode, property_id } = name;
    const insert = "INSERT INTO property (tenant_id, mode, property_id) VALUES (?, ?, ?)";
    return Number(this.#db.query(insert).run(tenant_id, mode, property_id).lastInsertRowid);
  }
}

function adding(ledger: LedgerName, table: "total" | "delta"): string {
  const { keys, measures } = LEDGERS[ledger];
  const names = table === "total" ? ["property", "day"] : ["property", "mark", "day"];
  const key = [...names, ...keys];
  const columns = [...key, ...measures];
  return `INSERT INTO ${ledger}_${table} (${columns.join(", ")})
    VALUES (${columns.map(() => "?").join(", ")})
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET
    ${measures.map((measure) => `${measure} = ${measure} + excluded.${measure}`).join(", ")}`;
}
