/**
 * Goal: each machine's copy of a journal in PostgreSQL is that journal byte for byte, with its
 * records and without the keys of erased guests, wherever the machine ended before. Method: a real
 * engine that leads, and mirrors that follow it; contents of files and tables are compared, and
 * each comparison is shown to see a difference.
 */
import type { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NOTHING_BESIDE } from "../../engine/log/beside.ts";
import { Block, blocksOf, type StoredBlock } from "../../engine/log/block.ts";
import { readErasures } from "../../engine/log/erasures.ts";
import { BEGINNING } from "../../engine/log/head.ts";
import { Journal } from "../../engine/log/journal.ts";
import { openCopy } from "../../engine/postgres/copy.ts";
import { Session } from "../../engine/postgres/session.ts";
import { SharedJournal } from "../../engine/postgres/shared-journal.ts";
import { ensureTables } from "../../engine/postgres/tables.ts";
import {
  beginBooking,
  cancelAtDesk,
  commandMeta,
  createProperty,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
  roomType,
} from "../support/builders.ts";
import { LoneEngine, RIG_LANES } from "../support/lone-engine.ts";
import { POSTGRES_MISSING, PostgresServer } from "../support/postgres.ts";
import { blocksIn, Machine, mutant, takeNow } from "../support/shared-machine.ts";
import { blockWith } from "../support/stored-blocks.ts";

if (POSTGRES_MISSING) console.error(`skipped: copies of a shared journal: ${POSTGRES_MISSING}`);
const isSkipped = POSTGRES_MISSING !== null;

const DAY_MS = 86_400_000;
const TREE = propertyTree({ room_types: [roomType({ default_inventory: 500 })] });

let server: PostgresServer;
const ends: (() => unknown)[] = [];
let shards = 0;

beforeAll(async () => {
  if (isSkipped) return;
  server = await PostgresServer.start();
  const session = await openSession();
  await ensureTables(session);
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

afterAll(() => server?.stop());

function nextShard(): number {
  shards += 1;
  return shards;
}

async function openSession(): Promise<Session> {
  const session = await Session.open(server.url, "test");
  ends.push(() => session.close());
  return session;
}

async function openMachine(shard: number): Promise<Machine> {
  const machine = await Machine.open(server.url, shard);
  ends.push(() => machine.close());
  return machine;
}

/** A hold of two nights and its quote, with nothing to pay in advance. */
function holdCommand() {
  const now = Date.now();
  const date = (inDays: number) => new Date(now + inDays * DAY_MS).toISOString().slice(0, 10);
  const stay = { check_in: date(30), check_out: date(32) };
  return placeHold(frozenQuote(TREE, { created_at: now, stay, due_now: 0 }));
}

/** The data of a command that succeeds. */
async function done(machine: Machine, command: Parameters<Machine["decide"]>[0]) {
  const outcome = await machine.decide(command);
  expect(outcome).toMatchObject({ ok: true });
  return (outcome as { data: Readonly<Record<string, unknown>> }).data;
}

/** Books; resolves to the booking. `wrapped_key`: the data key of its guest. */
async function book(machine: Machine, wrapped_key: string): Promise<string> {
  const command = holdCommand();
  const { hold_id } = await done(machine, command);
  const hold = { hold_id: String(hold_id), quote_id: command.quote_id };
  return String((await done(machine, beginBooking(hold, { wrapped_key }))).booking_id);
}

async function erase(machine: Machine, booking_id: string): Promise<void> {
  const actor = { kind: "operator", id: "agt_ops" } as const;
  await done(machine, cancelAtDesk(booking_id, { waives_fee: true }));
  await done(machine, { ...commandMeta({ actor }), type: "EraseGuest", booking_id });
}

/** A leader with a hotel that takes bookings. */
async function leaderOn(shard: number, shared?: SharedJournal): Promise<Machine> {
  const machine = await openMachine(shard);
  await machine.lead(shared);
  await done(machine, createProperty(TREE));
  await done(machine, promoteProperty(TREE));
  return machine;
}

/** The rows of every table, but for the epoch, which each machine counts for itself. */
function contentOf(db: Database): Record<string, readonly unknown[]> {
  const names = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
  const tables = db.query<{ name: string }, []>(names).all();
  return Object.fromEntries(
    tables.map(({ name }) => {
      const where = name === "meta" ? "WHERE name <> 'epoch'" : "";
      return [name, db.query(`SELECT * FROM ${name} ${where} ORDER BY 1`).all()];
    }),
  );
}

/** The blocks and keys of a shard in PostgreSQL, as a copy has them. */
async function stored(shard: number) {
  const shared = new SharedJournal(await openSession(), shard);
  const keys = await server.query(
    `SELECT booking_id, wrapped_key, email_hash, name_hash FROM subject_keys
      WHERE shard = ${shard} ORDER BY 1`,
  );
  return { blocks: await allBlocks(shared), keys };
}

async function allBlocks(shared: SharedJournal): Promise<StoredBlock[]> {
  const blocks: StoredBlock[] = [];
  for (;;) {
    const page = await shared.blocksAfter(blocks.at(-1)?.row ?? 0);
    if (page.length === 0) return blocks;
    blocks.push(...page);
  }
}

/** The same of a copy. */
function copied({ copy: { journal } }: Machine) {
  const blocks = blocksIn(journal.db).map((block) => {
    return {
      ...block,
      keys: block.keys && Buffer.from(block.keys),
      payload: Buffer.from(block.payload),
    };
  });
  return { blocks, keys: contentOf(journal.db).subject_keys! };
}

/** Whether any file of a machine contains a text. */
function hasText({ directory }: Machine, text: string): boolean {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  return paths.some((path) => readFileSync(path).includes(text));
}

test.skipIf(isSkipped)(
  "a mirror's copy is the leader's and PostgreSQL's, byte for byte",
  async () => {
    const shard = nextShard();
    const leader = await leaderOn(shard);
    const mirror = await openMachine(shard);
    await book(leader, "wrapped-1");
    await mirror.mirror.catchUp();
    await book(leader, "wrapped-2");
    await erase(leader, await book(leader, "wrapped-3"));
    await mirror.mirror.catchUp();
    expect(contentOf(mirror.copy.journal.db)).toEqual(contentOf(leader.copy.journal.db));
    expect<unknown>(copied(mirror)).toEqual(await stored(shard));
    expect(copied(mirror).keys).toMatchObject([
      { wrapped_key: "wrapped-1" },
      { wrapped_key: "wrapped-2" },
    ]);
    expect(Bun.deepEquals(mirror.copy.state, leader.copy.state)).toBe(true);
    const { records, subjectKeys, erased } = mirror.copy.records.changes();
    const left = [...Object.values(records), subjectKeys, erased].map(({ size }) => size);
    expect(new Set(left)).toEqual(new Set([0]));
    // It can lead at once, and knows every key.
    const { row } = mirror.copy.journal.head;
    await mirror.lead();
    await book(mirror, "wrapped-4");
    expect(mirror.copy.journal.head.row).toBe(row + 2);
  },
);

test.skipIf(isSkipped)("rows without their records are a copy that differs", async () => {
  const shard = nextShard();
  const leader = await leaderOn(shard);
  await book(leader, "wrapped-1");
  const poor = await openMachine(shard);
  poor.copy.journal.apply(await poor.shared.blocksAfter(0), NOTHING_BESIDE);
  const [its, ours] = [poor, leader].map(({ copy }) => contentOf(copy.journal.db));
  expect(its!.journal).toEqual(ours!.journal!);
  const differing = Object.keys(ours!).filter((name) => !Bun.deepEquals(its![name], ours![name]));
  expect(differing).toEqual(["bookings", "desk", "holds", "subject_keys"]);
});

test.skipIf(isSkipped)("an erased guest's key is nowhere, whenever a machine joins", async () => {
  const shard = nextShard();
  const leader = await leaderOn(shard);
  const [early, late] = [await openMachine(shard), await openMachine(shard)];
  const key = "wrapped-key-of-a-guest-that-nobody-may-read-again";
  const booking = await book(leader, key);
  await early.mirror.catchUp();
  expect([leader, early].map((machine) => hasText(machine, key))).toEqual([true, true]);
  await erase(leader, booking);
  for (const machine of [early, late]) await machine.mirror.catchUp();
  const keys = `SELECT * FROM subject_keys WHERE shard = ${shard}`;
  expect(await server.query(keys)).toEqual([]);
  for (const machine of [leader, early, late]) {
    expect(hasText(machine, key)).toBe(false);
    expect(readErasures(machine.erasures)).toEqual([booking]);
  }
});

test.skipIf(isSkipped)("a statement that erases no keys leaves them in PostgreSQL", async () => {
  const shard = nextShard();
  const part = "AND booking_id = ANY($15::text[])";
  const forgetful = mutant(await openSession(), part, `${part} AND false`);
  const leader = await leaderOn(shard, new SharedJournal(forgetful, shard));
  await erase(leader, await book(leader, "wrapped-1"));
  const { keys } = await stored(shard);
  expect(keys).toMatchObject([{ wrapped_key: "wrapped-1" }]);
});

/** As many rows of a real engine as a mirror reads in several pages, each in a block of its own. */
function manyBlocks(): StoredBlock[] {
  const lone = new LoneEngine();
  lone.decide([createProperty(TREE), promoteProperty(TREE)]);
  lone.decide(Array.from({ length: 600 }, holdCommand));
  const blocks: StoredBlock[] = [];
  for (const stored of blocksIn(lone.journal.db)) {
    const block = new Block(stored);
    for (let row = block.first; row <= block.last; row += 1) {
      const at = 16 * (row - block.first);
      const key = block.keys && Buffer.from(block.keys.subarray(at, at + 16)).toString("hex");
      const { chain } = blocks.at(-1) ?? BEGINNING;
      blocks.push(...blocksOf([{ row, key, payload: block.lineOf(row) }], chain));
    }
  }
  lone.close();
  return blocks;
}

const keyOf = (booking_id: string) => {
  const guest = { email: "e", name: "n" };
  return [booking_id, { booking_id, wrapped_key: `wrapped ${booking_id}`, guest }] as const;
};

/** A shard with these blocks in two appends, each with a data key; a page ends within one. */
async function shardWith(blocks: readonly StoredBlock[]): Promise<number> {
  const shard = nextShard();
  const { shared } = await openMachine(shard);
  const { epoch } = await takeNow(shared, "writer");
  const half = Math.floor(blocks.length / 2);
  for (const [from, to] of [
    [0, half],
    [half, blocks.length],
  ] as const) {
    const { row, chain } = blocks[from - 1] ?? BEGINNING;
    const beside = { subjectKeys: new Map([keyOf(`bkg_${to}`)]), erased: new Set<string>() };
    const place = { epoch, head: { row, chain } };
    expect(await shared.append(place, blocks.slice(from, to), beside)).toBe(true);
  }
  return shard;
}

/** A session that ends at its `n`-th query of pages. */
function endingAfter(session: Session, n: number): Session {
  let left = n;
  const query: Session["query"] = (text, values) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error("killed")) : session.query(text, values);
  };
  return { query } as Session;
}

test.skipIf(isSkipped)("a mirror that ends anywhere goes on where it was", async () => {
  const shard = await shardWith(manyBlocks());
  const whole = await openMachine(shard);
  await whole.mirror.catchUp();
  const machine = await openMachine(shard);
  const session = await openSession();
  const heads: number[] = [];
  // Two queries for each page.
  for (let queries = 0, isWhole = false; !isWhole; queries += 1) {
    machine.copy.journal.close();
    machine.openCopy(new SharedJournal(endingAfter(session, queries % 4), shard));
    isWhole = await machine.mirror.catchUp().then(
      () => true,
      () => false,
    );
    heads.push(machine.copy.journal.head.row);
  }
  expect(heads).toEqual(heads.toSorted((a, b) => a - b));
  expect(new Set(heads).size).toBeGreaterThan(3);
  expect(machine.warnings).toEqual([]);
  expect(contentOf(machine.copy.journal.db)).toEqual(contentOf(whole.copy.journal.db));
  expect<unknown>(copied(machine)).toEqual(await stored(shard));
  expect(Bun.deepEquals(machine.copy.state, whole.copy.state)).toBe(true);
});

/** A machine on a shard with a booking, whose copy is at the head. */
async function machineWithBooking() {
  const shard = nextShard();
  await book(await leaderOn(shard), "wrapped-1");
  const machine = await openMachine(shard);
  await machine.mirror.catchUp();
  return { shard, machine };
}

test.skipIf(isSkipped).each([
  ["whose chain is broken", `UPDATE journal SET chain = '${"0".repeat(64)}' WHERE ${blockWith(2)}`],
  ["with an altered row", `UPDATE journal SET payload = CAST('[]' AS BLOB) WHERE ${blockWith(2)}`],
  ["that lacks a row", `DELETE FROM journal WHERE ${blockWith(2)}`],
  ["of another journal", `UPDATE meta SET value = '${"0".repeat(32)}' WHERE name = 'journal_id'`],
  ["with other lanes", "UPDATE meta SET value = '9' WHERE name = 'lanes'"],
])("a copy %s is made anew", async (_what, damage) => {
  const { shard, machine } = await machineWithBooking();
  const before = contentOf(machine.copy.journal.db);
  machine.copy.journal.db.run(damage);
  machine.copy.journal.close();
  machine.openCopy();
  expect(machine.copy.journal.head).toEqual(BEGINNING);
  expect(machine.warnings).toEqual(["the copy of the journal is made anew"]);
  await machine.mirror.catchUp();
  expect(contentOf(machine.copy.journal.db)).toEqual(before);
  expect<unknown>(copied(machine)).toEqual(await stored(shard));
});

/** A machine whose journal goes on with a row that follows another one than its copy's last. */
async function machineOfForkedJournal() {
  const { machine } = await machineWithBooking();
  const { row, chain } = machine.copy.journal.head;
  const { epoch } = await takeNow(machine.shared, "writer");
  const [line] = blocksIn(machine.copy.journal.db).map((stored) => new Block(stored));
  const payload = line!.lineOf(1).replace(/\d+/, String(row + 1));
  const forked = blocksOf([{ row: row + 1, key: null, payload }], "f".repeat(64));
  const beside = { subjectKeys: new Map(), erased: new Set<string>() };
  expect(await machine.shared.append({ epoch, head: { row, chain } }, forked, beside)).toBe(true);
  return { machine, forked };
}

test.skipIf(isSkipped)("a mirror takes no rows that do not continue its copy", async () => {
  const { machine, forked } = await machineOfForkedJournal();
  const before = contentOf(machine.copy.journal.db);
  const caughtUp = machine.mirror.catchUp();
  expect(String(await caughtUp.catch((error: unknown) => error))).toContain("journal_chain_broken");
  expect(contentOf(machine.copy.journal.db)).toEqual(before);
  // The database of the copy itself would take them.
  machine.copy.journal.apply(forked, NOTHING_BESIDE);
  expect(machine.copy.journal.head.chain).toBe(forked[0]!.chain);
});

test.skipIf(isSkipped)(
  "a mirror that cannot reach the head of who took the lead says so",
  async () => {
    const { machine } = await machineWithBooking();
    const { head } = machine.copy.journal;
    await machine.mirror.reach(head);
    for (const end of [
      { ...head, row: head.row - 1 },
      { ...head, chain: "f".repeat(64) },
    ]) {
      const reached = await machine.mirror.reach(end).catch((error: unknown) => error);
      expect(String(reached)).toContain("journal_chain_broken");
    }
  },
);

test.skipIf(isSkipped)("a journal of its own is refused as a copy, and unchanged", () => {
  const lone = new LoneEngine();
  ends.push(() => lone.close());
  lone.decide([createProperty(TREE)]);
  const { journalPath: path, journal } = lone;
  const before = [contentOf(journal.db), readFileSync(path), readdirSync(join(path, ".."))];
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const of = { path, lanes: RIG_LANES, erasures: join(lone.dataDir, "e"), onProgress: () => {} };
  const opening = () => openCopy({ ...of, journalId: journal.id, warn });
  expect(opening).toThrow("journal_of_other_store");
  expect(warnings).toEqual([]);
  expect([contentOf(journal.db), readFileSync(path), readdirSync(join(path, ".."))]).toEqual(
    before,
  );
});

test.skipIf(isSkipped)("a copy never leads by itself", async () => {
  const { machine } = await machineWithBooking();
  const before = contentOf(machine.copy.journal.db);
  expect(() => new Journal(machine.path, { lanes: RIG_LANES })).toThrow("journal_of_other_store");
  expect(contentOf(machine.copy.journal.db)).toEqual(before);
});
