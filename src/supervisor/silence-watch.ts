/**
 * Finds the processes that hang. Whoever is watched is expected to be heard once a second; who is
 * silent for 5 s is reported, once.
 *
 * Maintained invariant: nobody is reported for a time in which the watch itself did not run. After
 * a stop of its own process, a laptop's sleep or a debugger's break it has heard nobody either, so
 * a look that comes late gives everybody a fresh 5 s.
 */
import type { Service } from "../../engine/shell/service.ts";

const LOOK_EVERY_MS = 500;
/** A look that is later than this says that we were asleep ourselves. */
const LATE_MS_MAX = 1_000;
const SILENCE_MS_MAX = 5_000;

export interface Watched {
  /** A sign of life. */
  readonly heard: () => void;
  /** No longer watched. */
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

  /** Looks twice a second from now on. */
  start(): void {
    this.#lookedAtMs = this.#monotonicMs();
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Watches somebody from now on, who counts as just heard. */
  watch(onSilent: (silentMs: number) => void): Watched {
    const entry: Entry = { heardAtMs: this.#monotonicMs(), onSilent };
    this.#entries.add(entry);
    const heard = () => {
      entry.heardAtMs = this.#monotonicMs();
    };
    return { heard, end: () => void this.#entries.delete(entry) };
  }

  /** Reports who has been silent for too long. */
  look(): void {
    const nowMs = this.#monotonicMs();
    const lateMs = nowMs - this.#lookedAtMs - LOOK_EVERY_MS;
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
