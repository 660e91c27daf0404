/**
 * Signs of life: a process that is up may still hang, and only its own main loop can say that it
 * does not. Each child tells its supervisor once a second from there, from when it is ready.
 */
import { every } from "../../engine/shell/service.ts";

/** What a child process sends its supervisor while it gets on. */
export const BEAT_MESSAGE = { beat: true } as const;
export const BEAT_EVERY_MS = 1_000;
/** Called for every page of a long fold, it must not tell each of them. */
const BEAT_APART_MS = BEAT_EVERY_MS / 2;

let lastBeatMs = Number.NEGATIVE_INFINITY;

/**
 * Says that this process gets on; without a supervisor nobody hears it. Work that holds the main
 * loop up for long calls it as it goes: the message is sent at once.
 */
export function beat(): void {
  const nowMs = performance.now();
  if (nowMs - lastBeatMs < BEAT_APART_MS) return;
  lastBeatMs = nowMs;
  process.send?.(BEAT_MESSAGE);
}

/** Beats from the main loop until the process ends. */
export function startHeartbeat(): void {
  every("heartbeat", BEAT_EVERY_MS, beat).start();
}
