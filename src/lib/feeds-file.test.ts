/** A file of feeds that cannot be gone on with refuses the start, and says what to do. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFeedsFile, startingOnFeeds } from "../ops/roles/feeds-file.ts";
import { StartRefused } from "./lifecycle.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-feeds-file-"));
  path = join(directory, "feeds.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

test("another format is refused by name", () => {
  const db = openFeedsFile(path, "normal");
  db.run("PRAGMA user_version = 99");
  db.close();
  const open = () => openFeedsFile(path, "full");
  expect(open).toThrow(StartRefused);
  expect(open).toThrow(
    "has format 99, this version reads format 1: start the version that wrote it",
  );
});

test("damage is refused by name, wherever it is met, and the file may be removed", async () => {
  writeFileSync(path, Buffer.alloc(8_192, 0x61));
  const open = () => openFeedsFile(path, "normal");
  expect(open).toThrow(StartRefused);
  const said = `${path} (not in back-ups: remove ${path}* to recreate it) is damaged`;
  expect(open).toThrow(said);
  const damage = Object.assign(new Error("malformed"), { code: "SQLITE_CORRUPT" });
  await expect(startingOnFeeds(path, () => Promise.reject(damage))).rejects.toThrow(said);
  rmSync(path);
  openFeedsFile(path, "normal").close();
});
