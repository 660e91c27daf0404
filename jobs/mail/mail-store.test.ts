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
