/** Killing parts of a running service, and knowing when it has recovered. */
import { join } from "node:path";
import { Service, until } from "../support/service.ts";

export type Victim = "api-1" | "api-2" | "engine" | "worker" | "redis" | "supervisor";

/** A line of structured log; text that is no JSON has only `msg`. */
export interface LogLine {
  readonly msg: string;
  readonly role?: string;
  readonly pid?: number;
  readonly error?: unknown;
  readonly row?: unknown;
}

const RECOVERY_LIMIT_MS = 60_000;
const READINESS_LIMIT_MS = 5_000;
/** Characters of the log that a failure shows. */
const LOG_TAIL = 4_000;
const MAIN_PATH = join(import.meta.dir, "..", "..", "src", "main.ts");

/** What an engine must agree on with the service whose journal it takes over. */
const SHARED_SETTINGS = { LANES: "4", BASE_URL: "http://innkeep.example" } as const;
const OWN_SETTINGS = { NODE_ENV: "production", LOG_LEVEL: "error", REDIS_URL: "" } as const;

/** A service with two api processes, several lanes and holds that expire during a test. */
export function startService(): Promise<Service> {
  return Service.start({ ...SHARED_SETTINGS, API_PROCESSES: "2", HOLD_TTL_S: "15" });
}

/** Where the service's journal lies. */
export function journalPathOf(service: Service): string {
  return join(service.dataDir, "engine", "0.db");
}

/** Another engine on the service's journal, by hand: an operator's mistake. */
export function startSecondEngine({ dataDir }: Service): Bun.Subprocess {
  return Bun.spawn([process.execPath, MAIN_PATH, "engine"], {
    env: { ...process.env, ...SHARED_SETTINGS, ...OWN_SETTINGS, DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** SIGKILLs a part; resolves when it runs again and the service says that it is ready. */
export async function kill(service: Service, victim: Victim): Promise<void> {
  const pid = pidOf(service, victim);
  const from = service.log.length;
  process.kill(pid, "SIGKILL");
  if (victim === "supervisor") await service.restart();
  else if (victim === "redis") await untilReplaced(service, pid);
  else {
    const role = victim.replace(/-\d$/, "");
    const isBack = (line: LogLine) =>
      line.msg === "ready" && line.role === role && line.pid !== pid;
    await logged(service, isBack, from);
  }
  await untilReady(service);
}

/** The process id of a part. Throws when there is none. */
export function pidOf(service: Service, victim: Victim): number {
  const pid = service.pids[victim];
  if (!pid) throw new Error(`no ${victim} runs`);
  return pid;
}

/** The first line that matches after `from` characters of the log, as soon as it is there. */
export async function logged(
  service: Service,
  matches: (line: LogLine) => boolean,
  from: number,
): Promise<LogLine> {
  let found: LogLine | undefined;
  const isLogged = () => {
    found = service.log.slice(from).split("\n").map(lineOf).find(matches);
    return found !== undefined;
  };
  try {
    await until(`a log line with ${matches}`, isLogged, RECOVERY_LIMIT_MS);
  } catch (cause) {
    throw new Error(`the log ends with:\n${service.log.slice(-LOG_TAIL)}`, { cause });
  }
  return found!;
}

function lineOf(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return { msg: text };
  }
}

function untilReplaced(service: Service, pid: number): Promise<void> {
  // Redis writes its pid file in two steps; in between it names no process.
  const isReplaced = () => ![pid, 0].includes(service.pids.redis ?? 0);
  return until("redis was started again", isReplaced, RECOVERY_LIMIT_MS);
}

/** Resolves when `/readyz` says `ok`. */
async function untilReady({ baseUrl }: Service): Promise<void> {
  const isReady = async () => {
    const signal = AbortSignal.timeout(READINESS_LIMIT_MS);
    const response = await fetch(`${baseUrl}/readyz`, { signal }).catch(() => null);
    const { data } = ((await response?.json()) ?? {}) as { data?: { status: string } };
    return data?.status === "ok";
  };
  await until("/readyz says ok", isReady, RECOVERY_LIMIT_MS);
}
