/**
 * Goal: a file that this version cannot go on with refuses the start by its name, and anything else
 * is left for whoever finds the fault. Method: real files.
 */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MailStore } from "../../jobs/mail/mail-store.ts";
import { openingFile, startingOn } from "./damaged-file.ts";
import { StartRefused } from "./lifecycle.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-damaged-file-"));
  path = join(directory, "mail.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

const opened = () => openingFile(path, () => new MailStore(path));

test("mails of another version are refused by name", () => {
  opened().close();
  const db = new Database(path);
  db.run("PRAGMA user_version = 99");
  db.close();
  expect(opened).toThrow(StartRefused);
  expect(opened).toThrow(`${path} has format 99, this version reads format 1`);
});

test("damage that a start comes by later is refused by name too", async () => {
  const db = new Database(path);
  db.run("CREATE TABLE t (a TEXT)");
  for (let i = 0; i < 20; i += 1) db.run("INSERT INTO t VALUES (hex(randomblob(2000)))");
  db.close();
  writeFileSync(path, readFileSync(path).fill(0x55, 4_096));
  const start = async () => {
    using damaged = new Database(path);
    damaged.query("SELECT count(a) FROM t").get();
  };
  const error = await startingOn(path, start).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartRefused);
  expect(String(error)).toContain(`${path} is damaged`);
});

test("what is no fault of the file stays as it is", async () => {
  const fault = new TypeError("not ours");
  const start = () => Promise.reject(fault);
  expect(await startingOn(path, start).catch((thrown: unknown) => thrown)).toBe(fault);
});
