/** Refusals of a start before anything runs; other tests cover the running system. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT_CONFIG } from "./lib/lifecycle.ts";
import { takeLock } from "./lib/lock.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "innkeep-main-"));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "main.ts"), ...args], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", ...env },
    stderr: "pipe",
  });
  return { message: await child.stderr.text(), exitCode: await child.exited };
}

test("an unknown role is refused with the usage", async () => {
  const { message, exitCode } = await run(["everything"], {});
  expect(message).toContain("usage: main.ts <all|engine|worker|api>");
  expect(exitCode).toBe(EXIT_CONFIG);
});

test("an option is refused with the advice to set environment variables", async () => {
  const { message, exitCode } = await run(["all", "--port", "8080"], {});
  expect(message).toContain("a start takes no arguments: set environment variables");
  expect(exitCode).toBe(EXIT_CONFIG);
});

test("invalid settings are reported before the data directory is touched", async () => {
  for (const role of ["all", "engine"]) {
    const { message, exitCode } = await run([role], { HOLD_TTL_S: "soon", LOG_LEVEL: "loud" });
    expect(message).toContain("HOLD_TTL_S");
    expect(message).toContain("LOG_LEVEL");
    expect(exitCode).toBe(EXIT_CONFIG);
  }
  expect(readdirSync(dataDir)).toEqual([]);
});

test("invalid addresses and unknown setting names are reported", async () => {
  const { message, exitCode } = await run(["all"], { HOST: "nowhere.invalid", HOLD_TTL: "60" });
  expect(message).toContain("HOLD_TTL is not a setting and is ignored: did you mean HOLD_TTL_S?");
  expect(message).toContain("cannot listen on port 0 of nowhere.invalid (no such address)");
  expect(exitCode).toBe(EXIT_CONFIG);
});

test("a second start in the same directory names the process of the first", async () => {
  const lock = takeLock(dataDir);
  const { message, exitCode } = await run(["all"], {});
  lock.release();
  expect(message).toContain(`${dataDir} is in use by process ${process.pid}`);
  expect(exitCode).toBe(EXIT_CONFIG);
});

test("a metrics port in use is refused by name", async () => {
  const stranger = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("mine") });
  const port = String(stranger.port);
  const { message, exitCode } = await run(["all"], { METRICS_PORT: port });
  await stranger.stop();
  expect(message).toContain(`port ${port} of 127.0.0.1 is in use`);
  expect(message).toContain("set METRICS_PORT to another");
  expect(exitCode).toBe(EXIT_CONFIG);
});

test("a port in use is refused, although api processes share theirs", async () => {
  const stranger = Bun.serve({ port: 0, reusePort: true, fetch: () => new Response("mine") });
  const port = String(stranger.port);
  const { message, exitCode } = await run(["all"], { PORT: port });
  await stranger.stop();
  expect(message).toContain(`port ${port}`);
  expect(exitCode).toBe(EXIT_CONFIG);
});
