/**
 * Goal: a copy that applies the noted rows equals the file, whatever was written. Method: random
 * writes to tables of every kind, applied in batches of any size.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  changedRows,
  forgetChangedRows,
  noteChangedRows,
  notedRange,
  RowWriter,
} from "./changed-rows.ts";

const TABLES = `
CREATE TABLE plain(id INTEGER PRIMARY KEY, name TEXT UNIQUE, size REAL, bytes BLOB) STRICT;
CREATE TABLE pair(a TEXT NOT NULL, b INTEGER NOT NULL, doc TEXT, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;
CREATE TABLE "order"(key BLOB PRIMARY KEY, "of what" ANY) STRICT;
CREATE TABLE part(id INTEGER PRIMARY KEY, of_plain INTEGER REFERENCES plain ON DELETE CASCADE) STRICT;`;
const COUNTING = `CREATE TABLE counter(name TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT;
CREATE TRIGGER counting AFTER INSERT ON plain BEGIN
  INSERT INTO counter VALUES ('plain', 1) ON CONFLICT DO UPDATE SET n = n + 1; END;`;

function opened(sql: string): Database {
  const db = new Database(":memory:", { strict: true });
  db.run(sql);
  return db;
}

function contentOf(db: Database): unknown[] {
  return ["plain", "pair", '"order"', "part", "counter"].map((table) => {
    return db
      .query(`SELECT * FROM ${table}`)
      .values()
      .sort((a, b) => (Bun.inspect(a) < Bun.inspect(b) ? -1 : 1));
  });
}

const small = fc.integer({ min: 0, max: 6 });
const value = fc.oneof(
  ...[fc.string(), fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true })],
  ...[
    fc.uint8Array({ maxLength: 9 }),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    fc.constant('{"$hex":"00"}'),
  ],
);
const write = fc.oneof(
  fc.tuple(
    fc.constant("INSERT OR REPLACE INTO plain VALUES (?, ?, ?, ?)"),
    small,
    fc.string({ maxLength: 1 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.uint8Array({ maxLength: 5 }),
  ),
  fc.tuple(
    fc.constant("UPDATE OR REPLACE plain SET id = ?, name = ? WHERE id = ?"),
    small,
    fc.string({ maxLength: 1 }),
    small,
  ),
  fc.tuple(fc.constant("DELETE FROM plain WHERE id >= ?"), small),
  fc.tuple(
    fc.constant("INSERT OR IGNORE INTO part SELECT ?, id FROM plain WHERE id = ?"),
    small,
    small,
  ),
  fc.tuple(
    fc.constant("INSERT OR REPLACE INTO pair VALUES (?, ?, ?)"),
    fc.string({ maxLength: 1 }),
    small,
    fc.option(fc.string()),
  ),
  fc.tuple(fc.constant("UPDATE OR REPLACE pair SET b = ? WHERE b = ?"), small, small),
  fc.tuple(
    fc.constant('INSERT OR REPLACE INTO "order" VALUES (?, ?)'),
    fc.uint8Array({ maxLength: 1 }),
    value,
  ),
);

/** A write may break a reference: then it does nothing. */
function attempt(db: Database, sql: string, values: string[]): void {
  try {
    db.query(sql).run(...values);
  } catch (error) {
    expect((error as { code?: string }).code).toBe("SQLITE_CONSTRAINT_FOREIGNKEY");
  }
}

test("a copy that applies what was noted equals the file", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(write, { maxLength: 8 }), { maxLength: 12 }),
      small,
      (rounds, late) => {
        using file = opened(TABLES + COUNTING);
        using copy = opened(TABLES + COUNTING.slice(0, COUNTING.indexOf("CREATE TRIGGER")));
        file.run("PRAGMA foreign_keys = ON");
        const writer = new RowWriter(copy);
        for (const [i, writes] of rounds.entries()) {
          if (i === late) noteChangedRows(file);
          for (const [sql, ...values] of writes) attempt(file, sql as string, values as string[]);
          if (i < late || i % 2 === 1) continue;
          const rows = changedRows(file, 1_000);
          // As a store that keeps the last state of each row only.
          const last = new Map(rows.map((row) => [`${row.table_name} ${row.key}`, row]));
          const inOrder = [...last.values()].sort((a, b) => a.n - b.n);
          copy.transaction(() => {
            for (const row of inOrder) writer.write(row);
          })();
          if (rows.length > 0) forgetChangedRows(file, rows.at(-1)!.n);
          expect(notedRange(file)).toBeNull();
          expect(contentOf(copy)).toEqual(contentOf(file));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("what a transaction took back is not noted", () => {
  using file = opened(TABLES);
  noteChangedRows(file);
  const failing = file.transaction(() => {
    file.run("INSERT INTO plain(id) VALUES (1)");
    throw new Error("no");
  });
  expect(failing).toThrow("no");
  expect(changedRows(file, 9)).toEqual([]);
});
