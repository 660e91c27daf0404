/**
 * The files beside the journal on this machine. While it is the home of api and worker, their
 * changes are passed on; else they are copies that hold what the home has passed on. A copy has the
 * table `copied`, no triggers and no notes, and nothing else opens it.
 *
 * Maintained invariant: what a former home wrote and did not pass on is removed before its file
 * becomes a copy: nobody was told of it.
 */
import { Database } from "bun:sqlite";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  beginCopy,
  changedRows,
  copiedHead,
  endCopy,
  forgetChangedRows,
  isAnew,
  isCopy,
  lastNoted,
  RowWriter,
  setCopied,
} from "../../src/lib/changed-rows.ts";
import { isBusy } from "../../src/lib/store-file.ts";
import { Damage } from "../core/damage.ts";
import type { SharedStores, StoreHead } from "./shared-stores.ts";

/** The files that all machines have; others are made again from the journal, or only count. */
const SHARED_STORES = [
  ...["control", "oauth", "console", "guest", "checkout", "advisor"],
  ...["deliveries", "mail", "sandbox-provider"],
] as const;

/** A file that api or worker are writing has its turn later: the engine must not wait for it. */
const BUSY_TIMEOUT_MS = 20;
const PAGE_ROWS = 1_000;

function pathOf(dataDir: string, store: string): string {
  return join(dataDir, `${store}.db`);
}

function opened(path: string, create = true): Database {
  const db = new Database(path, { strict: true, readwrite: true, create });
  db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

function removed(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
}

type Sql = { readonly sql: string };

/** SQL of a file, but for what belongs to notes and copies. */
function schemaOf(db: Database): string {
  const sql = `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL
    AND tbl_name NOT IN ('changed_row', 'copied', 'sqlite_sequence')
    ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, name`;
  return JSON.stringify(
    db
      .query<Sql, []>(sql)
      .all()
      .map((found) => found.sql),
  );
}

function formatOf(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()!.user_version;
}

/** The home's side. */
export class PassedOnStores {
  readonly #dataDir: string;
  readonly #shared: SharedStores;
  readonly #epoch: number;
  readonly #open = new Map<string, Database>();
  /** Changes until now. */
  passedOn = 0;

  constructor(dataDir: string, shared: SharedStores, epoch: number) {
    this.#dataDir = dataDir;
    this.#shared = shared;
    this.#epoch = epoch;
  }

  /** Passes on what was changed until now; false when another machine is the home. */
  async passOn(): Promise<boolean> {
    for (const store of SHARED_STORES) if (!(await this.#passOnOf(store))) return false;
    return true;
  }

  async #passOnOf(store: string): Promise<boolean> {
    const db = this.#fileOf(store);
    if (db === null) return true;
    for (;;) {
      const rows = changedRows(db, PAGE_ROWS);
      const n = rows.at(-1)?.n;
      if (n === undefined) return true;
      const anew = rows.findLast(isAnew);
      if (anew) await this.#shared.forget(this.#epoch, store, anew.n);
      const passed = anew ? rows.filter((row) => row.n > anew.n) : rows;
      const head = { store, schema: schemaOf(db), format: formatOf(db), n };
      if (!(await this.#shared.passOn(this.#epoch, head, passed))) return false;
      this.passedOn += rows.length;
      if (!forgotten(db, n)) return true;
    }
  }

  /** Null before its owner has made it. */
  #fileOf(store: string): Database | null {
    const known = this.#open.get(store);
    if (known) return known;
    const path = pathOf(this.#dataDir, store);
    if (!existsSync(path)) return null;
    const db = opened(path, false);
    try {
      if (lastNoted(db) !== null) {
        this.#open.set(store, db);
        return db;
      }
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    db.close();
    return null;
  }

  close(): void {
    for (const db of this.#open.values()) db.close();
  }
}

/** Removes notes that are passed on; false when another process writes: they are passed again. */
function forgotten(db: Database, n: number): boolean {
  try {
    forgetChangedRows(db, n);
    return true;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return false;
  }
}

interface Copy {
  readonly db: Database;
  readonly writer: RowWriter;
}

/** The side of every other machine. Nothing else may have the files open. */
export class CopiedStores {
  readonly #dataDir: string;
  readonly #shared: SharedStores;
  readonly #open = new Map<string, Copy>();

  constructor(dataDir: string, shared: SharedStores) {
    this.#dataDir = dataDir;
    this.#shared = shared;
  }

  /** Applies what has been passed on until now. */
  async catchUp(): Promise<void> {
    const heads = await this.#shared.heads();
    for (const store of SHARED_STORES) {
      const path = pathOf(this.#dataDir, store);
      // Made by this machine as a home, and never passed on.
      if (!heads.some((head) => head.store === store) && isOfHome(path)) removed(path);
    }
    for (const head of heads) await this.#catchUpWith(head);
  }

  async #catchUpWith(head: StoreHead): Promise<void> {
    const { db, writer } = this.#copyOf(head);
    const from = copiedHead(db).n;
    if (from === head.n) return;
    const rows = await Array.fromAsync(this.#shared.rowsBetween(head.store, from, head.n));
    // All or nothing: in between, rows of one transaction would be apart.
    db.transaction(() => {
      for (const row of rows) writer.write(row);
      setCopied(db, head.n);
    }).immediate();
  }

  /**
   * Makes the copies the files of a home, and closes them. A crash in between is mended by the next
   * call: what is a home's file already stays as it is, unless it lacks what it has passed on, as
   * after a return to an earlier state of the disk.
   */
  async take(): Promise<void> {
    for (const head of await this.#shared.heads()) {
      const path = pathOf(this.#dataDir, head.store);
      if (!this.#open.has(head.store) && isOfHome(path, head.n)) continue;
      await this.#catchUpWith(head);
      const { db } = this.#copyOf(head);
      db.transaction(() => {
        for (const sql of triggersIn(head.schema)) db.run(sql);
        endCopy(db);
      }).immediate();
    }
    this.close();
  }

  #copyOf(head: StoreHead): Copy {
    const known = this.#open.get(head.store);
    if (known && isCopyOf(known.db, head)) return known;
    known?.db.close();
    const path = pathOf(this.#dataDir, head.store);
    const db = copyAt(path, head) ?? begun(path, head);
    const copy = { db, writer: new RowWriter(db) };
    this.#open.set(head.store, copy);
    return copy;
  }

  close(): void {
    for (const { db } of this.#open.values()) db.close();
    this.#open.clear();
  }
}

function triggersIn(schema: string): string[] {
  return (JSON.parse(schema) as string[]).filter((sql) => /^CREATE TRIGGER/i.test(sql));
}

/** Whether it is the file of a home that has noted its changes at least up to `n`. */
function isOfHome(path: string, n = 0): boolean {
  if (!existsSync(path)) return false;
  try {
    using db = opened(path);
    return (lastNoted(db) ?? -1) >= n;
  } catch (error) {
    if (isDamaged(error)) return false;
    throw error;
  }
}

/** The copy at `path`; null when there is none that could go on. */
function copyAt(path: string, head: StoreHead): Database | null {
  const db = opened(path);
  try {
    if (isCopyOf(db, head)) return db;
    const isOwn = formatOf(db) > 0 && lastNoted(db) === null && !isCopy(db);
    if (isOwn) throw new Damage("journal_of_other_store", `${path} is of one machine alone`);
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  db.close();
  return null;
}

function isDamaged(error: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT)/.test(String((error as { readonly code?: unknown }).code));
}

function isCopyOf(db: Database, { schema, format, n }: StoreHead): boolean {
  if (!isCopy(db) || formatOf(db) !== format) return false;
  const found = copiedHead(db);
  return found.schema === schema && found.n <= n;
}

/** An empty copy in place of what was there. */
function begun(path: string, { schema, format }: StoreHead): Database {
  removed(path);
  const db = opened(path);
  db.run("PRAGMA journal_mode = WAL");
  db.transaction(() => {
    const statements = JSON.parse(schema) as string[];
    for (const sql of statements) if (!/^CREATE TRIGGER/i.test(sql)) db.run(sql);
    beginCopy(db, schema);
    db.run(`PRAGMA user_version = ${format}`);
  }).immediate();
  return db;
}
