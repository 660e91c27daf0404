/**
 * The table `meta`: settings of the journal, and two heads, each written in the transaction that it
 * describes.
 *
 * - `sealed`: the last archived row. The rows of the database continue from it, and earlier rows
 *   are in segments.
 * - `projected`: the row that the projections have reached, with the journal's id. A journal that
 *   ends before it has lost rows that the records contain, even when every other file is gone.
 */
import type { Database } from "bun:sqlite";
import { randomHex } from "../../src/lib/trace.ts";
import { Damage } from "../core/damage.ts";
import { readingJournal } from "./care/damage.ts";
import { BEGINNING, type Head } from "./head.ts";
import { openForReading } from "./schema.ts";

export const LANES = "lanes";
export const JOURNAL_ID = "journal_id";
/** `true` in a machine's copy of a journal in PostgreSQL. */
export const IS_COPY = "copy";
const ARCHIVED = "sealed";
const PROJECTED = "projected";

/** The identity of a journal that begins; 32 hex digits. */
export function newJournalId(): string {
  return randomHex(16);
}

/** The stored text, or null. */
export function readMeta(db: Database, name: string): string | null {
  const sql = "SELECT value FROM meta WHERE name = ?";
  return db.query<{ value: string }, [string]>(sql).get(name)?.value ?? null;
}

/**
 * The number of lanes that the journal at `path` was made with; it must exist.
 *
 * @throws Damage when it cannot be read.
 */
export function lanesOf(path: string): number {
  return Number(settingOf(path, LANES));
}

/**
 * The identity of the journal at `path`, which must exist.
 *
 * @throws Damage when it cannot be read.
 */
export function journalIdOf(path: string): string {
  return settingOf(path, JOURNAL_ID);
}

function settingOf(path: string, name: string): string {
  return readingJournal(() => {
    using db = openForReading(path);
    const value = readMeta(db, name);
    if (value === null) throw new Damage("journal_unreadable", `meta ${name} is missing`);
    return value;
  });
}

/** The head after which the rows of the database begin. */
export function archivedHead(db: Database): Head {
  const stored = readMeta(db, ARCHIVED);
  return stored === null ? BEGINNING : headIn(ARCHIVED, stored);
}

/** Notes the archived head; call in the transaction that moves rows. */
export function noteArchived(db: Database, { row, chain }: Head): void {
  const sql = "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)";
  db.query(sql).run(ARCHIVED, `${row} ${chain}`);
}

/** The journal and head of the projections; null in an empty journal. */
export function projectedHead(db: Database): (Head & { readonly journalId: string }) | null {
  const stored = readMeta(db, PROJECTED);
  if (stored === null) return null;
  const [, journalId, head] = /^([0-9a-f]{32}) (.*)$/.exec(stored) ?? [];
  return { journalId: journalId ?? "", ...headIn(PROJECTED, head ?? "") };
}

/** Notes the head of the projections; call in their transaction. */
export function noteProjected(db: Database, { row, chain }: Head): void {
  // Updated in place: a replacement would also move its index entry, which is another page.
  db.query(
    `INSERT INTO meta(name, value)
     SELECT ?, value || ? FROM meta WHERE name = 'journal_id'
     ON CONFLICT(name) DO UPDATE SET value = excluded.value`,
  ).run(PROJECTED, ` ${row} ${chain}`);
}

function headIn(name: string, text: string): Head {
  const match = /^(\d+) ([0-9a-f]{64})$/.exec(text);
  if (!match) throw new Damage("journal_unreadable", `meta ${name} is damaged`);
  return { row: Number(match[1]), chain: match[2]! };
}
