/**
 * Reports stuck money: payments without a verdict and pending or failed refunds, by state and age,
 * as metrics and, when they are old, in the log.
 */
import { idTime } from "../../engine/core/ids.ts";
import type { OpenMoney } from "../../engine/log/money-index.ts";
import type { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { every, type Log, type Service } from "../../src/lib/service.ts";

const LOOK_EVERY_MS = 10_000;
const ALARM_EVERY_MS = 60_000;
/** Older money causes a warning, after `ERROR_AFTER_MS` an error. */
export const STUCK_AFTER_MS = 300_000;
const ERROR_AFTER_MS = 3_600_000;

export interface MoneyWatchOptions {
  readonly records: Pick<RecordReaderOn, "openMoney">;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** Number of a kind in a state, and age of the oldest in seconds; 0 without one. */
export interface MoneyGauge extends Pick<OpenMoney, "kind" | "state" | "count"> {
  readonly oldestS: number;
}

/** Checks every 10 s; logs at most once a minute. */
export class MoneyWatch implements Service {
  readonly id = "money watch";
  readonly #options: MoneyWatchOptions;
  readonly #timer = every(this.id, LOOK_EVERY_MS, () => this.look());
  #gauges: readonly MoneyGauge[] = [];
  #sinceAlarmMs = ALARM_EVERY_MS;
  /** Failed refunds at the last log line: a failure is logged once. */
  #failuresLogged = 0;

  constructor(options: MoneyWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer.start();
  }

  stop(): void {
    this.#timer.stop();
  }

  /** From the last check. */
  get gauges(): readonly MoneyGauge[] {
    return this.#gauges;
  }

  /** Checks now; logs if needed and the last line is a minute old. */
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
      log("warn", "cannot check open payments and refunds", { error: String(error) });
    }
  }

  /** True when it logged a line. */
  #alarm({ kind, state, count, oldest }: OpenMoney, nowMs: number): boolean {
    const { log } = this.#options;
    const about = { state, count, oldest };
    if (state === "failed") {
      const isNews = count > this.#failuresLogged;
      this.#failuresLogged = count;
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

/** Age by the time in an id, milliseconds; 0 without one. */
function ageMs(id: string | undefined, nowMs: number): number {
  return id === undefined ? 0 : Math.max(0, nowMs - idTime(id));
}
