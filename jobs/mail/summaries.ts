/**
 * Sends daily summaries to operators. A summary is recorded as sent after its handover, so after a
 * crash in between it is sent again with the same Message-ID.
 */
import { dateOf, localInstant, todayIn } from "../../engine/core/calendar.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { Mode } from "../../engine/core/supply.ts";
import { every, type Log, type Service } from "../../src/lib/service.ts";
import type { MailWriter } from "./mail-writer.ts";
import { RETRY_S, SEND_MS_MAX } from "./sender.ts";
import { type SummaryData, summaryLetter } from "./summary-letter.ts";
import type { DueSummary, SummaryFailure, SummaryRows } from "./summary-rows.ts";

const RUN_EVERY_MS = 5_000;
/** After a day the next summary replaces it. */
const EXPIRES_MS = 86_400_000;
/** Failures that a retry cannot change. */
const FINAL: readonly SummaryFailure[] = ["rejected", "address", "unsubscribed"];

/** An operator with a daily summary. */
export interface SummaryReader {
  readonly agent_id: string;
  readonly mode: Mode;
  readonly email: string;
  /** Local time from which it is sent (`HH:mm`), in `timezone`. */
  readonly at: string;
  readonly timezone: string;
}

export interface SummariesOptions<R extends SummaryReader> {
  readonly rows: SummaryRows;
  readonly writer: Pick<MailWriter, "send" | "summaryIdOf">;
  /** The current operators. */
  readonly readers: () => readonly R[];
  /**
   * Figures of the day before `today`; null while they are being counted.
   *
   * @throws RecordDamaged when a needed record is damaged.
   */
  readonly dataOf: (reader: R, today: number) => SummaryData | null;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

export class Summaries<R extends SummaryReader> implements Service {
  readonly id = "daily summaries";
  readonly #options: SummariesOptions<R>;
  readonly #stopping = new AbortController();
  readonly #timer = every(this.id, RUN_EVERY_MS, () => void this.run());
  #running: Promise<void> | null = null;
  /** Handed over but not recorded: must be recorded and not sent again. */
  readonly #unrecorded = new Set<DueSummary>();
  #hasFailed = false;

  constructor(options: SummariesOptions<R>) {
    this.#options = options;
  }

  start(): void {
    this.#timer.start();
  }

  drain(): void {
    this.#timer.stop();
  }

  async stop(): Promise<void> {
    this.#timer.stop();
    this.#stopping.abort();
    await this.#running;
  }

  /** Sends due summaries one by one; a call during a run waits for it. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { log } = this.#options;
    try {
      await this.#sendDue();
      this.#hasFailed = false;
    } catch (error) {
      // Probably a full disk: logged once and retried.
      if (!this.#hasFailed) log("error", "cannot send daily summaries", { error: String(error) });
      this.#hasFailed = true;
    }
  }

  async #sendDue(): Promise<void> {
    const { rows, readers, now } = this.#options;
    for (const summary of this.#unrecorded) this.#record(summary);
    const byId = new Map(readers().map((reader) => [reader.agent_id, reader]));
    for (const { agent_id, at, timezone } of byId.values()) {
      const today = todayIn(timezone, now());
      if (now() >= localInstant(today, at, timezone).ms) rows.take(agent_id, today, now());
    }
    for (const summary of rows.due(now())) {
      if (this.#stopping.signal.aborted) return;
      const failure = await this.#send(summary, byId.get(summary.agent_id));
      if (failure === null) this.#record(summary);
      else if (!this.#stopping.signal.aborted) this.#fail(summary, failure);
    }
  }

  #record(summary: DueSummary): void {
    this.#unrecorded.add(summary);
    this.#options.rows.sent(summary);
    this.#unrecorded.delete(summary);
  }

  async #send(summary: DueSummary, reader: R | undefined): Promise<SummaryFailure | null> {
    const { agent_id, day, created_at: dateMs } = summary;
    if (!reader) return "unsubscribed";
    const { writer } = this.#options;
    const matter = this.#dataOf(reader, day);
    if (typeof matter === "string") return matter;
    const mail = {
      ...{ message_id: writer.summaryIdOf(agent_id, dateOf(day)), dateMs },
      to: { name: null, address: reader.email },
      ...summaryLetter(agent_id, matter),
    };
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(SEND_MS_MAX)]);
    const sending = await writer.send(reader.mode, mail, signal);
    return sending.ok ? null : sending.reason;
  }

  #dataOf(reader: R, day: number): SummaryData | SummaryFailure {
    try {
      return this.#options.dataOf(reader, day) ?? "not_counted";
    } catch (error) {
      // Only operators of the affected properties get no summary.
      if (!(error instanceof RecordDamaged)) throw error;
      return "record_damaged";
    }
  }

  #fail(summary: DueSummary, failure: SummaryFailure): void {
    const { rows, now, log } = this.#options;
    const { agent_id, created_at, tries } = summary;
    const isOver = now() - created_at > EXPIRES_MS;
    if (FINAL.includes(failure) || isOver) {
      const reason = isOver ? "expired" : failure;
      rows.giveUp(summary, reason);
      log("warn", "a daily summary was given up", { agent_id, reason });
      return;
    }
    const retry_s = RETRY_S[Math.min(tries, RETRY_S.length - 1)]!;
    rows.postpone(summary, failure, now() + retry_s * 1_000);
    log("warn", "a daily summary waits", { agent_id, reason: failure, retry_s });
  }
}
