/**
 * Money that is stuck must be seen: payments without a verdict, refunds that wait or have failed,
 * by state and age, as metrics and, when something is stuck for long, as an alarm in the log.
 */
import { idTime } from "../../engine/core/ids.ts";
import type { OpenMoney, RecordReaderOn } from "../../engine/shell/record-store.ts";
import { every, type Log, type Service } from "../../engine/shell/service.ts";

const LOOK_EVERY_MS = 10_000;
const ALARM_EVERY_MS = 60_000;
/** Older than this, somebody should look; older than the other, somebody must. */
export const STUCK_AFTER_MS = 300_000;
const ERROR_AFTER_MS = 3_600_000;

export interface MoneyWatchOptions {
  readonly records: Pick<RecordReaderOn, "openMoney">;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** How many there are of a kind in a state, and the age of the oldest, seconds; 0 for none. */
export interface MoneyGauge extends Pick<OpenMoney, "kind" | "state" | "count"> {
  readonly oldestS: number;
}

/** Looks every 10 s; alarms at most once a minute. */
export class MoneyWatch implements Service {
  readonly id = "money watch";
  readonly #options: MoneyWatchOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => this.look());
  #gauges: readonly MoneyGauge[] = [];
  #sinceAlarmMs = ALARM_EVERY_MS;
  /** How many refunds had failed when that was told last: a failure is news once. */
  #failuresTold = 0;

  constructor(options: MoneyWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer.start();
  }

  stop(): void {
    this.#timer.stop();
  }

  /** As of the last look. */
  get gauges(): readonly MoneyGauge[] {
    return this.#gauges;
  }

  /** Looks now; alarms when there is reason to and the last alarm is a minute ago. */
  look(): void {
    const { records, now, log } = this.#options;
    try {
      const nowMs = now();
      const found = records.openMoney();
      this.#gauges = found.map(({ kind, state, count, oldest }) => {
        return { kind, state, count, oldestS: ageMs(oldest[0], nowMs) / 1000 };
      });
      this.#sinceAlarmMs += LOOK_EVERY_MS;
      if (this.#sinceAlarmMs < ALARM_EVERY_MS) return;
      const alarms = found.map((money) => this.#alarm(money, nowMs));
      if (alarms.includes(true)) this.#sinceAlarmMs = 0;
    } catch (error) {
      log("warn", "open money could not be looked at", { error: String(error) });
    }
  }

  /** True when it was worth one. */
  #alarm({ kind, state, count, oldest }: OpenMoney, nowMs: number): boolean {
    const { log } = this.#options;
    const about = { state, count, oldest };
    if (state === "failed") {
      const isNews = count > this.#failuresTold;
      this.#failuresTold = count;
      if (isNews) log("error", "refunds have failed: pay them back another way", about);
      return isNews;
    }
    const oldestMs = ageMs(oldest[0], nowMs);
    if (oldestMs < STUCK_AFTER_MS) return false;
    const level = oldestMs < ERROR_AFTER_MS ? "warn" : "error";
    log(level, `a ${kind} is stuck`, { ...about, oldest_s: Math.round(oldestMs / 1000) });
    return true;
  }
}

/** The age that an id tells, milliseconds; 0 for none. */
function ageMs(id: string | undefined, nowMs: number): number {
  return id === undefined ? 0 : Math.max(0, nowMs - idTime(id));
}
