/**
 * Goal: files beside the journal are on every machine as they are on the home of api and worker,
 * whatever happens to either. Method: two directories with a store of their own over a real
 * PostgreSQL; the file is written as its owner does, and the pieces of the home and of the others
 * run one after the other.
 */
import type { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "../../engine/postgres/session.ts";
import { SharedStores } from "../../engine/postgres/shared-stores.ts";
import { CopiedStores, PassedOnStores } from "../../engine/postgres/store-files.ts";
import { ensureTables } from "../../engine/postgres/tables.ts";
import { joinInstallation, setHome } from "../../src/lib/installation.ts";
import { untilPassedOn } from "../../src/lib/passing-on.ts";
import { openStoreFile, type StoreFile } from "../../src/lib/store-file.ts";
import { POSTGRES_MISSING, PostgresServer } from "../support/postgres.ts";

const onPostgres = test.skipIf(POSTGRES_MISSING !== null);
const FILE: StoreFile = {
  tables: `CREATE TABLE part(id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT;
    CREATE TABLE gone(id INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE count(one INTEGER PRIMARY KEY, n INTEGER) STRICT;
    INSERT INTO count VALUES (1, 0);
    CREATE TRIGGER counting AFTER INSERT ON part BEGIN UPDATE count SET n = n + 1; END;`,
  ...{ format: 1, synchronous: "normal", busyTimeoutMs: 1_000 },
};
const UPGRADED: StoreFile = {
  ...FILE,
  format: 2,
  upgrades: [
    "ALTER TABLE part ADD COLUMN size INTEGER; DELETE FROM part WHERE id = 1; DROP TABLE gone;",
  ],
};

let server: PostgresServer;
let place: string;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  if (POSTGRES_MISSING === null) server = await PostgresServer.start();
});
afterAll(() => server?.stop());
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  if (POSTGRES_MISSING === null)
    await server.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION innkeep");
});

/** A directory that has joined the installation, with its own connection. */
async function machine(name: string) {
  const dataDir = join(place, name);
  mkdirSync(join(dataDir, "engine"), { recursive: true });
  joinInstallation(dataDir, "0".repeat(32));
  const session = await Session.open(server.url, name);
  ends.push(() => session.close());
  await ensureTables(session);
  const shared = new SharedStores(session);
  return {
    dataDir,
    shared,
    copies: new CopiedStores(dataDir, shared),
    path: join(dataDir, "control.db"),
  };
}
type Machine = Awaited<ReturnType<typeof machine>>;

async function twoMachines() {
  place = mkdtempSync(join(tmpdir(), "innkeep-stores-"));
  ends.push(() => rmSync(place, { recursive: true, force: true }));
  return [await machine("a"), await machine("b")] as const;
}

/** Becomes the home, as `src/ops/roles/home.ts` does. */
async function home({ dataDir, shared, copies }: Machine, name: string) {
  const epoch = await shared.take(name, await shared.leadership());
  await copies.take();
  setHome(dataDir, true);
  const stores = new PassedOnStores(dataDir, shared, epoch!);
  ends.push(() => stores.close());
  return stores;
}

function opened({ path }: Machine, file = FILE): Database {
  const db = openStoreFile(path, file);
  ends.push(() => db.close());
  return db;
}

const contentOf = (db: Database) => [
  db.query("SELECT * FROM part ORDER BY id").all(),
  db.query("SELECT * FROM count").all(),
];

onPostgres("the next home has what the former one passed on, with its triggers", async () => {
  const [a, b] = await twoMachines();
  const stores = await home(a, "a");
  const file = opened(a);
  file.run("INSERT INTO part VALUES (1, 'x'), (2, 'y')");
  await stores.passOn();
  await b.copies.catchUp();
  file.run("UPDATE part SET name = 'z' WHERE id = 1");
  file.run("INSERT INTO part VALUES (3, 'x')");
  await stores.passOn();
  await b.copies.catchUp();
  file.run("DELETE FROM part WHERE id = 2");
  await stores.passOn();
  file.run("INSERT INTO part VALUES (9, 'never passed on')");
  await home(b, "b");
  expect(await stores.passOn()).toBe(false);
  const there = opened(b);
  expect(contentOf(there)).toEqual([
    [
      { id: 1, name: "z" },
      { id: 3, name: "x" },
    ],
    [{ one: 1, n: 3 }],
  ]);
  there.run("INSERT INTO part VALUES (4, 'w')");
  expect(contentOf(there)[1]).toEqual([{ one: 1, n: 4 }]);
});

onPostgres("a former home gives up what it did not pass on", async () => {
  const [a, b] = await twoMachines();
  const stores = await home(a, "a");
  const file = opened(a);
  file.run("INSERT INTO part VALUES (1, 'x')");
  await stores.passOn();
  file.run("INSERT INTO part VALUES (2, 'never passed on')");
  file.close();
  const there = await home(b, "b");
  const other = opened(b);
  other.run("INSERT INTO part VALUES (2, 'y')");
  await there.passOn();
  setHome(a.dataDir, false);
  expect(() => openStoreFile(a.path, FILE)).toThrow("is not the home");
  await a.copies.catchUp();
  await home(a, "a");
  expect(contentOf(opened(a))).toEqual(contentOf(other));
});

onPostgres("every answer waits for every note, whichever request has made it", async () => {
  const [a] = await twoMachines();
  const stores = await home(a, "a");
  const file = opened(a);
  await stores.passOn();
  expect(untilPassedOn(1_000, false)).toBeUndefined();
  file.run("INSERT INTO part VALUES (1, 'x')");
  const first = untilPassedOn(5_000, false);
  const second = untilPassedOn(5_000, false);
  expect(await untilPassedOn(20, false)).toBe(false);
  await stores.passOn();
  expect([await first, await second]).toEqual([true, true]);
  expect(untilPassedOn(1_000, false)).toBeUndefined();
});

onPostgres(
  "a file of a new format is on the others as it is, without what it dropped",
  async () => {
    const [a, b] = await twoMachines();
    const stores = await home(a, "a");
    const file = opened(a);
    file.run("INSERT INTO part VALUES (1, 'x'), (2, 'y')");
    file.run("INSERT INTO gone VALUES (1)");
    await stores.passOn();
    await b.copies.catchUp();
    file.close();
    const newer = opened(a, UPGRADED);
    newer.run("UPDATE part SET size = 5 WHERE id = 2");
    await stores.passOn();
    await b.copies.catchUp();
    await home(b, "b");
    const there = opened(b, UPGRADED);
    expect(contentOf(there)).toEqual(contentOf(newer));
    expect(contentOf(there)[0]).toEqual([{ id: 2, name: "y", size: 5 }]);
  },
);

onPostgres("a file that is older than what it passed on is made anew", async () => {
  const [a, b] = await twoMachines();
  const stores = await home(a, "a");
  const file = opened(a);
  file.run("INSERT INTO part VALUES (1, 'x')");
  await stores.passOn();
  file.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const earlier = join(place, "earlier.db");
  copyFileSync(a.path, earlier);
  for (let id = 2; id < 6; id += 1) file.run("INSERT INTO part(id) VALUES (?)", [id]);
  await stores.passOn();
  const [expected] = contentOf(file);
  stores.close();
  file.close();
  for (const name of readdirSync(a.dataDir))
    if (name.startsWith("control.db")) rmSync(join(a.dataDir, name));
  copyFileSync(earlier, a.path);
  const again = await home(a, "a");
  const restored = opened(a);
  expect(contentOf(restored)[0]).toEqual(expected!);
  restored.run("INSERT INTO part(id) VALUES (6)");
  expect(await again.passOn()).toBe(true);
  await b.copies.catchUp();
  await home(b, "b");
  expect(contentOf(opened(b))).toEqual(contentOf(restored));
});

onPostgres("a damaged copy is made anew, and a file of one machine alone stays", async () => {
  const [a, b] = await twoMachines();
  const stores = await home(a, "a");
  opened(a).run("INSERT INTO part VALUES (1, 'x')");
  await stores.passOn();
  writeFileSync(b.path, "no database".repeat(1_000));
  await b.copies.catchUp();
  b.copies.close();
  const c = await machine("c");
  rmSync(join(c.dataDir, "installation.json"));
  openStoreFile(c.path, FILE).close();
  await expect(c.copies.catchUp()).rejects.toThrow("journal_of_other_store");
});
