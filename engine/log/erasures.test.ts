/** The list of erased guests, and keys that leave the database and its WAL. */
import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Scratch } from "../../test/power/world.ts";
import { appendErasures, eraseKeys, readErasures } from "./erasures.ts";
import { Journal } from "./journal.ts";
import { recordStoreOf } from "./record-store.ts";

const KEY = "wrapped-key-of-a-guest-that-nobody-may-read-again";

test("each erased booking is read once, and a torn last line is ignored", () => {
  using scratch = new Scratch();
  const path = join(scratch.folder, "erasures.log");
  expect(readErasures(path)).toEqual([]);
  appendErasures(path, ["bkg_1", "bkg_2"]);
  appendErasures(path, ["bkg_1"]);
  appendFileSync(path, "bkg_3");
  expect(readErasures(path)).toEqual(["bkg_1", "bkg_2"]);
});

test("an erased key is in no file: neither in the database nor in its write-ahead log", () => {
  using scratch = new Scratch();
  const path = join(scratch.folder, "erasures.log");
  const journal = new Journal(scratch.path, { lanes: 4, erasures: path });
  journal.takeEpoch();
  const records = recordStoreOf(journal);
  const guest = { email: "e", name: "n" };
  const commit = () => {
    journal.append([], records.changes());
    records.clear();
    journal.maybeCheckpoint(performance.now());
  };
  records.putSubjectKey({ booking_id: "bkg_1", wrapped_key: KEY, guest });
  commit();
  const bytes = () => [scratch.path, `${scratch.path}-wal`].map((file) => readFileSync(file));
  expect(bytes().some((each) => each.includes(KEY))).toBe(true);
  records.eraseSubjectKey("bkg_1");
  commit();
  expect(readErasures(path)).toEqual(["bkg_1"]);
  expect(bytes().some((each) => each.includes(KEY))).toBe(false);
  expect(statSync(`${scratch.path}-wal`).size).toBe(0);
  expect(eraseKeys(journal.db, ["bkg_1"])).toBe(0);
  journal.close();
});
