/**
 * Sends due mails, found by state: Redis holds nothing. A mail is recorded as sent after its
 * handover, so after a crash in between it is sent again with the same Message-ID.
 *
 * A failure of a mail affects only that mail. When the mail server or the disk fails, all mails
 * wait, so that thousands of tries do not load a hanging server.
 */

import { isFinal } from "../../engine/core/mail-failure.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { Booking } from "../../engine/core/records.ts";
import type { Mode } from "../../engine/core/supply.ts";
import type { Log, Service } from "../../src/lib/service.ts";
import { isCommon, type Mailer, type Sending } from "./mail.ts";
import type { DueMail, MailStore } from "./mail-store.ts";
import type { MailWriter } from "./mail-writer.ts";
import { SMTP_IN_FLIGHT_MAX } from "./smtp.ts";

/** Delay after the first, second, … failure; then every hour. */
export const RETRY_S = [2, 10, 60, 300, 900, 3_600];
/** As mail servers do (RFC 5321 §4.5.4.1). */
const EXPIRES_MS = 5 * 86_400_000;
/** Limit for one mail, from the name look-up to the last answer. */
export const SEND_MS_MAX = 45_000;
/** Time for mails in flight when the process stops. */
const LAST_MAILS_MS = 1_000;
/** Longest pause after failures of a mail server. */
const PAUSE_S_MAX = 60;
const MODES: readonly Mode[] = ["live", "test"];

export interface MailSenderOptions {
  readonly store: Pick<MailStore, "due" | "sent" | "postpone" | "giveUp">;
  readonly writer: Pick<MailWriter, "post" | "mailerOf">;
  readonly bookingOf: (bookingId: string) => Booking | null;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

interface Failures {
  readonly count: number;
  readonly untilMs: number;
}

export class MailSender implements Service {
  readonly id = "mail sender";
  readonly #options: MailSenderOptions;
  readonly #stopping = new AbortController();
  #isEnding = false;
  readonly #underWay = new Map<string, Promise<void>>();
  /** Handed over but not recorded: must be recorded and not sent again. */
  readonly #unrecorded = new Map<string, DueMail>();
  /** Mailers that failed, with the end of their pause (`performance.now()`). */
  readonly #failures = new Map<Mailer, Failures>();
  #sent = 0;

  constructor(options: MailSenderOptions) {
    this.#options = options;
  }

  /** Mails handed over since the start. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Starts to send due mails up to the limit, once per call, so that a rush of mails does not slow
   * the rest of the process.
   *
   * @throws Error when the store cannot be read or written.
   */
  run(): void {
    if (this.#isEnding) return;
    const { store, writer, now } = this.#options;
    for (const [name, mail] of this.#unrecorded) {
      store.sent(mail, now());
      this.#unrecorded.delete(name);
    }
    for (const mode of MODES) {
      const free = SMTP_IN_FLIGHT_MAX - this.#underWay.size;
      if (free <= 0 || this.#isPaused(writer.mailerOf(mode))) continue;
      // Mails in flight are still due until they are recorded.
      const due = store.due(mode, now(), SMTP_IN_FLIGHT_MAX);
      const waiting = due.filter((mail) => !this.#underWay.has(nameOf(mail)));
      for (const mail of waiting.slice(0, free)) this.#take(mail);
    }
  }

  /** Waits for mails in flight; the next start sends interrupted ones again. */
  async drain(): Promise<void> {
    this.#isEnding = true;
    await Promise.race([Promise.all(this.#underWay.values()), Bun.sleep(LAST_MAILS_MS)]);
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    this.#stopping.abort();
    await Promise.all(this.#underWay.values());
  }

  #isPaused(mailer: Mailer): boolean {
    const trouble = this.#failures.get(mailer);
    return trouble !== undefined && performance.now() < trouble.untilMs;
  }

  #take(mail: DueMail): void {
    const { log } = this.#options;
    const name = nameOf(mail);
    const work = async () => {
      try {
        await this.#handle(mail);
      } catch (error) {
        // It is still due and is tried again at the next run.
        log("error", "cannot send a mail", { mail: name, error: String(error) });
      } finally {
        this.#underWay.delete(name);
      }
    };
    this.#underWay.set(name, work());
  }

  async #handle(mail: DueMail): Promise<void> {
    const { store, writer, now } = this.#options;
    const posted = await this.#post(mail);
    if (posted.ok) {
      this.#sent += 1;
      this.#failures.delete(writer.mailerOf(mail.mode));
      this.#unrecorded.set(nameOf(mail), mail);
      store.sent(mail, now());
      this.#unrecorded.delete(nameOf(mail));
    } else if (!this.#stopping.signal.aborted) {
      this.#fail(mail, posted);
    }
  }

  async #post({ booking_id, kind, message_id, created_at }: DueMail): Promise<Sending> {
    const { writer, bookingOf } = this.#options;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(SEND_MS_MAX)]);
    try {
      const booking = bookingOf(booking_id);
      if (!booking) return { ok: false, reason: "booking_unknown", status: null };
      return await writer.post(booking, { kind, message_id, dateMs: created_at }, signal);
    } catch (error) {
      if (!(error instanceof RecordDamaged)) throw error;
      return { ok: false, reason: "record_damaged", status: null };
    }
  }

  #fail(mail: DueMail, { reason, status }: Extract<Sending, { ok: false }>): void {
    const { store, writer, now, log } = this.#options;
    const about = { mail: nameOf(mail), status, via: writer.mailerOf(mail.mode).via };
    const isExpired = now() - mail.created_at > EXPIRES_MS;
    if (isFinal(reason) || isExpired) {
      const end = isFinal(reason) ? reason : "expired";
      store.giveUp(mail, { reason: end, status }, now());
      log("warn", "a mail to a guest was given up", { ...about, reason: end });
      return;
    }
    const retry_s = RETRY_S[Math.min(mail.tries, RETRY_S.length - 1)]!;
    store.postpone(mail, { reason, status }, now() + retry_s * 1_000);
    log("warn", "a mail to a guest waits", { ...about, reason, retry_s });
    if (isCommon(reason)) this.#leaveAlone(writer.mailerOf(mail.mode));
  }

  #leaveAlone(mailer: Mailer): void {
    // Mails that were in flight together count as one failure.
    if (this.#isPaused(mailer)) return;
    const count = (this.#failures.get(mailer)?.count ?? 0) + 1;
    const pauseS = Math.min(RETRY_S[Math.min(count, RETRY_S.length) - 1]!, PAUSE_S_MAX);
    this.#failures.set(mailer, { count, untilMs: performance.now() + pauseS * 1_000 });
  }
}

/** For logs: without guest data. */
function nameOf({ booking_id, kind }: DueMail): string {
  return `${kind} ${booking_id}`;
}
