/**
 * Engine time: the wall clock at the start, then the machine's steady clock, slewed towards the
 * wall clock by at most 10 % and never stepped. So a wall clock that jumps neither expires holds
 * early nor makes journal time run backwards. The steady clock also counts sleep, so time is right
 * after a machine wakes.
 *
 * The wall clock is trusted only at a start and within bounds; beyond them the start is refused,
 * and only an operator can accept it. An engine that follows a crashed one of the same boot
 * continues its time.
 */

import { Damage, type DamageName } from "../core/damage.ts";
import { CLOCK_AHEAD_MAX_MS } from "../core/due/due-by-time.ts";
import type { TimeSource } from "./system-time.ts";
import { SLEW_SPAN_MS, type TimeLine, timeOn } from "./time-line.ts";

const SLEW_MAX = 0.1;
/** Drift is corrected over about this time. */
const SLEW_OVER_MS = 10_000;
const BEHIND_MAX_MS = 60_000;
const DRIFT_ALARM_MS = 2_000;
const DAY_MS = 86_400_000;

export interface ClockStart {
  /** Stamp of the journal's last row; 0 for an empty journal. */
  readonly lastStampMs: number;
  /** The time line of a crashed engine of this boot. */
  readonly former?: TimeLine | null;
  /** An operator accepted a wall clock out of bounds. */
  readonly isAccepted?: boolean;
  /** Called with every time line before a stamp is taken from it. */
  readonly publish?: (line: TimeLine) => void;
}

export class EngineClock {
  readonly #source: TimeSource;
  readonly #publish: (line: TimeLine) => void;
  #line: TimeLine;
  #floorMs = 0;

  /**
   * @throws Damage `clock_behind_journal` or `clock_ahead_of_journal` when the wall clock is more
   * than 60 s behind the last stamp or more than 45 days ahead of it, and no operator has accepted
   * that.
   */
  constructor(source: TimeSource, start: ClockStart) {
    this.#source = source;
    this.#publish = start.publish ?? (() => {});
    const monotonicMs = source.monotonicMs();
    const engineMs = startingAt(source, start);
    this.#line = { monotonicMs, engineMs, slewMs: 0 };
    this.#publish(this.#line);
  }

  /** The stamp of a command: integer epoch milliseconds, never decreasing. */
  now(): number {
    const nowMs = Math.floor(timeOn(this.#line, this.#source.monotonicMs()));
    this.#floorMs = Math.max(this.#floorMs, nowMs);
    return this.#floorMs;
  }

  /** Slews engine time towards the wall clock for the next second; call it more often. */
  steer(): void {
    const monotonicMs = this.#source.monotonicMs();
    const engineMs = timeOn(this.#line, monotonicMs);
    const most = SLEW_SPAN_MS * SLEW_MAX;
    const driftMs = this.driftMs();
    // A wall clock that no start would accept is ignored.
    const isCredible = Math.abs(driftMs) <= CLOCK_AHEAD_MAX_MS;
    const wanted = isCredible ? (driftMs * SLEW_SPAN_MS) / SLEW_OVER_MS : 0;
    const slewMs = Math.max(-most, Math.min(most, wanted));
    this.#line = { monotonicMs, engineMs, slewMs };
    this.#publish(this.#line);
  }

  /** The line of time that it runs on, for a clock that continues it. */
  get line(): TimeLine {
    return this.#line;
  }

  /** False when the wall clock is so far off that an operator must check it. */
  get isOnTime(): boolean {
    return Math.abs(this.driftMs()) <= DRIFT_ALARM_MS;
  }

  driftMs(): number {
    return this.#source.wallMs() - timeOn(this.#line, this.#source.monotonicMs());
  }
}

function startingAt(source: TimeSource, start: ClockStart): number {
  const { lastStampMs, former = null, isAccepted = false } = start;
  const formerMs = former ? timeOn(former, source.monotonicMs()) : 0;
  if (former && formerMs >= lastStampMs) return formerMs;
  const wallMs = source.wallMs();
  if (isAccepted) return wallMs;
  const aheadMs = lastStampMs === 0 ? 0 : wallMs - lastStampMs;
  if (aheadMs < -BEHIND_MAX_MS) throw beyond("clock_behind_journal", -aheadMs, "behind");
  if (aheadMs > CLOCK_AHEAD_MAX_MS) throw beyond("clock_ahead_of_journal", aheadMs, "ahead of");
  return Math.max(wallMs, lastStampMs);
}

/** Equal damage for as long as the difference is about the same number of days. */
function beyond(name: DamageName, byMs: number, where: string): Damage {
  const days = Math.round(byMs / DAY_MS);
  const amount = days > 1 ? `${days} days` : `${Math.round(byMs / 1000)} s`;
  return new Damage(name, `the wall clock is ${amount} ${where} the last row`, String(days));
}
