import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logger } from "../../lib/log.ts";
import { endFormerChildren } from "./children.ts";

let dataDir: string;
let spawned: Bun.Subprocess[];
const log = logger("test", { logLevel: "error" });

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "innkeep-children-"));
  mkdirSync(join(dataDir, "pids"));
  spawned = [];
});

afterEach(async () => {
  for (const child of spawned) child.kill("SIGKILL");
  await Promise.all(spawned.map((child) => child.exited));
  rmSync(dataDir, { recursive: true });
});

/** A shell with the command line of a child process, its pid noted as that of `id`. */
async function noted(id: string, ...args: string[]): Promise<Bun.Subprocess> {
  const child = Bun.spawn(["sh", "-c", "echo; while :; do sleep 0.01; done", ...args]);
  spawned.push(child);
  // Its command line cannot be read while it is being loaded.
  await child.stdout.getReader().read();
  writeFileSync(join(dataDir, "pids", id), `${child.pid}\n`);
  return child;
}

test("the children that a killed supervisor left behind are killed", async () => {
  const children = [
    await noted("engine", "main.ts", "engine", dataDir),
    await noted("api-12", "main.ts", "api", dataDir),
  ];
  await endFormerChildren(dataDir, log);
  for (const child of children) expect(await child.exited).toBe(128 + 9);
  expect(readdirSync(join(dataDir, "pids"))).toEqual([]);
});

test("a process that reuses the pid of a former child is not killed", async () => {
  const strangers = [
    await noted("worker", "main.ts", "worker", `${dataDir}-of-another`),
    await noted("engine", "main.ts", "api", dataDir),
    await noted("api-1", "something", "else"),
  ];
  await endFormerChildren(dataDir, log);
  for (const stranger of strangers) expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  expect(readdirSync(join(dataDir, "pids"))).toEqual([]);
});

test("a pid file whose process is gone is removed", async () => {
  const gone = await noted("engine", "main.ts", "engine", dataDir);
  gone.kill("SIGKILL");
  await gone.exited;
  await endFormerChildren(dataDir, log);
  expect(readdirSync(join(dataDir, "pids"))).toEqual([]);
});
