/** Operating system processes: stopping them, and identifying them by command line. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A running process, as the keeper needs it. */
export interface Process {
  readonly pid: number;
  /** Resolves to the exit code once the process is gone; 128 + signal when a signal ended it. */
  readonly exited: Promise<number>;
  kill(signal: NodeJS.Signals): void;
  /** Sends a message to a process that has a channel for it. */
  send?(message: unknown): void;
}

/** Asks `process` to end, kills it after `budgetMs`, and resolves when it is gone. */
export async function stopProcess(process: Process, budgetMs: number): Promise<void> {
  process.kill("SIGTERM");
  const timer = setTimeout(() => process.kill("SIGKILL"), budgetMs);
  await process.exited;
  clearTimeout(timer);
}

/**
 * Whether a process has ended: its files, ports and locks are released. A zombie has ended, and
 * without an init process it may stay forever. A killed process loses its command line first, then
 * its memory and only then its files; its other threads keep the files longer than the first one.
 */
function isGone(pid: number): boolean {
  if (!existsSync("/proc/self/stat")) return commandLine(pid) === null;
  try {
    // The name before the state may contain any character, also parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const hasEnded = "ZX".includes(stat.at(stat.lastIndexOf(")") + 2)!);
    return hasEnded && readdirSync(`/proc/${pid}/task`).length <= 1;
  } catch {
    return true;
  }
}

/** The command line of a process, or null when it is ending or has ended. */
export function commandLine(pid: number): string | null {
  let line = "";
  if (existsSync("/proc/self/cmdline")) {
    try {
      line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    } catch {
      return null;
    }
  } else {
    line = Bun.spawnSync(["ps", "-o", "args=", "-p", String(pid)])
      .stdout.toString()
      .trim();
  }
  return line === "" ? null : line;
}

/**
 * Resolves when the process `pid`, which need not be a child, is gone; kills it first, at once or
 * after it had `budgetMs` to end by itself.
 *
 * @throws Error when it outlives SIGKILL by 5 s (it hangs in the kernel).
 */
export async function endProcess(pid: number, budgetMs = 0): Promise<void> {
  const start = performance.now();
  let isKilled = false;
  while (!isGone(pid)) {
    const waitedMs = performance.now() - start;
    if (!isKilled && waitedMs >= budgetMs) {
      process.kill(pid, "SIGKILL");
      isKilled = true;
    }
    if (waitedMs > budgetMs + 5_000) throw new Error(`process ${pid} cannot be killed`);
    await Bun.sleep(10);
  }
}
