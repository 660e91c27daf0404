/**
 * Engine time: the wall clock at start, then the monotonic timer, slewed towards the wall clock by
 * at most 10 %, never stepped and never before the last journaled stamp. A wall clock that jumps
 * therefore neither expires holds early nor makes journal time run backwards.
 */
import { Damage } from "./damage.ts";

const SLEW_MAX = 0.1;
/** Drift is corrected over about this long. */
const SLEW_OVER_MS = 10_000;
const BEHIND_MAX_MS = 60_000;

export interface TimeSource {
  /** Epoch milliseconds; may jump. */
  readonly wallMs: () => number;
  /** Milliseconds from any origin; never jumps. */
  readonly monotonicMs: () => number;
}

export const SYSTEM_TIME: TimeSource = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

export class EngineClock {
  readonly #source: TimeSource;
  #engineMs: number;
  #lastMonotonicMs: number;
  #floorMs: number;

  /**
   * @throws Damage `clock_behind_journal` when the wall clock is more than 60 s behind the last
   * journaled stamp and the operator has not accepted that.
   */
  constructor(source: TimeSource, lastStampMs: number, options: { acceptBehind: boolean }) {
    const wall = source.wallMs();
    if (wall < lastStampMs - BEHIND_MAX_MS && !options.acceptBehind) {
      const behindS = Math.round((lastStampMs - wall) / 1000);
      throw new Damage(
        "clock_behind_journal",
        `wall clock is ${behindS} s behind (ACCEPT_CLOCK=1 starts anyway)`,
      );
    }
    this.#source = source;
    this.#engineMs = Math.max(wall, lastStampMs);
    this.#lastMonotonicMs = source.monotonicMs();
    this.#floorMs = lastStampMs;
  }

  /** The stamp of a command: integer epoch milliseconds, never less than any before it. */
  now(): number {
    const monotonic = this.#source.monotonicMs();
    const elapsed = Math.max(0, monotonic - this.#lastMonotonicMs);
    this.#lastMonotonicMs = monotonic;
    this.#engineMs += elapsed;
    const most = elapsed * SLEW_MAX;
    const wanted = this.driftMs() * Math.min(1, elapsed / SLEW_OVER_MS);
    this.#engineMs += Math.max(-most, Math.min(most, wanted));
    this.#floorMs = Math.max(this.#floorMs, Math.floor(this.#engineMs));
    return this.#floorMs;
  }

  /** Wall clock minus engine time; more than 2 s is worth an alarm. */
  driftMs(): number {
    return this.#source.wallMs() - this.#engineMs;
  }
}
