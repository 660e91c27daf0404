/** Goal: durable files are private, also those of older versions; foreign files are unchanged. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeInstallation } from "../../lib/installation.ts";
import { logger } from "../../lib/log.ts";
import { makePrivate, refuseUnlessWhole } from "./data-dir.ts";

let place: string;
let dataDir: string;
let logged: string[];
const log = logger("test", { logLevel: "info" }, (line) => void logged.push(line));

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "innkeep-private-"));
  dataDir = join(place, "data");
  logged = [];
});
afterEach(() => rmSync(place, { recursive: true }));

function make(path: string, mode: number): string {
  const whole = join(dataDir, path);
  mkdirSync(join(whole, ".."), { recursive: true });
  writeFileSync(whole, "x");
  chmodSync(whole, mode);
  return whole;
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

test("an existing directory and its content become private, and that is logged", () => {
  const paths = ["control.db", "control.db-wal", "engine/0.db", "redis/appendonlydir/a.aof"];
  const files = paths.map((path) => make(path, 0o644));
  const script = make("engine/mine.sh", 0o755);
  const secrets = make("secrets.json", 0o640);
  chmodSync(dataDir, 0o755);
  makePrivate(dataDir, log);
  expect(modeOf(dataDir)).toBe(0o700);
  expect(modeOf(join(dataDir, "engine"))).toBe(0o700);
  expect(files.map(modeOf)).toEqual(files.map(() => 0o600));
  expect(modeOf(script)).toBe(0o700);
  // Its reader refuses it: keys that others could read are to be known as such.
  expect(modeOf(secrets)).toBe(0o640);
  expect(logged).toHaveLength(1);
  for (const path of [dataDir, ...files]) expect(logged[0]).toContain(`"${path}"`);
  makePrivate(dataDir, log);
  expect(logged).toHaveLength(1);
});

test("the target of a link keeps its permissions", () => {
  make("secrets.json", 0o600);
  const outside = join(place, "outside");
  writeFileSync(outside, "x", { mode: 0o644 });
  symlinkSync(outside, join(dataDir, "link"));
  makePrivate(dataDir, log);
  expect(modeOf(outside)).toBe(0o644);
});

test("foreign files in a directory keep their permissions, also at later starts", () => {
  const letters = ["letters/a.txt", "package.json", "redistribute"].map((path) =>
    make(path, 0o664),
  );
  make("lock.db", 0o644);
  chmodSync(dataDir, 0o700);
  makePrivate(dataDir, log);
  expect(letters.map(modeOf)).toEqual([0o664, 0o664, 0o664]);
  expect(modeOf(join(dataDir, "lock.db"))).toBe(0o600);
});

test.if(process.getuid?.() === 0)("what this user may not read and write is named", () => {
  const nobody = 65_534;
  const journal = make("engine/0.db", 0o600);
  chmodSync(dataDir, 0o700);
  chmodSync(join(dataDir, "engine"), 0o700);
  const file = new URL("./data-dir.ts", import.meta.url).pathname;
  const script = `import { makePrivate } from "${file}"; process.setuid(${nobody});
    try { makePrivate(process.argv[1], { warn() {} }) } catch (error) { console.log(error.message) }`;
  const told = () => Bun.spawnSync([process.execPath, "-e", script, dataDir]).stdout.toString();
  chmodSync(place, 0o755);
  expect(told()).toBe(`this user cannot read and write ${dataDir}: make it the owner\n`);
  chownSync(dataDir, nobody, nobody);
  expect(told()).toBe(
    `this user cannot read and write ${join(dataDir, "engine")}: make it the owner\n`,
  );
  chownSync(join(dataDir, "engine"), nobody, nobody);
  expect(told()).toBe(`this user cannot read and write ${journal}: make it the owner\n`);
  chownSync(journal, nobody, nobody);
  expect(told()).toBe("");
});

test("a journal missing from an installation is not created again", () => {
  mkdirSync(dataDir);
  refuseUnlessWhole(dataDir);
  writeInstallation(dataDir);
  expect(() => refuseUnlessWhole(dataDir)).toThrow("journal_gone: ");
  make("engine/0.db", 0o600);
  refuseUnlessWhole(dataDir);
});

test("a control store missing beside a journal of clients is not created again", () => {
  mkdirSync(join(dataDir, "engine"), { recursive: true });
  using journal = new Database(join(dataDir, "engine", "0.db"));
  journal.run("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT");
  journal.run("CREATE TABLE journal(row INTEGER PRIMARY KEY, key, payload, crc, chain)");
  journal.run("INSERT INTO journal(key) VALUES (NULL)");
  // A first start that was cut off before anybody could call.
  refuseUnlessWhole(dataDir);
  journal.run("INSERT INTO journal(key) VALUES (x'01')");
  expect(() => refuseUnlessWhole(dataDir)).toThrow("control.db is gone");
  make("control.db", 0o600);
  refuseUnlessWhole(dataDir);
});

test("a directory that others can read and that holds foreign files is refused and unchanged", () => {
  make("photos", 0o644);
  chmodSync(dataDir, 0o755);
  expect(() => makePrivate(dataDir, log)).toThrow(
    `${dataDir} is open to others and contains other`,
  );
  expect(modeOf(dataDir)).toBe(0o755);
  expect(modeOf(join(dataDir, "photos"))).toBe(0o644);
});

test.if(process.getuid?.() === 0)("a directory of another user is refused by name", () => {
  make("lock.db", 0o600);
  chmodSync(dataDir, 0o755);
  chownSync(dataDir, 1_000, 1_000);
  expect(() => makePrivate(dataDir, log)).toThrow(
    `${dataDir} is open to others and belongs to another user`,
  );
});

test("a missing directory is accepted, and a new one becomes private", () => {
  makePrivate(dataDir, log);
  mkdirSync(dataDir, { mode: 0o755 });
  makePrivate(dataDir, log);
  expect(modeOf(dataDir)).toBe(0o700);
});
