/** Operating system processes: stopping them, and identifying them by command line. */
import { existsSync, readFileSync } from "node:fs";

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
 * The command line of a process, or null when it has ended. A zombie counts as ended: its files and
 * locks are released, and without an init process it may stay forever.
 */
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
  while (commandLine(pid) !== null) {
    const waitedMs = performance.now() - start;
    if (!isKilled && waitedMs >= budgetMs) {
      process.kill(pid, "SIGKILL");
      isKilled = true;
    }
    if (waitedMs > budgetMs + 5_000) throw new Error(`process ${pid} cannot be killed`);
    await Bun.sleep(10);
  }
}
