/** Goal: what lasts is private, also what was made before; what is not ours is left alone. */
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
import { logger } from "../base/log.ts";
import { makePrivate } from "./data-dir.ts";

let place: string;
let dataDir: string;
let logged: string[];
const log = logger("test", "info", (line) => void logged.push(line));

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

test("an existing directory and all in it lose the rights of others, and that is logged", () => {
  const paths = ["control.db", "control.db-wal", "engine/0.db", "redis/appendonlydir/a.aof"];
  const files = paths.map((path) => make(path, 0o644));
  const script = make("mine.sh", 0o755);
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

test("what a link leads to keeps its rights", () => {
  make("secrets.json", 0o600);
  const outside = join(place, "outside");
  writeFileSync(outside, "x", { mode: 0o644 });
  symlinkSync(outside, join(dataDir, "link"));
  makePrivate(dataDir, log);
  expect(modeOf(outside)).toBe(0o644);
});

test("a directory that is open to others and holds other things is refused and untouched", () => {
  make("photos", 0o644);
  chmodSync(dataDir, 0o755);
  expect(() => makePrivate(dataDir, log)).toThrow(`${dataDir} is open to others and holds other`);
  expect(modeOf(dataDir)).toBe(0o755);
  expect(modeOf(join(dataDir, "photos"))).toBe(0o644);
});

test.if(process.getuid?.() === 0)("a directory of another user is refused by name", () => {
  make("lock.db", 0o600);
  chmodSync(dataDir, 0o755);
  chownSync(dataDir, 1_000, 1_000);
  expect(() => makePrivate(dataDir, log)).toThrow(`${dataDir} is open to others and not this user`);
});

test("a missing directory and a new one are nobody's concern", () => {
  makePrivate(dataDir, log);
  mkdirSync(dataDir, { mode: 0o755 });
  makePrivate(dataDir, log);
  expect(modeOf(dataDir)).toBe(0o700);
});
