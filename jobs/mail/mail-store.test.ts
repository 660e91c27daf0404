/**
 * Goal: copies of mails are limited by booking and hour, also after a clock change or a restart.
 */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MailStore } from "./mail-store.ts";

const NOON = Date.parse("2026-12-18T12:00:00Z");
const HOUR_MS = 3_600_000;

let directory: string;
let store: MailStore;
const path = () => join(directory, "mail.db");

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-mail-store-"));
  store = new MailStore(path());
});
afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true });
});

const isTaken = (atMs: number, booking = "bkg_1") => store.takeCopy(booking, atMs).ok;

test("each booking has its own limit of three copies in any hour", () => {
  const taken = [0, 10, 20, 30].map((minutes) => isTaken(NOON + minutes * 60_000));
  expect(taken).toEqual([true, true, true, false]);
  expect(isTaken(NOON, "bkg_2")).toBeTrue();
  const early = store.takeCopy("bkg_1", NOON + HOUR_MS - 1);
  expect(early).toEqual({ ok: false, retryInMs: 1 });
  expect([isTaken(NOON + HOUR_MS), isTaken(NOON + HOUR_MS + 1)]).toEqual([true, false]);
});

test("an unsent copy does not count, and the count survives a restart", () => {
  const [first] = [0, 1, 2].map((ms) => store.takeCopy("bkg_1", NOON + ms));
  if (first?.ok) store.giveBackCopy(first.id);
  store.close();
  store = new MailStore(path());
  expect([isTaken(NOON + 3), isTaken(NOON + 4)]).toEqual([true, false]);
});

test("copies older than an hour, or dated in the future, are not kept", () => {
  for (let n = 0; n < 9; n += 1) isTaken(NOON + n * HOUR_MS, `bkg_${n}`);
  isTaken(NOON, "bkg_back");
  const db = new Database(path());
  expect(db.query("SELECT booking_id FROM copy").all()).toEqual([{ booking_id: "bkg_back" }]);
  db.close();
});

const HEAD = { row: 1, chain: "0".repeat(64) };
type Found = Parameters<MailStore["add"]>[0][number];

function found(kind: Found["kind"], message_id: string, booking_id = "bkg_1"): Found {
  return { booking_id, kind, tenant_id: "t", mode: "live", created_at: NOON, message_id };
}

const due = () => store.due("live", NOON, 10).map(({ message_id }) => message_id);

test("the last change of a booking takes the place of earlier ones, sent or not", () => {
  store.begin(HEAD);
  store.add([found("confirmation", "c")], HEAD);
  store.sent({ ...found("confirmation", "c"), tries: 0 }, NOON);
  store.add([found("modification", "m.2"), found("modification", "m.3")], HEAD);
  expect(due()).toEqual(["m.3"]);
  const [last] = store.due("live", NOON, 10);
  store.add([found("modification", "m.4")], HEAD);
  // What was sent meanwhile is the earlier one.
  store.sent(last!, NOON);
  expect(due()).toEqual(["m.4"]);
  store.sent({ ...found("modification", "m.4"), tries: 0 }, NOON);
  store.add([found("modification", "m.4")], HEAD);
  expect(due()).toEqual([]);
});

test("a change waits for the confirmation, and goes with a cancellation", () => {
  store.begin(HEAD);
  store.add([found("confirmation", "c"), found("modification", "m.2")], HEAD);
  expect(due()).toEqual(["c"]);
  store.sent({ ...found("confirmation", "c"), tries: 0 }, NOON);
  expect(due()).toEqual(["m.2"]);
  store.add([found("cancellation", "x")], HEAD);
  expect(due()).toEqual(["x"]);
});

test("a file of 0.3.0 keeps its mails and takes those about changes", () => {
  store.begin(HEAD);
  store.add([found("cancellation", "x", "bkg_old")], HEAD);
  store.close();
  const db = new Database(path());
  const { sql } = db
    .query<{ sql: string }, []>("SELECT sql FROM sqlite_schema WHERE name = 'mail'")
    .get()!;
  db.run("ALTER TABLE mail RENAME TO mail_now");
  db.run(
    sql.replace("'confirmation', 'modification', 'cancellation'", "'confirmation', 'cancellation'"),
  );
  db.run("INSERT INTO mail SELECT * FROM mail_now");
  db.run("DROP TABLE mail_now");
  db.run("CREATE INDEX mail_pending ON mail (mode, next_try_at) WHERE state = 'pending'");
  db.run("CREATE INDEX mail_unsent ON mail (state, created_at) WHERE state <> 'sent'");
  db.run("PRAGMA user_version = 1");
  db.close();
  store = new MailStore(path());
  store.add([found("modification", "m.2")], HEAD);
  expect(due().sort()).toEqual(["m.2", "x"]);
});
