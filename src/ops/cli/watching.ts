/** Polling: of a view with `--watch`, and of a delivery until it is settled. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ExitCode } from "../../lib/command-line.ts";
import type { Session } from "./command.ts";

const REFRESH_EVERY_MS = 2_000;
const POLL_EVERY_MS = 200;
/** An attempt takes 15 s at most. */
const SETTLING_MS_MAX = 30_000;
const CLEAR_SCREEN = "\u001b[2J\u001b[H";

/** Prints the text of `read`; with `isWatch` repeatedly, on a cleared screen. */
export async function watching(
  { terminal, signal }: Session,
  isWatch: boolean,
  read: () => Promise<string>,
): Promise<ExitCode> {
  if (!isWatch) {
    terminal.out(await read());
    return 0;
  }
  try {
    while (!signal.aborted) {
      const text = await read();
      terminal.out(terminal.isWatched ? `${CLEAR_SCREEN}${text}` : `${text}\n`);
      await sleep(REFRESH_EVERY_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return 0;
}

/** Resolves to the delivery after its next attempt, or after `SETTLING_MS_MAX`. */
export async function untilSettled<T extends { readonly state: string; attempt_count: number }>(
  { signal }: Session,
  read: () => Promise<T>,
): Promise<T> {
  const untilMs = performance.now() + SETTLING_MS_MAX;
  for (;;) {
    const found = await read();
    const isTried = found.attempt_count > 0 && found.state !== "in_flight";
    const isOpen = found.state === "pending" || found.state === "in_flight";
    if (isTried || !isOpen || performance.now() > untilMs) return found;
    await sleep(POLL_EVERY_MS, undefined, { signal });
  }
}
