/** Sends daily summaries to operators. */
import { dateOf, localInstant, todayIn } from "../../engine/core/calendar.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { Mode } from "../../engine/core/supply.ts";
import type { Log } from "../../src/lib/service.ts";
import { DueSender } from "./due-sender.ts";
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

/** The service that sends them, one by one. */
export function summariesOf<R extends SummaryReader>(
  options: SummariesOptions<R>,
): DueSender<DueSummary, SummaryFailure> {
  const { rows, now, log } = options;
  let byId: ReadonlyMap<string, R> = new Map();
  return new DueSender<DueSummary, SummaryFailure>({
    ...{ id: "daily summaries", trouble: "cannot send daily summaries", log },
    ...{ runEveryMs: RUN_EVERY_MS, atOnceMax: 1, sendMsMax: SEND_MS_MAX },
    due() {
      byId = new Map(options.readers().map((reader) => [reader.agent_id, reader]));
      takeToday(options, byId);
      return rows.due(now());
    },
    keyOf: ({ agent_id, day }) => `${agent_id} ${day}`,
    send: (summary, signal) => send(options, byId.get(summary.agent_id), summary, signal),
    sent: (summary) => rows.sent(summary),
    failed: (summary, failure) => failed(options, summary, failure),
  });
}

function takeToday<R extends SummaryReader>(
  { rows, now }: SummariesOptions<R>,
  byId: ReadonlyMap<string, R>,
): void {
  for (const { agent_id, at, timezone } of byId.values()) {
    const today = todayIn(timezone, now());
    if (now() >= localInstant(today, at, timezone).ms) rows.take(agent_id, today, now());
  }
}

async function send<R extends SummaryReader>(
  options: SummariesOptions<R>,
  reader: R | undefined,
  { agent_id, day, created_at: dateMs }: DueSummary,
  signal: AbortSignal,
): Promise<SummaryFailure | null> {
  if (!reader) return "unsubscribed";
  const { writer } = options;
  const matter = dataOf(options, reader, day);
  if (typeof matter === "string") return matter;
  const mail = {
    ...{ message_id: writer.summaryIdOf(agent_id, dateOf(day)), dateMs },
    to: { name: null, address: reader.email },
    ...summaryLetter(agent_id, matter),
  };
  const sending = await writer.send(reader.mode, mail, signal);
  return sending.ok ? null : sending.reason;
}

function dataOf<R extends SummaryReader>(
  options: SummariesOptions<R>,
  reader: R,
  day: number,
): SummaryData | SummaryFailure {
  try {
    return options.dataOf(reader, day) ?? "not_counted";
  } catch (error) {
    // Only operators of the affected properties get no summary.
    if (!(error instanceof RecordDamaged)) throw error;
    return "record_damaged";
  }
}

function failed<R extends SummaryReader>(
  { rows, now, log }: SummariesOptions<R>,
  summary: DueSummary,
  failure: SummaryFailure,
): void {
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
