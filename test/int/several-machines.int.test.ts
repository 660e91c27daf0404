/**
 * Goal: what an operator meets who sets up several machines: the other machine stands by and says
 * so, what cannot work is refused by name, a back-up of the first machine is complete. Method: real
 * starts over a real PostgreSQL.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "../../engine/postgres/session.ts";
import { createHotel, newBooking, stayRequest } from "../support/client.ts";
import { POSTGRES_MISSING, PostgresServer } from "../support/postgres.ts";
import { freePort, Service, until } from "../support/service.ts";
import { SharedRedis } from "../support/shared-redis.ts";

const ROOT = join(import.meta.dir, "..", "..");
const STOP_LIMIT_MS = 60_000;
const onPostgres = test.skipIf(POSTGRES_MISSING !== null);

let place: string;
let database: PostgresServer;
let redis: SharedRedis;
let env: Readonly<Record<string, string>>;
let service: Service;

beforeAll(async () => {
  if (POSTGRES_MISSING !== null) return;
  place = mkdtempSync(join(tmpdir(), "innkeep-several-"));
  database = await PostgresServer.start();
  redis = await SharedRedis.start();
  const settings = { STORE: "postgres", DATABASE_URL: database.url, LANES: "2" };
  env = { ...settings, REDIS_URL: redis.url, API_PROCESSES: "1" };
  service = await Service.start(env);
});
afterAll(async () => {
  if (POSTGRES_MISSING !== null) return;
  await service.stop();
  await redis.stop();
  await database.stop();
  rmSync(place, { recursive: true });
});

/** A directory with the secrets of the first machine, unless told. */
function machine(name: string, hasSecrets = true): string {
  const dataDir = join(place, name);
  mkdirSync(dataDir, { mode: 0o700 });
  if (hasSecrets)
    copyFileSync(join(service.dataDir, "secrets.json"), join(dataDir, "secrets.json"));
  return dataDir;
}

/** Starts a role on a directory; ends it when it has said `until`. */
async function started(
  dataDir: string,
  role: "all" | "api" | "engine",
  {
    until: awaited = null,
    ...changes
  }: { until?: string | null; [name: string]: string | null } = {},
) {
  const ports = { PORT: String(freePort()), METRICS_PORT: "0", HOST: "127.0.0.1" };
  const own = { ...env, ...ports, DATA_DIR: dataDir, NODE_ENV: "production", LOG_FORMAT: "json" };
  const child = Bun.spawn([process.execPath, "src/main.ts", role], {
    cwd: ROOT,
    env: { ...process.env, ...own, ...(changes as Record<string, string>), LOG_LEVEL: "info" },
    ...{ stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
  let said = "";
  let until = awaited;
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    said += decoder.decode(chunk, { stream: true });
    if (until === null || !said.includes(until)) continue;
    child.kill("SIGTERM");
    until = null;
  }
  clearTimeout(timer);
  return { said, exitCode: await child.exited };
}

onPostgres("another machine says that it stands by, and ends in order", async () => {
  const { said, exitCode } = await started(machine("other"), "all", { until: "Innkeep stands by" });
  expect(said).toContain("Innkeep stands by: its engine leads when no other machine's does");
  expect(said).not.toContain('"role":"api"');
  expect(exitCode).toBe(0);
});

onPostgres("what cannot work on another machine is refused by name", async () => {
  const api = await started(join(place, "other"), "api");
  expect(api).toMatchObject({
    exitCode: 78,
    said: expect.stringContaining("is not the home of api and worker"),
  });
  const stranger = await started(machine("stranger", false), "all");
  expect(stranger.said).toContain("secrets_differ: ");
  expect(stranger.exitCode).toBe(78);
  const lanes = await started(machine("lanes"), "all", { LANES: "3" });
  expect(lanes.said).toContain("lanes_changed: made with LANES=2, started with 3");
  expect(lanes.exitCode).toBe(78);
  const alone = await started(join(place, "other"), "engine", { STORE: "embedded" });
  expect(alone.said).toContain("journal_of_other_store: this journal is a copy");
  expect(alone.exitCode).toBe(78);
  const silent = `postgres://innkeep@127.0.0.1:${freePort()}/innkeep`;
  const unreached = await started(machine("unreached"), "all", {
    ...{ DATABASE_URL: silent, START_TIMEOUT_S: "1" },
  });
  expect(unreached.said).toContain("no node of DATABASE_URL takes writes: 127.0.0.1:");
  expect(unreached.exitCode).toBe(1);
});

onPostgres("a directory with a journal of its own is refused, and stays as it is", async () => {
  const single = await Service.start({ DEMO: "0" });
  await single.end("SIGTERM");
  const journal = Bun.file(join(single.dataDir, "engine", "0.db"));
  const before = Bun.hash(await journal.bytes());
  copyFileSync(join(service.dataDir, "secrets.json"), join(single.dataDir, "secrets.json"));
  const { said, exitCode } = await started(single.dataDir, "engine");
  expect(said).toMatch(/journal_of_other_store: |belongs to another installation/);
  expect(exitCode).toBe(78);
  expect(Bun.hash(await journal.bytes())).toBe(before);
  await single.restart();
  await single.stop();
});

onPostgres("doctor says what commits wait for, which no setting of the role weakens", async () => {
  const given = { ...process.env, ...env, DATA_DIR: service.dataDir, PORT: "0" };
  const command = [process.execPath, "src/ops/main.ts", "admin", "doctor"];
  const said = await Bun.spawn(command, { cwd: ROOT, env: given }).stdout.text();
  expect(said).toContain("fsync on, commits wait for no standby");
  await database.query("ALTER ROLE innkeep SET synchronous_commit = off");
  const session = await Session.open(database.url, "test");
  const shown = await session.query("SHOW synchronous_commit");
  expect(shown).toEqual([{ synchronous_commit: "on" }]);
  await session.close();
  await database.query("ALTER ROLE innkeep RESET synchronous_commit");
});

onPostgres("metrics say who leads and how far the copy is, and the service is ready", async () => {
  await until("the mirror has posted", async () => {
    return (await service.metrics()).includes("# TYPE innkeep_leads ");
  });
  const told = await service.metrics();
  expect(told).toMatch(/^innkeep_leads\{role="mirror",pid="\d+"\} 1$/m);
  expect(told).toMatch(/^innkeep_copy_row\{role="mirror",pid="\d+"\} \d+$/m);
  const { data } = (await service.api("GET", "/readyz")).ok<{ status: string }>();
  expect(data.status).toBe("ok");
});

onPostgres("a back-up of the first machine is complete and starts by itself", async () => {
  const hotel = await createHotel(service);
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  const [backup, restored] = [join(place, "backup"), join(place, "restored")];
  const run = (...args: string[]) => {
    const from = { ...process.env, ...env, DATA_DIR: service.dataDir };
    return Bun.spawnSync([process.execPath, "src/ops/main.ts", ...args], { cwd: ROOT, env: from });
  };
  expect(run("backup", backup).exitCode).toBe(0);
  expect(run("restore", backup, "--data-dir", restored).exitCode).toBe(0);
  const again = await Service.startOn(restored, { LANES: "2" });
  const found = await again.api("GET", `/v1/bookings/${booking_id}`);
  expect(found.ok<{ state: string }>().data.state).toBe("confirmed");
  await again.stop();
});
