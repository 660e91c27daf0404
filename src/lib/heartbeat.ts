/**
 * Heartbeats: once ready, each child sends its supervisor a message every second from its main
 * loop, so that a hang is detected.
 */
import { every } from "./service.ts";

/** The heartbeat message. */
export const BEAT_MESSAGE = { beat: true } as const;
export const BEAT_EVERY_MS = 1_000;
/** Minimum interval: a long fold calls `beat` for every page. */
const BEAT_APART_MS = BEAT_EVERY_MS / 2;

let lastBeatMs = Number.NEGATIVE_INFINITY;

/**
 * Sends a heartbeat to the supervisor, if there is one. Work that blocks the main loop for long
 * calls it directly.
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
