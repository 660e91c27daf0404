/** Throttled warnings: with a full disk, every command to Redis fails with the same error. */
import type { Log } from "../../src/lib/service.ts";

const LOG_EVERY_MS = 10_000;
/** Limits memory, because texts may contain ids. */
const TEXTS_MAX = 100;

/**
 * Returns a function that logs an error as a warning, each text at most once in 10 s with the
 * number of repetitions since. The log may be on the full disk.
 */
export function throttledWarnings(
  log: Log,
  what: string,
  nowMs: () => number = () => performance.now(),
): (error: unknown) => void {
  const logged = new Map<string, { atMs: number; more: number }>();
  return (problem) => {
    const error = String(problem);
    const last = logged.get(error);
    const atMs = nowMs();
    if (last !== undefined && atMs - last.atMs < LOG_EVERY_MS) {
      last.more += 1;
      return;
    }
    if (logged.size >= TEXTS_MAX) logged.clear();
    logged.set(error, { atMs, more: 0 });
    const more = last?.more ? { more: last.more } : {};
    log("warn", `trouble with ${what}`, { error, ...more });
  };
}
