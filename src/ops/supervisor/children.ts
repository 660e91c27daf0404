/** The child processes of a supervisor, one role each. None outlives it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BEAT_MESSAGE } from "../../lib/heartbeat.ts";
import {
  ALONE_MESSAGE,
  CHILD_ROLES,
  type ChildRole,
  type HomeMessage,
  StartRefused,
} from "../../lib/lifecycle.ts";
import type { Logger } from "../../lib/log.ts";
import { commandLine, endProcess, type Process } from "../../lib/process.ts";
import type { Environment } from "../../settings-reader.ts";
import { EarlyExit } from "./keeper.ts";

/** Sent by a child when it is ready. */
export const READY_MESSAGE = { ready: true } as const;

/** Sent by a child when its start is refused, with the message for the operator. */
export interface RefusalMessage {
  readonly refused: string;
}

const MAIN_PATH = join(import.meta.dir, "..", "..", "main.ts");

const KEEPS_MEMORY: readonly ChildRole[] = ["api", "engine"];
/**
 * Keeps freed memory outside the heap in the process: the next group needs it again, and returning
 * it costs a tenth of a hold in page faults. The worker uses the allocator's default.
 */
export const KEPT_MEMORY = { MIMALLOC_PURGE_DELAY: "-1" } as const;

/** Longer heads get the runtime's bare 431; `http/head-checks.ts` refuses from 16 KiB on. */
const HEAD_FLAG = `--max-http-header-size=${64 * 1024}`;

export interface ChildOptions {
  readonly role: ChildRole;
  readonly id: string;
  readonly dataDir: string;
  readonly env: Environment;
  /** For the engine of one of several machines; resolves when it is so. */
  readonly onHome?: (isHome: boolean) => Promise<void>;
}

/**
 * Starts one role in its own process and resolves when it is ready. `heard` is called for every
 * heartbeat. The data directory is in its command line, so that a later start can verify its pid.
 * Its stdin is a pipe that closes when this process ends.
 *
 * @throws StartRefused when its start is refused.
 * @throws EarlyExit when it ends early, also when `signal` aborts and it is killed.
 */
export async function startChild(
  options: ChildOptions,
  signal: AbortSignal,
  heard: () => void,
): Promise<Process> {
  const { role, id, dataDir, env } = options;
  const ready = Promise.withResolvers<void>();
  let refusal: StartRefused | null = null;
  const child = Bun.spawn([process.execPath, HEAD_FLAG, MAIN_PATH, role, dataDir], {
    // Settings of the operator have precedence.
    env: { ...(KEEPS_MEMORY.includes(role) ? KEPT_MEMORY : {}), ...env },
    stdin: "pipe",
    stdout: "inherit",
    stderr: "inherit",
    // Its own session: the supervisor stops the children in order after Ctrl-C.
    detached: true,
    ipc: (message) => {
      if (Bun.deepEquals(message, READY_MESSAGE)) ready.resolve();
      else if (Bun.deepEquals(message, BEAT_MESSAGE)) heard();
      else if (isRefusal(message)) refusal = new StartRefused(message.refused);
      else if (isOfHome(message)) {
        // The engine may have ended meanwhile; its next one asks again.
        const reply = () =>
          void (!message.isHome && child.exitCode === null && child.send(ALONE_MESSAGE));
        options.onHome?.(message.isHome).then(reply, reply);
      }
    },
  });
  writeFileSync(join(pidDirectory(dataDir), id), `${child.pid}\n`);
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill);
  const ended = child.exited.then((exitCode) => new EarlyExit(exitCode));
  const early = await Promise.race([ready.promise, ended]);
  signal.removeEventListener("abort", kill);
  if (early instanceof EarlyExit) throw refusal ?? early;
  return child;
}

function isOfHome(message: unknown): message is HomeMessage {
  return typeof (message as Partial<HomeMessage> | null)?.isHome === "boolean";
}

function isRefusal(message: unknown): message is RefusalMessage {
  return typeof (message as Partial<RefusalMessage> | null)?.refused === "string";
}

/**
 * Kills the children of a killed supervisor. They would end by themselves, but a new engine should
 * not have to fence an old one, and api processes of two runs must not share the port.
 */
export async function endFormerChildren(dataDir: string, log: Logger): Promise<void> {
  const directory = pidDirectory(dataDir);
  for (const id of readdirSync(directory)) {
    const path = join(directory, id);
    const pid = Number(readFileSync(path, "utf8"));
    const role = CHILD_ROLES.find((name) => id.startsWith(name));
    if (commandLine(pid)?.endsWith(`main.ts ${role} ${dataDir}`)) {
      log.warn("killing a process of an earlier run", { id, former_pid: pid });
      await endProcess(pid);
    }
    rmSync(path);
  }
}

/** One file per child, named by its id. */
function pidDirectory(dataDir: string): string {
  const path = join(dataDir, "pids");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
