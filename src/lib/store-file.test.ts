/**
 * Goal: a store file that this version cannot use refuses the start with its name and remedy;
 * other errors are unchanged. Method: real files.
 */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFeeds } from "../../jobs/feed-runs/schema.ts";
import { KpiStore } from "../../jobs/kpis/store.ts";
import { TrafficFile } from "../../jobs/kpis/traffic-file.ts";
import { MailStore } from "../../jobs/mail/mail-store.ts";
import { openDeliveries } from "../../jobs/webhooks/store/schema.ts";
import { StartRefused } from "./lifecycle.ts";
import { startingOn } from "./store-file.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-store-file-"));
  path = join(directory, "some.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

const backedUp = () => path;
const recreated = () => `${path} (not in back-ups: remove ${path}* to recreate it)`;

describe.each([
  ["mails", () => new MailStore(path), backedUp],
  ["deliveries, by the worker", () => openDeliveries(path, "normal"), backedUp],
  ["deliveries, by an api process", () => openDeliveries(path, "full"), backedUp],
  ["traffic", () => new TrafficFile(path), backedUp],
  ["feeds", () => openFeeds(path, "full"), recreated],
  ["key figures", () => new KpiStore(path), recreated],
])("%s", (_name, open, named) => {
  test("a missing file is created, and can be opened again", () => {
    open().close();
    open().close();
  });

  test("another format is refused by name", () => {
    open().close();
    const db = new Database(path);
    const { user_version } = db.query<{ user_version: number }, []>("PRAGMA user_version").get()!;
    db.run("PRAGMA user_version = 99");
    db.close();
    expect(open).toThrow(StartRefused);
    const read = `this version reads format ${user_version}`;
    expect(open).toThrow(`${path} has format 99, ${read}: start the version that wrote it`);
  });

  test("damage is refused by name, with the advice to remove the file where that is safe", () => {
    writeFileSync(path, Buffer.alloc(8_192, 0x61));
    expect(open).toThrow(StartRefused);
    expect(open).toThrow(`${named()} is damaged`);
    rmSync(path);
    open().close();
  });

  test("a damaged schema is refused by name", () => {
    open().close();
    const db = new Database(path);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    rmSync(`${path}-wal`, { force: true });
    writeFileSync(path, readFileSync(path).fill(0x55, 100, 4_096));
    expect(open).toThrow(`${named()} is damaged`);
  });
});

test("damage that is found later in the start is refused by name too", async () => {
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

test("an error that is not damage is rethrown unchanged", async () => {
  const fault = new TypeError("not ours");
  const start = () => Promise.reject(fault);
  expect(await startingOn(path, start).catch((thrown: unknown) => thrown)).toBe(fault);
});
