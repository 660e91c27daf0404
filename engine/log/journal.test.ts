/** Goal: a group is durable as a whole or not at all, and only by the newest engine. */

import { expect, test } from "bun:test";
import { metaOf, START_MS, someAgent } from "../../test/power/commands.ts";
import { Random } from "../../test/power/random.ts";
import { LANES, Scratch } from "../../test/power/world.ts";
import { storedLines } from "../../test/support/stored-blocks.ts";
import { RenderedOutcome, type Success } from "../core/outcomes.ts";
import { type Beside, NOTHING_BESIDE } from "./beside.ts";
import { Fenced } from "./care/damage.ts";
import { readHead } from "./head.ts";
import { headPath, Journal } from "./journal.ts";
import { chainOf, type EncodedRow, GENESIS_CHAIN, prepareRow } from "./stored-row.ts";

const options = { lanes: LANES };

function open(path: string): Journal {
  const journal = new Journal(path, options);
  journal.takeEpoch();
  return journal;
}

function rowAt(row: number, key = new Random(row).hex(16)): EncodedRow {
  const random = new Random(row);
  const { tenant_id, mode, actor, trace_id } = metaOf(random, someAgent(random));
  const outcome: Success = {
    ok: true,
    kind: "internal",
    trace_id,
    data: { seq: row },
  };
  const keyRef = { key, body_hash: "b", agent_id: actor.id };
  const about = { row, stamp: START_MS, tenant_id, mode, actor, trace_id, events: [] };
  const sealed = { ...about, key: keyRef, phase: "sealed" } as const;
  return prepareRow(sealed, new RenderedOutcome(outcome));
}

/** Beside the rows: nothing but a call in their transaction. */
function noting(call: () => void): Beside {
  const findings = {
    [Symbol.iterator]: () => {
      call();
      return [].values();
    },
  };
  return { ...NOTHING_BESIDE, findings };
}

function count(journal: Journal): number {
  return storedLines(journal.db).length;
}

test("groups are chained: SHA-256 of the previous link and the payload, from 64 zeros on", () => {
  using scratch = new Scratch();
  const journal = open(scratch.path);
  const rows = [rowAt(1), rowAt(2)];
  for (const row of rows) journal.append([row]);
  const first = chainOf(GENESIS_CHAIN, rows[0]!.payload);
  expect(journal.head).toEqual({ row: 2, chain: chainOf(first, rows[1]!.payload) });
  expect(readHead(headPath(scratch.path))).toEqual({ journalId: journal.id, ...journal.head });
  journal.close();
});

test("the last row of a key is found, never another key's", () => {
  using scratch = new Scratch();
  const journal = open(scratch.path);
  const key = "5e".repeat(16);
  journal.append([rowAt(1, key), rowAt(2), rowAt(3, key)]);
  expect(journal.byKey(key)?.row).toBe(3);
  expect(journal.outcomeOf(key)).toMatchObject({ data: { seq: 3 } });
  expect(journal.byKey("00".repeat(16))).toBeNull();
  journal.close();
});

test("the row of a key is refused when its payload or its key was changed", () => {
  using scratch = new Scratch();
  const journal = open(scratch.path);
  const [key, other] = ["5e".repeat(16), "6e".repeat(16)];
  journal.append([rowAt(1, key), rowAt(2, other)]);
  journal.append([rowAt(3)]);
  journal.db.run("UPDATE journal SET key = ? WHERE row = 3", [Buffer.from("7e".repeat(16), "hex")]);
  expect(() => journal.byKey("7e".repeat(16))).toThrow("journal_row_damaged");
  journal.db.run("UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE row = 2");
  expect(() => journal.byKey(key)).toThrow("journal_row_damaged");
  expect(() => journal.byKey(other)).toThrow("journal_row_damaged");
  journal.close();
});

test("an older engine on the same file is fenced and writes nothing more", () => {
  using scratch = new Scratch();
  const older = open(scratch.path);
  older.append([rowAt(1)]);
  const newer = open(scratch.path);
  let isProjected = false;
  const beside = noting(() => {
    isProjected = true;
  });
  const append = () => older.append([rowAt(2)], beside);
  expect(append).toThrow(Fenced);
  expect(isProjected).toBe(false);
  expect(() => older.checkFence()).toThrow(Fenced);
  expect(count(newer)).toBe(1);
  newer.append([rowAt(2)]);
  expect(append).toThrow(Fenced);
  expect(count(newer)).toBe(2);
  older.close();
  newer.close();
});

test("a successor continues after the older engine's last row before the fence", () => {
  using scratch = new Scratch();
  const older = open(scratch.path);
  const newer = new Journal(scratch.path, options);
  older.append([rowAt(1)]);
  newer.takeEpoch();
  expect(newer.head).toEqual(older.head);
  newer.append([rowAt(2)]);
  expect(count(newer)).toBe(2);
  older.close();
  newer.close();
});

test("two starts never share an epoch", () => {
  using scratch = new Scratch();
  const journals = [new Journal(scratch.path, options), new Journal(scratch.path, options)];
  const epochs = [...journals, ...journals].map((journal) => journal.takeEpoch());
  expect(epochs).toEqual([1, 2, 3, 4]);
  for (const journal of journals) journal.close();
});

test("a group whose projections cannot be written is not in the journal", () => {
  using scratch = new Scratch();
  const journal = open(scratch.path);
  journal.append([rowAt(1)]);
  const { head } = journal;
  const beside = noting(() =>
    journal.db.run("INSERT INTO holds(id, doc, crc) VALUES ('a', NULL, 0)"),
  );
  expect(() => journal.append([rowAt(2), rowAt(3)], beside)).toThrow("NOT NULL");
  expect(journal.db.inTransaction).toBe(false);
  expect(count(journal)).toBe(1);
  expect(journal.head).toEqual(head);
  expect(readHead(headPath(scratch.path))?.row).toBe(1);
  journal.append([rowAt(2)]);
  expect(count(journal)).toBe(2);
  journal.close();
});

test("another number of lanes, another format and a lost setting are refused by name", () => {
  using scratch = new Scratch();
  const journal = open(scratch.path);
  journal.append([rowAt(1)]);
  expect(() => new Journal(scratch.path, { lanes: 5 })).toThrow("lanes_changed");
  journal.db.run("UPDATE meta SET value = 'x' WHERE name = 'epoch'");
  expect(() => journal.takeEpoch()).toThrow("journal_unreadable");
  journal.db.run("UPDATE meta SET value = '999' WHERE name = 'format'");
  expect(() => new Journal(scratch.path, options)).toThrow("journal_unreadable: format 999");
  journal.db.run("DELETE FROM meta WHERE name = 'journal_id'");
  expect(() => new Journal(scratch.path, options)).toThrow("meta journal_id is missing");
  journal.close();
});

test("a journal of another format is refused by its format, and stays unchanged", () => {
  using scratch = new Scratch();
  const journal = open(scratch.path);
  journal.append([rowAt(1)]);
  journal.db.run("UPDATE meta SET value = '2' WHERE name = 'format'");
  journal.close();
  const said = "journal_unreadable: format 2, this version reads format 1";
  expect(() => new Journal(scratch.path, options)).toThrow(said);
});

test("a missing table is damage, and no empty one is created", () => {
  using scratch = new Scratch();
  const journal = open(scratch.path);
  journal.append([rowAt(1)]);
  journal.db.run("DROP TABLE journal");
  journal.close();
  expect(() => new Journal(scratch.path, options)).toThrow("journal_unreadable");
});
