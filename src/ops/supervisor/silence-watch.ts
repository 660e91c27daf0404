/**
 * Detects hanging processes. A watched process sends a heartbeat once a second, and is reported
 * once after 5 s without one.
 *
 * Invariant: time in which the watch itself did not run is not counted. After a stopped process, a
 * sleeping laptop or a debugger's break, a late check gives every process a fresh 5 s.
 */
import type { Service } from "../../lib/service.ts";

const CHECK_EVERY_MS = 500;
/** A later check means that this process did not run. */
const LATE_MS_MAX = 1_000;
const SILENCE_MS_MAX = 5_000;

export interface Watched {
  /** Records a heartbeat. */
  readonly heard: () => void;
  /** Ends the watch. */
  readonly end: () => void;
}

interface Entry {
  heardAtMs: number;
  readonly onSilent: (silentMs: number) => void;
}

export class SilenceWatch implements Service {
  readonly id = "silence watch";
  readonly #monotonicMs: () => number;
  readonly #entries = new Set<Entry>();
  #lookedAtMs: number;
  #timer: Timer | undefined;

  constructor(monotonicMs = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
    this.#lookedAtMs = monotonicMs();
  }

  /** Checks twice a second from now on. */
  start(): void {
    this.#lookedAtMs = this.#monotonicMs();
    this.#timer = setInterval(() => this.look(), CHECK_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Starts a watch, with a first heartbeat now. */
  watch(onSilent: (silentMs: number) => void): Watched {
    const entry: Entry = { heardAtMs: this.#monotonicMs(), onSilent };
    this.#entries.add(entry);
    const heard = () => {
      entry.heardAtMs = this.#monotonicMs();
    };
    return { heard, end: () => void this.#entries.delete(entry) };
  }

  /** Reports processes without a heartbeat for too long. */
  look(): void {
    const nowMs = this.#monotonicMs();
    const lateMs = nowMs - this.#lookedAtMs - CHECK_EVERY_MS;
    this.#lookedAtMs = nowMs;
    for (const entry of this.#entries) {
      if (lateMs > LATE_MS_MAX) entry.heardAtMs = nowMs;
      const silentMs = nowMs - entry.heardAtMs;
      if (silentMs <= SILENCE_MS_MAX) continue;
      this.#entries.delete(entry);
      entry.onSilent(silentMs);
    }
  }
}
