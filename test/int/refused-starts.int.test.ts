/**
 * Goal: a start that cannot succeed says why in its first line and what to do, once, without a
 * stack, and ends with the exit code of the table. Method: the real command on what an operator
 * may have left behind; every sentence is the one of the table that the guide shows.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "../../src/ops/admin/finding.ts";
import type { Answer } from "../support/answer.ts";
import { type RefusedName, sentence } from "../support/refused-sentence.ts";
import { PASSWORDS, PRIMARY_NAME, SentinelRig } from "../support/sentinels.ts";
import { freePort, Service } from "../support/service.ts";
import { canMount, onFileSystem } from "../support/small-disk.ts";

const MAIN = join(import.meta.dir, "..", "..", "src", "main.ts");
const PROGRAMS = join(import.meta.dir, "..", "..", "src", "ops", "main.ts");

type Environment = Readonly<Record<string, string>>;

let place: string;
/** The doctor's findings for a running service. */
let whileItRuns: Awaited<ReturnType<typeof doctor>>;
/** What somebody was told there who wanted to try a demo. */
let visiting: Answer;
/** A directory as a stopped service leaves it. */
let installed: string;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "innkeep-refused-"));
  installed = join(place, "installed");
  const service = await Service.start({ DEMO: "0", LANES: "1" });
  whileItRuns = await doctor({ ...service.place, LANES: "1" });
  visiting = await service.api("POST", "/demo/visitors", { agent: null });
  await service.end("SIGTERM");
  cpSync(service.dataDir, installed, { recursive: true });
  await service.stop();
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** What a start says and ends with; it may be told through another program. */
async function start(dataDir: string, env: Environment = {}, through: readonly string[] = []) {
  const given = { DATA_DIR: dataDir, PORT: "0", HOST: "127.0.0.1", REDIS_URL: "", DEMO: "1" };
  const child = Bun.spawn([...through, process.execPath, MAIN, "all"], {
    env: { ...process.env, METRICS_PORT: "0", API_PROCESSES: "2", ...given, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  const text = await child.stderr.text();
  return { text, exitCode: await child.exited };
}

/** What the doctor finds, by check. */
async function doctor(env: Environment) {
  const child = Bun.spawn([process.execPath, PROGRAMS, "admin", "doctor", "--json"], {
    env: { ...process.env, REDIS_URL: "", HOST: "127.0.0.1", ...env },
    stderr: "pipe",
  });
  const { ok, checks } = JSON.parse(await child.stdout.text());
  const found = new Map<string, Finding>(checks.map((each: Finding) => [each.check, each]));
  return { ok, found, exitCode: await child.exited };
}

async function expectRefused(
  name: RefusedName,
  dataDir: string,
  env: Environment = {},
  through: readonly string[] = [],
) {
  const { text, exitCode } = await start(dataDir, { LOG_FORMAT: "text", ...env }, through);
  const [first = "", ...others] = text.trimEnd().split("\n");
  expect(first).toMatch(sentence(name));
  expect({ name, exitCode }).toEqual({ name, exitCode: 78 });
  expect(others).toEqual([]);
  return first;
}

/** A copy of the installation with something done to it. */
function copyWith(name: string, spoil: (dataDir: string) => void): string {
  const dataDir = join(place, name);
  cpSync(installed, dataDir, { recursive: true });
  spoil(dataDir);
  return dataDir;
}

const scribble = (file: string) => (dataDir: string) =>
  writeFileSync(join(dataDir, file), "this is no such file ".repeat(500));
const onDatabase = (file: string, sql: string) => (dataDir: string) => {
  using db = new Database(join(dataDir, file));
  db.run(sql);
};

test("DATA_DIR is a file, or is below one", async () => {
  const file = join(place, "letter.txt");
  writeFileSync(file, "x");
  const told = await expectRefused("data_dir_is_file", file);
  expect(told).toBe(`innkeep: ${file} is not a directory: set DATA_DIR to a directory`);
  await expectRefused("data_dir_is_file", join(file, "data"));
  const pages = { CORS_ORIGINS: "http://localhost:6274,http://app.example" };
  const given = { DATA_DIR: join(file, "data"), PORT: "0", HOLD_TTL: "60", ...pages };
  const { found } = await doctor(given);
  expect(found.get("DATA_DIR")).toMatchObject({
    status: "fail",
    found: `${file} is not a directory`,
  });
  expect(found.get("fsync")).toBeUndefined();
  const remedy = "did you mean HOLD_TTL_S?";
  expect(found.get("settings")).toMatchObject({ status: "warn", remedy });
  expect(found.get("CORS_ORIGINS")).toEqual({
    check: "CORS_ORIGINS",
    status: "warn",
    found: "http://localhost:6274, http://app.example",
    remedy: "serve http://app.example over https, or remove it from CORS_ORIGINS",
  });
});

test("a refused part is reported once as text and once as JSON, without a stack trace", async () => {
  const dataDir = copyWith("json", scribble("engine/0.db"));
  const { text, exitCode } = await start(dataDir, { LOG_LEVEL: "error", LOG_FORMAT: "json" });
  const [words, json, ...others] = text.trimEnd().split("\n");
  expect(words).toMatch(sentence("journal_unreadable"));
  const { msg, cause } = JSON.parse(json!);
  expect(msg).toStartWith("stopping everything: engine refused its start: journal_unreadable: ");
  expect({ cause, others, exitCode }).toEqual({ cause: undefined, others: [], exitCode: 78 });
});

test("DATA_DIR cannot be made", async () => {
  await expectRefused("data_dir_unwritable", "/proc/innkeep");
});

test.skipIf(!canMount)("the disk of DATA_DIR is full, or may not be written to", async () => {
  const dataDir = mkdtempSync(join(place, "disk-"));
  const full = await expectRefused("disk_full", dataDir, {}, onFileSystem("size=8m,mode=700"));
  expect(full).toMatch(/ has [0-9] MiB free, a start needs 32: free some space,/);
  await expectRefused("data_dir_unwritable", dataDir, {}, onFileSystem("ro,mode=700"));
});

test.each([
  ["file_damaged", "control.db", scribble("control.db")],
  ["file_of_other_format", "control.db", onDatabase("control.db", "PRAGMA user_version = 99")],
  ["file_damaged", "sandbox", scribble("sandbox-provider.db")],
  [
    "file_of_other_format",
    "sandbox-provider.db",
    onDatabase("sandbox-provider.db", "PRAGMA user_version = 99"),
  ],
  ["journal_unreadable", "0.db", scribble("engine/0.db")],
  [
    "journal_unreadable",
    "0.db",
    onDatabase("engine/0.db", "UPDATE meta SET value = '99' WHERE name = 'format'"),
  ],
  ["journal_unreadable", "0.db", onDatabase("engine/0.db", "DROP TABLE meta")],
  [
    "demo_damaged",
    "demo.json",
    (dir: string) => writeFileSync(join(dir, "demo.json"), '{"tenant_id": "5e'),
  ],
  [
    "secrets_unreadable",
    "secrets.json",
    (dir: string) => truncateSync(join(dir, "secrets.json"), 40),
  ],
  [
    "secrets_incomplete",
    "secrets.json",
    (dir: string) => writeFileSync(join(dir, "secrets.json"), '{"format": 9}'),
  ],
] as const)("%s: %s is named, with what to do", async (name, file, spoil) => {
  // That it is a copy is worth a warning.
  const env = { LOG_LEVEL: "error" };
  const told = await expectRefused(name, copyWith(crypto.randomUUID(), spoil), env);
  expect(told).toContain(file);
});

test("a start waits for a silent Redis with a line now and then, up to the configured time", async () => {
  const port = freePort();
  const env = { REDIS_URL: `redis://:secret@127.0.0.1:${port}`, START_TIMEOUT_S: "2" };
  const startedMs = performance.now();
  const { text, exitCode } = await start(join(place, "waits"), { ...env, LOG_FORMAT: "text" });
  expect(performance.now() - startedMs).toBeGreaterThan(2_000);
  const [waiting, refused] = text.split("\n");
  expect(waiting).toContain(`Redis at 127.0.0.1:${port} does not answer: waiting`);
  expect(refused).toMatch(sentence("redis_unreachable"));
  expect(exitCode).toBe(78);
  expect(text).not.toContain("secret");
});

test("a Redis that refuses the login and a server that is not Redis are reported at once", async () => {
  const path = join(place, "redis.sock");
  const args = ["--port", "0", "--unixsocket", path, "--requirepass", "s3cret", "--save", ""];
  const redis = Bun.spawn(["redis-server", ...args], { cwd: place, stdout: "ignore" });
  const answer = "HTTP/1.1 400 Bad Request\r\n\r\n";
  // It leaves the connection open: whether an answer is read from a closed one is chance.
  const socket = { data: (client: { write(text: string): unknown }) => void client.write(answer) };
  const stranger = Bun.listen({ hostname: "127.0.0.1", port: 0, socket });
  try {
    await expectRefused("redis_other", join(place, "other"), {
      REDIS_URL: `redis://:wrong@127.0.0.1:${stranger.port}`,
    });
    await expectRefused("redis_login", join(place, "login"), { REDIS_URL: `unix://${path}` });
  } finally {
    redis.kill();
    stranger.stop(true);
  }
});

test("sentinels that give no primary are reported at once, and the doctor asks them too", async () => {
  const rig = await SentinelRig.start();
  try {
    const refused = async (name: RefusedName, REDIS_URL: string) => {
      const told = await expectRefused(name, join(place, "sentinels"), { REDIS_URL });
      for (const password of Object.values(PASSWORDS)) expect(told).not.toContain(password);
      return told;
    };
    const [withoutQuery] = rig.url.split("?");
    expect(await refused("redis_sentinel", rig.url.replace(PRIMARY_NAME, "inn"))).toContain(
      "/inn do not give the primary (inn is unknown)",
    );
    expect(await refused("redis_sentinel", withoutQuery!)).toContain("sentinel_password: NOAUTH");
    expect(await refused("redis_login", rig.url.replace(/:[^:@]+@/, ":other@"))).toContain(
      `${PRIMARY_NAME} refuses the login (127.0.0.1:`,
    );
    const env = { DATA_DIR: installed, PORT: "0", METRICS_PORT: "0", LANES: "1" };
    const { found } = await doctor({ ...env, REDIS_URL: rig.url });
    expect(found.get("redis")).toMatchObject({ status: "ok" });
    const lost = await doctor({ ...env, REDIS_URL: "redis+sentinel://127.0.0.1:1/inn" });
    expect(lost.found.get("redis")!.found).toBe(
      "127.0.0.1:1/inn: no sentinel answers: ECONNREFUSED",
    );
  } finally {
    await rig.stop();
  }
});

test("a port in use is named with its variable", async () => {
  const stranger = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("mine") });
  const port = String(stranger.port);
  const told = await expectRefused("port_in_use", join(place, "port"), { PORT: port });
  expect(told).toContain(`port ${port} of 127.0.0.1 `);
  expect(told).toContain("set PORT ");
  await stranger.stop();
});

test("the doctor of a running service finds each part, its own ports and no fault", () => {
  const { ok, found, exitCode } = whileItRuns;
  const failed = [...found.values()].filter(({ status }) => status === "fail");
  expect({ ok, failed, exitCode }).toEqual({ ok: true, failed: [], exitCode: 0 });
  const ports = [...found].filter(([check]) => check.startsWith("port "));
  expect(ports.map(([, { found }]) => found)).toEqual(["ours", "ours"]);
  expect(found.get("redis")!.found).toEndWith(", private");
  expect(found.get("redis eviction")!.found).toBe("noeviction");
  expect(found.get("redis persistence")!.found).toBe("appendonly");
  expect(found.get("fsync")!.found).toMatch(/^p50 [\d.]+ ms, p99 [\d.]+ ms of 200$/);
  expect(found.get("journal")!.found).toEndWith(", 1 lanes");
});

test("without a service the doctor names what would refuse its start, and ends with 1", async () => {
  const stranger = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("ok") });
  const dataDir = copyWith("sick", (dir) => chmodSync(join(dir, "secrets.json"), 0o644));
  const port = String(stranger.port);
  const sick = { DATA_DIR: dataDir, PORT: port, METRICS_PORT: "0", LANES: "2" };
  const { ok, found, exitCode } = await doctor({ ...sick, REDIS_URL: "redis://127.0.0.1:1" });
  await stranger.stop();
  const failed = [...found.values()].filter(({ status }) => status === "fail");
  expect({ ok, exitCode }).toEqual({ ok: false, exitCode: 1 });
  expect(Object.fromEntries(failed.map(({ check, remedy }) => [check, remedy]))).toEqual({
    redis: expect.stringContaining("REDIS_URL"),
    [`port ${port} (PORT)`]: "stop that program, or set PORT",
    "secrets.json": `chmod 600 ${join(dataDir, "secrets.json")}`,
    journal: "set LANES to 1, the number of lanes of the journal",
  });
  const well = await doctor({ DATA_DIR: installed, PORT: "0", METRICS_PORT: "0", LANES: "1" });
  expect({ ok: well.ok, exitCode: well.exitCode }).toEqual({ ok: true, exitCode: 0 });
  expect(well.found.get("redis")!.found).toEndWith(", not running");
});

test("an installation without a demo has no path that issues demo keys", () => {
  visiting.refused("validation_failed", 404);
});
