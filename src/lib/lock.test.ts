import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartRefused } from "./lifecycle.ts";
import { takeLock } from "./lock.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "innkeep-lock-"));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

test("a second lock is refused and names the process that holds the first", () => {
  const lock = takeLock(dataDir);
  expect(() => takeLock(dataDir)).toThrow(StartRefused);
  expect(() => takeLock(dataDir)).toThrow(`${dataDir} is in use by process ${process.pid}`);
  lock.release();
  takeLock(dataDir).release();
});

test("an unusable directory is refused by its name", () => {
  const file = join(dataDir, "file");
  writeFileSync(file, "");
  expect(() => takeLock(file)).toThrow(StartRefused);
  expect(() => takeLock(file)).toThrow(`${file} is not a directory: set DATA_DIR to a directory`);
  writeFileSync(join(dataDir, "lock.db"), "no database".repeat(1_000));
  expect(() => takeLock(dataDir)).toThrow(`${dataDir}/lock.db is damaged: remove it`);
});

test("the lock of a killed process is released at once", async () => {
  const script = `
    import { takeLock } from "${import.meta.dir}/lock.ts";
    globalThis.lock = takeLock(process.argv[1]);
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const holder = Bun.spawn([process.execPath, "-e", script, dataDir]);
  await holder.stdout.getReader().read();
  expect(() => takeLock(dataDir)).toThrow(`process ${holder.pid}`);
  holder.kill("SIGKILL");
  await holder.exited;
  takeLock(dataDir).release();
});
