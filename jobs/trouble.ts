/** Trouble that comes by the hundred: with a full disk every command to Redis fails, for ever. */
import type { Log } from "../engine/shell/service.ts";

const TELL_EVERY_MS = 10_000;
/** Texts may hold ids; what is forgotten is only told once more. */
const TEXTS_MAX = 100;

/**
 * Takes errors in `what` and warns of them: of each text once in 10 s, and then of how many there
 * were in between. The log may be on the disk that is full.
 */
export function troubleTeller(
  log: Log,
  what: string,
  nowMs: () => number = () => performance.now(),
): (error: unknown) => void {
  const told = new Map<string, { atMs: number; more: number }>();
  return (problem) => {
    const error = String(problem);
    const last = told.get(error);
    const atMs = nowMs();
    if (last !== undefined && atMs - last.atMs < TELL_EVERY_MS) {
      last.more += 1;
      return;
    }
    if (told.size >= TEXTS_MAX) told.clear();
    told.set(error, { atMs, more: 0 });
    const more = last?.more ? { more: last.more } : {};
    log("warn", `trouble with ${what}`, { error, ...more });
  };
}
