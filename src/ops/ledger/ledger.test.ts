/**
 * Goal: the ledger's figures are those of the journal, to the cent, and what does not agree is
 * named with a way out. Method: a random history with everything that moves money; a simple sum of
 * its events; records, receipts and rows that are altered on purpose.
 */

import type { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { dateOf, todayIn } from "../../../engine/core/calendar.ts";
import type { Booking, Payment, Refund } from "../../../engine/core/records.ts";
import { openForReading, openForWriting } from "../../../engine/log/schema.ts";
import { KINDS, type StoredKind } from "../../../engine/log/stored-record.ts";
import { crcOf } from "../../../engine/log/stored-row.ts";
import {
  metaOf,
  OPERATOR,
  PROPERTY_ID,
  START_DAY,
  TENANT_ID,
} from "../../../test/power/commands.ts";
import { Random } from "../../../test/power/random.ts";
import { outcomeOf, Scratch } from "../../../test/power/world.ts";
import { moneyHistory } from "../../../test/support/money-history.ts";
import { outputOf, runWords } from "../../../test/support/operator-program.ts";
import { journalPath } from "../../config.ts";
import { ledger } from "./commands.ts";
import type { LedgerDifference } from "./compare.ts";
import type { LedgerLine } from "./day.ts";
import { LedgerJournal } from "./journal.ts";
import { MOVEMENT_KINDS } from "./movement.ts";
import { verifyLedger } from "./verify.ts";

/** Its history has every kind of movement; another tells of another one. */
const KNOWN_SEED = 27_182;
const SEED = Number(process.env.LEDGER_SEED ?? KNOWN_SEED);
const ROWS = 1_500;
/** Of the history's property. */
const ZONE = "Europe/Berlin";
const REALM = { tenant_id: TENANT_ID, mode: "live" } as const;

let dataDir: string;
let lines: LedgerLine[];
let payments: Payment[];

/** It takes seconds, and many times as long beside other tests. */
const HISTORY_MS_MAX = 120_000;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "innkeep-ledger-"));
  const path = journalPath(dataDir);
  mkdirSync(dirname(path));
  const { world, reach } = moneyHistory(path, SEED);
  using _world = world;
  reach(ROWS);
  payments = recordsOf<Payment>("payment");
  lines = (await everyLine(dataDir, world.time.wallMs())).map(([, line]) => line);
}, HISTORY_MS_MAX);
afterAll(() => rmSync(dataDir, { recursive: true }));

function recordsOf<T>(kind: StoredKind, at = dataDir): T[] {
  using db = openForReading(journalPath(at));
  const sql = `SELECT doc FROM ${KINDS[kind].table} ORDER BY id`;
  return db
    .query<{ doc: string }, []>(sql)
    .all()
    .map(({ doc }) => JSON.parse(doc) as T);
}

const words = (...args: string[]) => runWords(ledger, args, { DATA_DIR: dataDir });
const output = (...args: string[]) => outputOf(ledger, args, { DATA_DIR: dataDir });

interface Asked {
  readonly at?: string;
  readonly more?: readonly string[];
}

async function linesOn(date: string, { at = dataDir, more = [] }: Asked = {}) {
  const args = ["export", "--date", date, "--format", "ndjson", ...more];
  const out = await outputOf(ledger, args, { DATA_DIR: at });
  return out
    .split("\n")
    .filter(Boolean)
    .map((line): LedgerLine => JSON.parse(line));
}

/** The lines of every day until `lastMs`, each with the day under which it was printed. */
async function everyLine(at: string, lastMs: number) {
  const found: (readonly [day: number, line: LedgerLine])[] = [];
  for (let day = START_DAY - 1; day <= todayIn("UTC", lastMs) + 1; day += 1) {
    for (const line of await linesOn(dateOf(day), { at })) found.push([day, line]);
  }
  return found;
}

/** What a payment is worth to the property by its record. */
function worthOf({ state, amount, refunded, dispute }: Payment): number {
  if (["pending", "unknown", "failed"].includes(state)) return 0;
  const isTaken = dispute !== undefined && dispute.state !== "won";
  return amount - refunded - (isTaken ? dispute.amount : 0);
}

function sum(of: readonly LedgerLine[]): number {
  return of.reduce((all, { amount }) => all + amount, 0);
}

test(`the days of a history add up to its payments, one by one (LEDGER_SEED=${SEED})`, () => {
  if (SEED === KNOWN_SEED) {
    expect([...new Set(lines.map(({ kind }) => kind))].sort()).toEqual([...MOVEMENT_KINDS].sort());
  }
  const wrong = payments.filter((payment) => {
    const own = lines.filter(({ payment_id }) => payment_id === payment.payment_id);
    return sum(own) !== worthOf(payment);
  });
  expect(wrong.map(({ payment_id }) => payment_id)).toEqual([]);
  expect(sum(lines)).toBe(payments.reduce((all, payment) => all + worthOf(payment), 0));
  const seqs = lines.map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
});

test("a property that has moved to another time zone has its days from then on", async () => {
  using scratch = new Scratch();
  const path = journalPath(scratch.folder);
  mkdirSync(dirname(path));
  const { world, reach } = moneyHistory(path, SEED);
  using _world = world;
  reach(400);
  // A large tree is journaled as the difference from the one before.
  const random = new Random(SEED + 1);
  for (const change of [
    { description: "A long story. ".repeat(1_500) },
    { timezone: "Pacific/Kiritimati" },
  ]) {
    const { tree, version } = world.engine.state.property(REALM, PROPERTY_ID)!;
    const [reply] = world.ask({
      ...{ ...metaOf(random, OPERATOR), type: "ReplaceProperty", property_id: PROPERTY_ID },
      ...{ tree: { ...tree, ...change }, base_version: version, expected_version: null },
      ...{ payments_configured: true, dry_run: false },
    });
    expect(outcomeOf(reply)?.ok).toBeTrue();
  }
  const movedMs = world.time.wallMs();
  reach(1_000);
  const found = await everyLine(scratch.folder, world.time.wallMs());
  const isMoved = (line: LedgerLine) => Date.parse(line.time) > movedMs;
  const elsewhere = found.filter(([day, { time }]) => {
    const atMs = Date.parse(time);
    return day !== todayIn(atMs > movedMs ? "Pacific/Kiritimati" : ZONE, atMs);
  });
  expect(elsewhere).toEqual([]);
  expect(found.filter(([, line]) => isMoved(line)).length).toBeGreaterThan(10);
  expect(found.filter(([, line]) => !isMoved(line)).length).toBeGreaterThan(10);
});

test("every movement with a receipt names the one that the booking or the refund has", () => {
  const receipts = recordsOf<Booking>("booking").flatMap((booking) => booking.receipts);
  const known = new Set(receipts.map(({ payload_hash }) => payload_hash));
  for (const { receipt } of recordsOf<Refund>("refund")) known.add(receipt?.payload_hash ?? "");
  const proven = ["capture", "refund_succeeded", "refund_settled_elsewhere"];
  for (const { kind, booking_id, receipt_hash } of lines) {
    expect(receipt_hash !== null).toBe(proven.includes(kind));
    // A refund keeps its last receipt; a booking keeps all of them.
    if (booking_id !== null && receipt_hash !== null) expect(known.has(receipt_hash)).toBeTrue();
  }
});

test("CSV has the lines of NDJSON under their names, and filters narrow both", async () => {
  const { time } = lines.at(-1)!;
  const date = dateOf(todayIn(ZONE, Date.parse(time)));
  const all = await linesOn(date);
  const [head = "", ...rows] = (await output("export", "--date", date)).trimEnd().split("\r\n");
  expect(head.split(",")).toEqual(Object.keys(all[0]!));
  expect(rows).toEqual(all.map((line) => Object.values(line).join(",")));
  expect(await linesOn(date, { more: ["--property", PROPERTY_ID, "--tenant", TENANT_ID] })).toEqual(
    all,
  );
  for (const [option, value] of [
    ["--tenant", TENANT_ID.slice(0, -1)],
    ["--property", "nowhere"],
  ] as const) {
    const refused = await words("export", "--date", date, option, value);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(value) });
  }
  const bad = await words("export", "--date", "2026-02-30");
  expect(bad).toMatchObject({ code: 2, err: expect.stringContaining("--date must be a date") });
  expect((await words("export")).err).toContain("--date is missing");
});

test("explain tells a payment's movements by any of its ids, with the balance after each", async () => {
  const refunded = lines.filter(({ kind }) => kind === "refund_succeeded");
  expect(refunded.length).toBeGreaterThan(10);
  for (const { payment_id, booking_id, refund_id } of refunded.slice(0, 10)) {
    const own = lines.filter((line) => line.payment_id === payment_id);
    const told = JSON.parse(await output("explain", payment_id, "--json"));
    expect(told.movements.map(({ balance: _, ...line }: { balance: number }) => line)).toEqual(own);
    const { balance, captured, refunded, disputed } = told;
    expect(balance).toBe(captured - refunded - disputed);
    expect(balance).toBe(worthOf(payments.find((one) => one.payment_id === payment_id)!));
    for (const id of [booking_id, refund_id]) {
      if (id !== null) expect(JSON.parse(await output("explain", id, "--json"))).toEqual(told);
    }
    expect(await output("explain", payment_id)).toContain(`captured ${captured}, `);
  }
  expect(await words("explain", "bkg_0")).toMatchObject({
    code: 1,
    err: expect.stringContaining("no booking bkg_0"),
  });
  expect(await words("explain", "x")).toMatchObject({ code: 2 });
});

test("the ledger of a stopped service agrees", async () => {
  const told = await words("verify");
  expect(told).toMatchObject({ code: 0, out: "", err: expect.stringContaining("all equal") });
});

test("money that moves while it is compared is no difference", () => {
  using scratch = new Scratch();
  const { world, reach } = moneyHistory(scratch.path, SEED);
  using _world = world;
  reach(400);
  using journal = new LedgerJournal(scratch.path);
  const { records } = journal;
  const atOneInstant = journal.atOneInstant.bind(journal);
  journal.atOneInstant = (work) => {
    reach(800);
    return atOneInstant(work);
  };
  const paymentIds = records.paymentIds.bind(records);
  records.paymentIds = (...asked) => {
    reach(1_200);
    return paymentIds(...asked);
  };
  const found: LedgerDifference[] = [];
  const { row, payments } = verifyLedger(journal, (one) => found.push(one));
  expect(found).toEqual([]);
  expect({ isBetween: row >= 800 && row < 1_200, isMany: payments > 20 }).toEqual({
    ...{ isBetween: true, isMany: true },
  });
});

/** Alters a record in a copy of the installation, its checksum too; resolves to what is found. */
async function foundAfter(alter: (db: Database) => void) {
  const copy = `${dataDir}-copy`;
  cpSync(dataDir, copy, { recursive: true });
  try {
    const db = openForWriting(journalPath(copy));
    alter(db);
    db.close();
    const { code, out } = await runWords(ledger, ["verify", "--json"], { DATA_DIR: copy });
    expect(code).toBe(1);
    return out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Writes a record with a member changed. */
function altered<T extends object>(kind: StoredKind, record: T, id: string, over: Partial<T>) {
  return (db: Database) => {
    const doc = JSON.stringify({ ...record, ...over });
    const sql = `UPDATE ${KINDS[kind].table} SET doc = ?, crc = ? WHERE id = ?`;
    db.query(sql).run(doc, crcOf(doc), id);
  };
}

test("a payment's record that tells of another amount is found", async () => {
  const payment = payments.find(({ state }) => state === "partially_refunded")!;
  const { payment_id: id, amount, refunded } = payment;
  const cent = { refunded: refunded + 1 };
  expect(await foundAfter(altered("payment", payment, id, cent))).toMatchObject([
    { id, what: "refunded", events: refunded, recorded: refunded + 1 },
  ]);
  const more = { amount: amount + 1 };
  const [found] = await foundAfter(altered("payment", payment, id, more));
  expect(found).toMatchObject({ id, what: "captured", events: amount, recorded: amount + 1 });
  expect(found.next_step).toContain("projections rebuild");
});

test("a refund's record and its receipt that differ from their events are found", async () => {
  const refund = recordsOf<Refund>("refund").find(({ state, receipt, elsewhere }) => {
    return state === "succeeded" && receipt && !elsewhere;
  })!;
  const { refund_id: id, amount } = refund;
  const receipt = {
    ...refund.receipt!,
    subject: { ...refund.receipt!.subject, amount: amount - 1 },
  };
  const whats = async (over: Partial<Refund>) => {
    const found = await foundAfter(altered("refund", refund, id, over));
    return found.map(({ what }) => what);
  };
  expect(await whats({ amount: amount + 1 })).toEqual(["amount of the refund"]);
  expect(await whats({ receipt })).toEqual([
    ...["hash of the refund's receipt", "amount of the receipt", "refunded by valid receipts"],
  ]);
  expect(await whats({ receipt: null })).toEqual([
    ...["receipt of the refund", "refunded by valid receipts"],
  ]);
});

test("a booking's receipts that do not continue one another are found", async () => {
  const booking = recordsOf<Booking>("booking").find(({ payment_id }) => payment_id !== null)!;
  const { booking_id: id, receipts } = booking;
  const [first] = receipts;
  const twice = { receipts: [...receipts, first!] };
  const found = await foundAfter(altered("booking", booking, id, twice));
  expect(found).toMatchObject([
    { booking_id: id, what: "receipt before a changed one", events: first!.payload_hash },
  ]);
});

test("records that are missing, or that no event tells of, are found", async () => {
  const [payment] = payments.filter(({ state }) => state === "captured");
  const refunds = recordsOf<Refund>("refund");
  const { payment_id } = payment!;
  const gone = await foundAfter((db) => {
    db.query("DELETE FROM payments WHERE id = ?").run(payment_id);
  });
  expect(gone).toMatchObject([{ id: payment_id, what: "payment record", recorded: "missing" }]);
  const strange = { ...refunds[0]!, refund_id: "rfd_0" };
  const added = await foundAfter((db) => {
    const doc = JSON.stringify(strange);
    const sql = "INSERT INTO refunds(id, state, doc, crc) VALUES ('rfd_0', ?, ?, ?)";
    db.query(sql).run(strange.state, doc, crcOf(doc));
  });
  expect(added).toMatchObject([{ id: "rfd_0", recorded: "without a request" }]);
});

test("without a journal the command names DATA_DIR and makes nothing", async () => {
  for (const args of [["verify"], ["export", "--date", "2026-01-15"], ["explain", "pay_0"]]) {
    const { code, err } = await runWords(ledger, args, { DATA_DIR: join(dataDir, "none") });
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("set DATA_DIR") });
  }
});
