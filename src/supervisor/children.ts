/** The child processes of a supervisor: one role each, and none outlives it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BEAT_MESSAGE } from "../base/heartbeat.ts";
import type { Logger } from "../base/log.ts";
import { commandLine, endProcess, type Process } from "../base/process.ts";
import type { Environment } from "../config.ts";
import { CHILD_ROLES, type ChildRole, StartRefused } from "../lifecycle.ts";
import { EarlyExit } from "./keeper.ts";

/** What a child process sends its supervisor once it serves. */
export const READY_MESSAGE = { ready: true } as const;

/** What it sends when its start is refused: words for the operator. */
export interface RefusalMessage {
  readonly refused: string;
}

const MAIN_PATH = join(import.meta.dir, "..", "main.ts");

const KEEPS_MEMORY: readonly ChildRole[] = ["api", "engine"];
/**
 * Their allocator's setting. What memory they free outside of their heaps they need again with the
 * next group: to hand it back meanwhile costs a tenth of what a hold costs, in page faults. The
 * worker, which builds feeds now and then, goes by the allocator's default.
 */
export const KEPT_MEMORY = { MIMALLOC_PURGE_DELAY: "-1" } as const;

/** Longer heads the runtime refuses with a bare 431; `http/unsound.ts` refuses from 16 KiB on. */
const HEAD_FLAG = `--max-http-header-size=${64 * 1024}`;

export interface ChildOptions {
  readonly role: ChildRole;
  readonly id: string;
  readonly dataDir: string;
  readonly env: Environment;
}

/**
 * Starts one role in a process of its own and resolves when it says that it is ready; `heard` is
 * called each time it says that it gets on. The data
 * directory is in its command line so that its pid can later be told from a stranger's; its stdin
 * is a pipe that closes with us, however we end.
 *
 * @throws StartRefused when its start is refused.
 * @throws EarlyExit when it ends before, also because `signal` aborted and it was killed.
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
    // What an operator has set stands.
    env: { ...(KEEPS_MEMORY.includes(role) ? KEPT_MEMORY : {}), ...env },
    stdin: "pipe",
    stdout: "inherit",
    stderr: "inherit",
    // A session of its own: Ctrl-C must reach it through us, in the right order.
    detached: true,
    ipc: (message) => {
      if (Bun.deepEquals(message, READY_MESSAGE)) ready.resolve();
      else if (Bun.deepEquals(message, BEAT_MESSAGE)) heard();
      else if (isRefusal(message)) refusal = new StartRefused(message.refused);
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

function isRefusal(message: unknown): message is RefusalMessage {
  return typeof (message as Partial<RefusalMessage> | null)?.refused === "string";
}

/**
 * Kills the children of a supervisor that was killed itself. They would end by themselves, but a
 * new engine must not start beside an old one (the journal's fence would hold even then; this
 * saves the fight), and api processes of two runs must not share the port.
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
