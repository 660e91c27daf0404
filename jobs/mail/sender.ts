/**
 * Sends what is due, found by state: nothing is kept in Redis, so nothing is lost with it. A mail
 * is recorded as sent after it was handed over; who is killed in between sends it once more, with
 * the same Message-ID.
 *
 * Failures of the mail itself concern that mail; when the mail server (or the disk) fails, all
 * others wait too, so that a server that hangs is not asked by thousands.
 */
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { Booking } from "../../engine/core/records.ts";
import type { Mode } from "../../engine/core/supply.ts";
import type { Log, Service } from "../../engine/shell/service.ts";
import type { MailDesk } from "./desk.ts";
import { isCommon, isFinal, type Mailer, type Sending } from "./mail.ts";
import type { DueMail, MailStore } from "./mail-store.ts";
import { SMTP_PLACES } from "./smtp.ts";

/** Time to the next try after the first, the second … failure; then every hour. */
export const RETRY_S = [2, 10, 60, 300, 900, 3_600];
/** Mail servers give up after five days as well (RFC 5321 §4.5.4.1). */
const EXPIRES_MS = 5 * 86_400_000;
/** For one mail, from the name of the server to its last word. */
export const SEND_MS_MAX = 45_000;
/** For mails that are on their way when the process stops. */
const LAST_MAILS_MS = 1_000;
/** A mail server that failed is asked again after so long at the latest. */
const PAUSE_S_MAX = 60;
const MODES: readonly Mode[] = ["live", "test"];

export interface MailSenderOptions {
  readonly store: Pick<MailStore, "due" | "sent" | "postpone" | "giveUp">;
  readonly desk: Pick<MailDesk, "post" | "mailerOf">;
  readonly bookingOf: (bookingId: string) => Booking | null;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

interface Trouble {
  readonly count: number;
  readonly untilMs: number;
}

export class MailSender implements Service {
  readonly id = "mail sender";
  readonly #options: MailSenderOptions;
  readonly #stopping = new AbortController();
  #isEnding = false;
  readonly #underWay = new Map<string, Promise<void>>();
  /** Handed over, but the store could not say so: to be recorded, and not to be sent again. */
  readonly #unrecorded = new Map<string, DueMail>();
  /** Mailers that failed in a row, and until when (`performance.now()`) they are left alone. */
  readonly #troubles = new Map<Mailer, Trouble>();
  #sent = 0;

  constructor(options: MailSenderOptions) {
    this.#options = options;
  }

  /** How many were handed over since the start. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Begins to send what is due, as far as there are places: no more a run, so that what the mails
   * of a rush take from the other work of this process is bounded, and they are merely late.
   *
   * @throws Error when the store cannot be read or written.
   */
  run(): void {
    if (this.#isEnding) return;
    const { store, desk, now } = this.#options;
    for (const [name, mail] of this.#unrecorded) {
      store.sent(mail, now());
      this.#unrecorded.delete(name);
    }
    for (const mode of MODES) {
      const free = SMTP_PLACES - this.#underWay.size;
      if (free <= 0 || this.#isLeftAlone(desk.mailerOf(mode))) continue;
      // Those under way are due as well, until they are recorded.
      const due = store.due(mode, now(), SMTP_PLACES);
      const waiting = due.filter((mail) => !this.#underWay.has(nameOf(mail)));
      for (const mail of waiting.slice(0, free)) this.#take(mail);
    }
  }

  /** Waits for what is under way; what is cut off is sent again by the next start. */
  async drain(): Promise<void> {
    this.#isEnding = true;
    await Promise.race([Promise.all(this.#underWay.values()), Bun.sleep(LAST_MAILS_MS)]);
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    this.#stopping.abort();
    await Promise.all(this.#underWay.values());
  }

  #isLeftAlone(mailer: Mailer): boolean {
    const trouble = this.#troubles.get(mailer);
    return trouble !== undefined && performance.now() < trouble.untilMs;
  }

  #take(mail: DueMail): void {
    const { log } = this.#options;
    const name = nameOf(mail);
    const work = async () => {
      try {
        await this.#handle(mail);
      } catch (error) {
        // It is due still, and met again at the next run.
        log("error", "a mail could not be worked on", { mail: name, error: String(error) });
      } finally {
        this.#underWay.delete(name);
      }
    };
    this.#underWay.set(name, work());
  }

  async #handle(mail: DueMail): Promise<void> {
    const { store, desk, now } = this.#options;
    const posted = await this.#post(mail);
    if (posted.ok) {
      this.#sent += 1;
      this.#troubles.delete(desk.mailerOf(mail.mode));
      this.#unrecorded.set(nameOf(mail), mail);
      store.sent(mail, now());
      this.#unrecorded.delete(nameOf(mail));
    } else if (!this.#stopping.signal.aborted) {
      this.#fail(mail, posted);
    }
  }

  async #post({ booking_id, kind, message_id, created_at }: DueMail): Promise<Sending> {
    const { desk, bookingOf } = this.#options;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(SEND_MS_MAX)]);
    try {
      const booking = bookingOf(booking_id);
      if (!booking) return { ok: false, reason: "booking_unknown", status: null };
      return await desk.post(booking, { kind, message_id, dateMs: created_at }, signal);
    } catch (error) {
      if (!(error instanceof RecordDamaged)) throw error;
      return { ok: false, reason: "record_damaged", status: null };
    }
  }

  #fail(mail: DueMail, { reason, status }: Extract<Sending, { ok: false }>): void {
    const { store, desk, now, log } = this.#options;
    const about = { mail: nameOf(mail), status, via: desk.mailerOf(mail.mode).via };
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
    if (isCommon(reason)) this.#leaveAlone(desk.mailerOf(mail.mode));
  }

  #leaveAlone(mailer: Mailer): void {
    // Mails that were under way together tell of one failure.
    if (this.#isLeftAlone(mailer)) return;
    const count = (this.#troubles.get(mailer)?.count ?? 0) + 1;
    const pauseS = Math.min(RETRY_S[Math.min(count, RETRY_S.length) - 1]!, PAUSE_S_MAX);
    this.#troubles.set(mailer, { count, untilMs: performance.now() + pauseS * 1_000 });
  }
}

/** For logs: no word of the guest. */
function nameOf({ booking_id, kind }: DueMail): string {
  return `${kind} ${booking_id}`;
}
