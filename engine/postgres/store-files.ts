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

function opened(path: string): Database {
  const db = new Database(path, { strict: true, create: true });
  db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  db.run("PRAGMA journal_mode = WAL");
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
  readonly #open = new Map<string, { readonly db: Database; readonly schema: string }>();

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
    const file = this.#fileOf(store);
    if (file === null) return true;
    for (;;) {
      const rows = changedRows(file.db, PAGE_ROWS);
      const n = rows.at(-1)?.n;
      if (n === undefined) return true;
      const head = { store, schema: file.schema, format: formatOf(file.db), n };
      if (!(await this.#shared.passOn(this.#epoch, head, rows))) return false;
      if (!forgotten(file.db, n)) return true;
    }
  }

  /** Null before the file is made; a file without notes has not been opened by its owner yet. */
  #fileOf(store: string) {
    const known = this.#open.get(store);
    if (known) return known;
    const path = pathOf(this.#dataDir, store);
    if (!existsSync(path)) return null;
    const db = opened(path);
    if (lastNoted(db) === null) {
      db.close();
      return null;
    }
    const file = { db, schema: schemaOf(db) };
    this.#open.set(store, file);
    return file;
  }

  close(): void {
    for (const { db } of this.#open.values()) db.close();
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

/** The side of every other machine. Nothing else may have the files open. */
export class CopiedStores {
  readonly #dataDir: string;
  readonly #shared: SharedStores;
  readonly #open = new Map<string, { readonly db: Database; readonly writer: RowWriter }>();

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
   * call: what is a home's file already stays as it is.
   */
  async take(): Promise<void> {
    for (const head of await this.#shared.heads()) {
      const path = pathOf(this.#dataDir, head.store);
      if (!this.#open.has(head.store) && isOfHome(path)) continue;
      await this.#catchUpWith(head);
      const { db } = this.#copyOf(head);
      db.transaction(() => {
        for (const sql of triggersIn(head.schema)) db.run(sql);
        endCopy(db);
      }).immediate();
    }
    this.close();
  }

  #copyOf(head: StoreHead) {
    const known = this.#open.get(head.store);
    if (known) return known;
    const path = pathOf(this.#dataDir, head.store);
    let db = opened(path);
    if (!isCopyOf(db, head)) {
      const isOwn = formatOf(db) > 0 && lastNoted(db) === null && !isCopy(db);
      db.close();
      if (isOwn) throw new Damage("journal_of_other_store", `${path} is of one machine alone`);
      removed(path);
      db = opened(path);
      begin(db, head);
    }
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

function isOfHome(path: string): boolean {
  if (!existsSync(path)) return false;
  using db = opened(path);
  return lastNoted(db) !== null;
}

function isCopyOf(db: Database, { schema, format, n }: StoreHead): boolean {
  if (!isCopy(db) || formatOf(db) !== format) return false;
  const found = copiedHead(db);
  return found.schema === schema && found.n <= n;
}

function begin(db: Database, { schema, format }: StoreHead): void {
  db.transaction(() => {
    const statements = JSON.parse(schema) as string[];
    for (const sql of statements) if (!/^CREATE TRIGGER/i.test(sql)) db.run(sql);
    beginCopy(db, schema);
    db.run(`PRAGMA user_version = ${format}`);
  }).immediate();
}
