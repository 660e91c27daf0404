/**
 * The changed rows of an SQLite file, for its copies on other machines: who writes the file notes
 * each changed row in the table `changed_row`, in the same transaction. A row is noted as it is
 * after the change, so that copies need no order but that of the last change of each row.
 *
 * Maintained invariant: a row of the file that its copies lack is noted; who has passed a note on
 * removes it.
 */
import type { Database } from "bun:sqlite";

const NOTES = "changed_row";
/** In a copy: the last change that it has. */
const COPIED = "copied";

/** A row as JSON text; bytes are `{"$hex": …}`. */
export interface ChangedRow {
  /** Counts the changes of the file. */
  readonly n: number;
  readonly table_name: string;
  /** JSON list of the values of its primary key. */
  readonly key: string;
  /** Null when it was deleted. */
  readonly row: string | null;
}

/** Whether it says that all rows follow anew: what was noted before it is void. */
export function isAnew({ table_name }: ChangedRow): boolean {
  return table_name === "";
}

/** The tables of a file that hold data, each with its columns. */
interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly keys: readonly string[];
}

const QUOTED = (name: string) => `"${name.replaceAll('"', '""')}"`;

function tablesOf(db: Database): Table[] {
  const found = db.query<{ name: string }, [string, string]>(
    `SELECT name FROM main.sqlite_schema
      WHERE type = 'table' AND name NOT IN (?, ?) AND substr(name, 1, 7) <> 'sqlite_'
      ORDER BY name`,
  );
  return found.all(NOTES, COPIED).map(({ name }) => {
    const sql = "SELECT name, pk FROM pragma_table_info(?)";
    const columns = db.query<{ name: string; pk: number }, [string]>(sql).all(name);
    const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    if (keys.length === 0) throw new Error(`table ${name} has no primary key`);
    return { name, columns: columns.map((each) => each.name), keys: keys.map((each) => each.name) };
  });
}

function jsonValue(row: string, column: string): string {
  const value = `${row}${QUOTED(column)}`;
  return `CASE typeof(${value}) WHEN 'blob' THEN json_object('$hex', hex(${value})) ELSE ${value} END`;
}

/** SQL of the key or of the whole row, as JSON. */
function keyOf({ keys }: Table, row: string): string {
  return `json_array(${keys.map((column) => jsonValue(row, column)).join(", ")})`;
}

function jsonOf({ columns }: Table, row: string): string {
  const parts = columns.map((column) => `'${column}', ${jsonValue(row, column)}`);
  return `json_object(${parts.join(", ")})`;
}

/**
 * From here on notes what this connection changes. The first connection notes all rows that are
 * there already, and so does one that has changed the tables (`isUpgraded`). Call it on every
 * connection that writes.
 */
export function noteChangedRows(db: Database, isUpgraded = false): void {
  // Without it a row that another one replaces would vanish without a note.
  db.run("PRAGMA recursive_triggers = ON");
  db.transaction(() => {
    const tables = tablesOf(db);
    const isNew = !hasTable(db, NOTES);
    if (isNew) noteRowsFrom(db, 0);
    if (isUpgraded) db.run(`INSERT INTO ${NOTES}(table_name, key) VALUES ('', '')`);
    if (isNew || isUpgraded) {
      for (const table of tables) {
        const all = `SELECT '${table.name}', ${keyOf(table, "")}, ${jsonOf(table, "")}`;
        db.run(`INSERT INTO ${NOTES}(table_name, key, row) ${all} FROM ${QUOTED(table.name)}`);
      }
    }
    for (const table of tables) for (const sql of triggersOf(table)) db.run(sql);
  }).immediate();
}

/** Whether the file is a copy of another machine's. */
export function isCopy(db: Database): boolean {
  return hasTable(db, COPIED);
}

/** How far a copy is, and of which tables; call for a copy only. */
export function copiedHead(db: Database): { readonly n: number; readonly schema: string } {
  const sql = `SELECT n, schema FROM ${COPIED}`;
  return db.query<{ n: number; schema: string }, []>(sql).get()!;
}

/** Notes how far a copy is. */
export function setCopied(db: Database, n: number): void {
  db.query(`UPDATE ${COPIED} SET n = ?`).run(n);
}

/** Makes a file without rows a copy. */
export function beginCopy(db: Database, schema: string): void {
  db.run(`CREATE TABLE ${COPIED}(
    one INTEGER PRIMARY KEY, n INTEGER NOT NULL, schema TEXT NOT NULL) STRICT`);
  db.query(`INSERT INTO ${COPIED} VALUES (1, 0, ?)`).run(schema);
}

/** Makes a copy a file whose changes are noted, from its last one on. */
export function endCopy(db: Database): void {
  const { n } = copiedHead(db);
  db.run(`DROP TABLE ${COPIED}`);
  noteRowsFrom(db, n);
}

/** Makes the table of notes in a file whose copies have all rows up to the change `n`. */
function noteRowsFrom(db: Database, n: number): void {
  db.run(`CREATE TABLE ${NOTES}(n INTEGER PRIMARY KEY AUTOINCREMENT, table_name TEXT NOT NULL,
    key TEXT NOT NULL, row TEXT) STRICT`);
  db.query("INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)").run(NOTES, n);
}

/** The number of the last note, removed ones included; null in a file that notes nothing. */
export function lastNoted(db: Database): number | null {
  if (!hasTable(db, NOTES)) return null;
  const sql = "SELECT seq FROM sqlite_sequence WHERE name = ?";
  return db.query<{ seq: number }, [string]>(sql).get(NOTES)?.seq ?? 0;
}

function hasTable(db: Database, name: string): boolean {
  const sql = "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?";
  return db.query(sql).get(name) !== null;
}

/** Temporary: they belong to the connection and are not in the file. */
function triggersOf(table: Table): string[] {
  const of = QUOTED(table.name);
  const note = (key: string, row: string) =>
    `INSERT INTO ${NOTES}(table_name, key, row) VALUES ('${table.name}', ${key}, ${row});`;
  const now = note(keyOf(table, "NEW."), jsonOf(table, "NEW."));
  const gone = note(keyOf(table, "OLD."), "NULL");
  const isMoved = `${keyOf(table, "OLD.")} IS NOT ${keyOf(table, "NEW.")}`;
  const trigger = (name: string, when: string, body: string) =>
    `CREATE TEMP TRIGGER ${QUOTED(`note ${name} of ${table.name}`)} ${when} BEGIN ${body} END`;
  return [
    trigger("insert", `AFTER INSERT ON main.${of}`, now),
    trigger("delete", `AFTER DELETE ON main.${of}`, gone),
    trigger("move", `AFTER UPDATE ON main.${of} WHEN ${isMoved}`, gone),
    trigger("update", `AFTER UPDATE ON main.${of}`, now),
  ];
}

/** The oldest notes, at most `limit`, of a file that has them. */
export function changedRows(db: Database, limit: number): ChangedRow[] {
  const sql = `SELECT n, table_name, key, row FROM ${NOTES} ORDER BY n LIMIT ?`;
  return db.query<ChangedRow, [number]>(sql).all(limit);
}

/** Removes the notes up to `n`. */
export function forgetChangedRows(db: Database, n: number): void {
  db.query(`DELETE FROM ${NOTES} WHERE n <= ?`).run(n);
}

/** Makes a file one that notes nothing. */
export function dropNotes(db: Database): void {
  db.run(`DROP TABLE IF EXISTS ${NOTES}`);
}

/** Numbers of the oldest and the newest note; null when there are none. */
export function notedRange(db: Database): { readonly first: number; readonly last: number } | null {
  type Found = { first: number | null; last: number | null };
  const sql = `SELECT min(n) AS first, max(n) AS last FROM ${NOTES}`;
  const { first, last } = db.query<Found, []>(sql).get()!;
  return first === null || last === null ? null : { first, last };
}

/** Applies changes of another machine's file, the later of a row after the earlier. */
export class RowWriter {
  readonly #db: Database;
  readonly #tables: ReadonlyMap<string, { put: string; remove: string }>;

  /** The file must have no triggers, which would repeat what they did in the other file. */
  constructor(db: Database) {
    this.#db = db;
    this.#tables = new Map(tablesOf(db).map((table) => [table.name, statementsOf(table)]));
  }

  /** Call in a transaction. Throws Error for an unknown table. */
  write({ table_name, key, row }: Omit<ChangedRow, "n">): void {
    const statements = this.#tables.get(table_name);
    if (!statements) throw new Error(`unknown table ${table_name}`);
    if (row === null) this.#db.query(statements.remove).run(key);
    else this.#db.query(statements.put).run(row);
  }
}

function statementsOf(table: Table) {
  const read = (path: string) =>
    `CASE json_type(?1, '${path}') WHEN 'object' THEN unhex(json_extract(?1, '${path}.$hex')) ` +
    `ELSE json_extract(?1, '${path}') END`;
  const columns = table.columns.map(QUOTED).join(", ");
  const values = table.columns.map((column) => read(`$."${column}"`)).join(", ");
  const isRow = table.keys.map((column, i) => `${QUOTED(column)} IS ${read(`$[${i}]`)}`);
  return {
    put: `INSERT OR REPLACE INTO ${QUOTED(table.name)}(${columns}) VALUES (${values})`,
    remove: `DELETE FROM ${QUOTED(table.name)} WHERE ${isRow.join(" AND ")}`,
  };
}
