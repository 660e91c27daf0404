/**
 * Checks of the machine, the settings and the files. They are independent and change nothing, and
 * none needs a running service.
 */
import { Database } from "bun:sqlite";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { journalIdOf, lanesOf } from "../../../engine/log/meta.ts";
import { Session } from "../../../engine/postgres/session.ts";
import { askRedis } from "../../../jobs/redis/redis-check.ts";
import { redisAddress } from "../../../jobs/redis/redis-target.ts";
import manifest from "../../../package.json" with { type: "json" };
import { PRODUCT_VERSION } from "../../about/about.ts";
import { secretsPath } from "../../access/privacy/secrets.ts";
import { type Config, journalPath } from "../../config.ts";
import { freeMib, SHORT_MIB } from "../../lib/disk-room.ts";
import { ROOM_MIB } from "../../lib/refused-starts.ts";
import { controlFile } from "./control-check.ts";
import { type Finding, judged, type Status } from "./finding.ts";

type Check = (config: Config) => readonly Finding[] | Promise<readonly Finding[]>;

/** `DATA_DIR`, or its nearest existing parent. */
function existingParent(path: string): string {
  return existsSync(path) ? path : existingParent(dirname(path));
}

function disk({ dataDir }: Config): Finding[] {
  const free = Math.floor(freeMib(existingParent(dataDir)));
  const remedy = "free some space: the journal grows, and a full disk stops all writes";
  return [
    judged(
      "disk space",
      `${free} MiB free`,
      [free < ROOM_MIB, "fail", remedy],
      [free < SHORT_MIB, "warn", remedy],
    ),
  ];
}

const SYNCS = 200;
const PAGE = Buffer.alloc(4_096, 1);

/** Measures the write and sync of one page, as every commit needs it. */
function fsync({ dataDir }: Config): Finding[] {
  const directory = existingParent(dataDir);
  // The check of DATA_DIR reports this.
  if (!statSync(directory).isDirectory()) return [];
  const path = join(directory, `.doctor-${process.pid}`);
  const file = openSync(path, "wx", 0o600);
  try {
    const times = Array.from({ length: SYNCS }, () => {
      const startedMs = performance.now();
      writeSync(file, PAGE, 0, PAGE.length, 0);
      fsyncSync(file);
      return performance.now() - startedMs;
    });
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
    const found = `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms of ${SYNCS}`;
    const slow = "this disk limits bookings per second: use a faster one for DATA_DIR";
    const noDisk = "this is memory, or a disk that ignores syncs: a power loss would lose data";
    return [judged("fsync", found, [p50 > 20, "warn", slow], [p50 < 0.01, "warn", noDisk])];
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!;
}

const PINGS = 50;

async function redis({ redis: target, redisIsPrivate }: Config): Promise<readonly Finding[]> {
  const asked = await askRedis(target, async (client) => {
    const times: number[] = [];
    for (let i = 0; i < PINGS; i++) {
      const startedMs = performance.now();
      await client.ping();
      times.push(performance.now() - startedMs);
    }
    const askedMs = Date.now();
    const [seconds, micros] = await client.time();
    const driftMs = Number(seconds) * 1000 + Number(micros) / 1000 - (askedMs + Date.now()) / 2;
    return { info: await client.info(), p50: quantile(times, 0.5), driftMs };
  });
  if ("answer" in asked) return redisFindings(asked.answer, redisIsPrivate);
  const { problem } = asked.trouble;
  if (redisIsPrivate) return [redisProgram()];
  const remedy = "start Redis, or correct the address and password in REDIS_URL";
  return [{ check: "redis", status: "fail", found: `${redisAddress(target)}: ${problem}`, remedy }];
}

/** The program of the private Redis, which runs only with the service. */
function redisProgram(): Finding {
  const PATH = `${process.env.PATH ?? ""}:/usr/sbin:/usr/local/bin:/opt/homebrew/bin`;
  const binary = Bun.which("redis-server", { PATH }) ?? Bun.which("valkey-server", { PATH });
  const output = binary && Bun.spawnSync([binary, "--version"]).stdout.toString();
  const version = output ? /v=(\S+)/.exec(output)?.[1] : undefined;
  const found = binary ? `${binary} ${version ?? ""}, not running`.trim() : "not installed";
  return judged("redis", found, [!binary, "fail", "install redis-server, or set REDIS_URL"]);
}

interface RedisAnswer {
  readonly info: string;
  readonly p50: number;
  readonly driftMs: number;
}

function redisFindings({ info, p50, driftMs }: RedisAnswer, isPrivate: boolean): Finding[] {
  const of = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, "m").exec(info)?.[1] ?? "";
  const version = of("redis_version");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isPersistent = of("aof_enabled") === "1";
  const policy = of("maxmemory_policy");
  const lost = "set appendonly yes: otherwise a restart of Redis loses all open quotes";
  const drift = Math.round(driftMs);
  return [
    judged(
      "redis",
      `${version}${isPrivate ? ", private" : ""}`,
      [major < 5, "fail", "use 6.2 or later"],
      [major < 6 || (major === 6 && minor < 2), "warn", "use 6.2 or later"],
    ),
    judged("redis persistence", isPersistent ? "appendonly" : "none", [
      !isPersistent,
      "warn",
      lost,
    ]),
    judged("redis eviction", policy, [
      policy !== "noeviction",
      "fail",
      "set maxmemory-policy noeviction: otherwise Redis may drop commands and quotes",
    ]),
    judged("redis latency", `p50 ${p50.toFixed(2)} ms of ${PINGS}`, [
      p50 > 2,
      "warn",
      "use a Redis closer to this machine: every write passes through it twice",
    ]),
    judged("clock of Redis", `${drift} ms off`, [
      Math.abs(drift) > 1_000,
      "warn",
      "synchronize both clocks with NTP",
    ]),
  ];
}

const CLOCK_MS = 100;

async function clock(): Promise<Finding[]> {
  const [wall, monotonic] = [Date.now(), performance.now()];
  await Bun.sleep(CLOCK_MS);
  const passed = performance.now() - monotonic;
  const apart = Math.abs(Date.now() - wall - passed);
  const zones = Intl.supportedValuesOf("timeZone").length;
  // Without time zone data every zone is UTC.
  const hour = { timeZone: "Europe/Berlin", hour: "numeric", hourCycle: "h23" } as const;
  const summer = new Intl.DateTimeFormat("en", hour).format(Date.UTC(2026, 6, 1, 12));
  const at = new Date().toISOString();
  return [
    judged("clock", at, [
      passed < CLOCK_MS - 1 || apart > 10,
      "warn",
      "the clock is being changed: check NTP",
    ]),
    judged("time zones", `${zones} zones`, [
      summer !== "14" || zones < 300,
      "fail",
      "this Bun has no time zone data: reinstall it",
    ]),
  ];
}

async function ports(config: Config): Promise<Finding[]> {
  const isHere = isRunning(config.dataDir);
  const { port, host, metricsPort, metricsHost } = config;
  return [
    await portFinding("PORT", host, port, isHere, "/healthz"),
    await portFinding("METRICS_PORT", metricsHost, metricsPort, isHere, "/metrics"),
  ];
}

/** The port must be free or used by the service of this `DATA_DIR`. */
async function portFinding(
  variable: string,
  host: string,
  port: number,
  isHere: boolean,
  path: string,
): Promise<Finding> {
  const check = `port ${port} (${variable})`;
  if (port === 0) return judged(check, variable === "PORT" ? "chosen at the start" : "off");
  try {
    Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true);
    return judged(check, "free");
  } catch (error) {
    const { code = "refused" } = error as NodeJS.ErrnoException;
    const answers = isHere && (await doesAnswer(host, port, path));
    const found = answers ? "ours" : code === "EADDRINUSE" ? "in use by another program" : code;
    return judged(check, found, [!answers, "fail", `stop that program, or set ${variable}`]);
  }
}

async function doesAnswer(host: string, port: number, path: string): Promise<boolean> {
  const address = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const url = `http://${address.includes(":") ? `[${address}]` : address}:${port}${path}`;
  const text = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => (response.ok ? response.text() : ""),
    () => "",
  );
  return path === "/metrics" ? text.includes("innkeep_") : text.includes('"ok"');
}

/** Whether a supervisor holds the lock. The check itself holds it for a moment. */
function isRunning(dataDir: string): boolean {
  const path = join(dataDir, "lock.db");
  if (!existsSync(path)) return false;
  try {
    using db = new Database(path, { readonly: true });
    db.run("PRAGMA busy_timeout = 0");
    db.query("SELECT 1 FROM sqlite_schema").get();
    return false;
  } catch (error) {
    return (error as { readonly code?: unknown }).code === "SQLITE_BUSY";
  }
}

const NODE_NEEDED = Number(/\d+/.exec(manifest.engines.node)![0]);

function versions(): Finding[] {
  using db = new Database(":memory:");
  const sqlite = db.query<{ v: string }, []>("SELECT sqlite_version() AS v").get()!.v;
  const node = Bun.which("node") ? Bun.spawnSync(["node", "-v"]).stdout.toString().trim() : "none";
  return [
    judged("innkeep", PRODUCT_VERSION),
    judged("node", node, [
      !(Number.parseInt(node.slice(1), 10) >= NODE_NEEDED),
      "warn",
      `npm's commands need Node ${NODE_NEEDED} or later`,
    ]),
    judged("bun", Bun.version),
    judged("sqlite", sqlite),
  ];
}

function settings({ misspelt }: Config): Finding[] {
  return misspelt.map(([given, meant]) => {
    const found = `${given} is not a setting`;
    return { check: "settings", status: "warn", found, remedy: `did you mean ${meant}?` };
  });
}

const ON_THIS_MACHINE = /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::|$)/;

/** A page served over http can be altered in transit and then call with its visitors' keys. */
function pages({ corsOrigins }: Config): Finding[] {
  if (corsOrigins.size === 0) return [];
  const all = [...corsOrigins];
  const open = all.filter((each) => each.startsWith("http:") && !ON_THIS_MACHINE.test(each));
  const remedy = `serve ${open.join(", ")} over https, or remove it from CORS_ORIGINS`;
  return [judged("CORS_ORIGINS", all.join(", "), [open.length > 0, "warn", remedy])];
}

function permissions({ dataDir }: Config): Finding[] {
  const directory = existingParent(dataDir);
  if (!statSync(directory).isDirectory()) {
    const found = `${directory} is not a directory`;
    const remedy = "set DATA_DIR to a directory";
    return [{ check: "DATA_DIR", status: "fail", found, remedy }];
  }
  if (!existsSync(dataDir)) {
    const found = `${dataDir} does not exist yet`;
    const remedy = `let this user write to ${directory}, or set DATA_DIR`;
    return [judged("DATA_DIR", found, [!isUsable(directory), "fail", remedy])];
  }
  const path = secretsPath(dataDir);
  return [
    rights("DATA_DIR", dataDir, `chmod 700 ${dataDir}`, "warn"),
    ...(existsSync(path) ? [rights("secrets.json", path, `chmod 600 ${path}`, "fail")] : []),
  ];
}

function rights(check: string, path: string, remedy: string, ifOpen: Status): Finding {
  const mode = statSync(path).mode & 0o777;
  return judged(
    check,
    `${path}, mode ${mode.toString(8)}`,
    [!isUsable(path), "fail", `let this user read and write ${path}`],
    [(mode & 0o077) !== 0, ifOpen, remedy],
  );
}

function isUsable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function journal({ dataDir, lanes }: Config): Finding[] {
  const path = journalPath(dataDir);
  if (!existsSync(path)) return [judged("journal", "none yet")];
  const made = lanesOf(path);
  return [
    judged("journal", `${journalIdOf(path)}, ${made} lanes`, [
      made !== lanes,
      "fail",
      `set LANES to ${made}, the number of lanes of the journal`,
    ]),
  ];
}

/** What a commit of PostgreSQL waits for. */
async function postgresql({ databaseUrl }: Config): Promise<Finding[]> {
  if (databaseUrl === null) return [];
  const session = await Session.open(databaseUrl, "innkeep doctor");
  try {
    const [found] = await session.query<{ version: string; standbys: string; fsync: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
        current_setting('synchronous_standby_names') AS standbys`,
    );
    const { version, standbys, fsync } = found!;
    return [
      judged(
        "postgresql",
        `${version}, fsync ${fsync}, commits wait for ${standbys || "no standby"}`,
        [fsync !== "on", "fail", "set fsync = on: else a power cut loses answered bookings"],
        [standbys === "", "warn", "set synchronous_standby_names: else a lost disk loses bookings"],
      ),
    ];
  } finally {
    await session.close();
  }
}

const CHECKS: Readonly<Record<string, Check>> = {
  settings,
  "disk space": disk,
  fsync,
  redis,
  clock,
  ports,
  pages,
  versions,
  permissions,
  journal,
  "control.db": controlFile,
  postgresql,
};

/** Runs all checks; an error in one is a failed finding. */
export async function examine(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look] of Object.entries(CHECKS)) {
    try {
      findings.push(...(await look(config)));
    } catch (error) {
      const remedy =
        "a start would be refused for the same reason: see Refused starts in the guide Back-ups";
      findings.push({ check, status: "fail", found: String((error as Error).message), remedy });
    }
  }
  return findings;
}
