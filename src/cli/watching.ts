/** Looking again: at a list as it changes, at a delivery until it is settled. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ExitCode, Session } from "./command.ts";

const EVERY_MS = 2_000;
const SETTLING_MS = 200;
/** An attempt takes 15 s at most. */
const SETTLING_MS_MAX = 30_000;
const CLEAR_SCREEN = "\u001b[2J\u001b[H";

/** Prints what `read` tells; with `isWatch` again and again, each time on a clear screen. */
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
      await sleep(EVERY_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return 0;
}

/** The delivery once an attempt has come to something; as it is when that takes too long. */
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
    await sleep(SETTLING_MS, undefined, { signal });
  }
}
