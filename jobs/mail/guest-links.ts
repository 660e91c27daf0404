/**
 * Sends the mails with links that guests asked for. A link is worth little later, so a mail that
 * cannot be sent is soon given up. It is recorded as sent after its handover, so after a crash in
 * between it is sent again with the same Message-ID.
 */
import { isFinal, type MailFailure } from "../../engine/core/mail-failure.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { Booking } from "../../engine/core/records.ts";
import { every, type Log, type Service } from "../../src/lib/service.ts";
import type { MailedLink, MailWriter } from "./mail-writer.ts";

const RUN_EVERY_MS = 250;
const RETRY_MS = [2_000, 10_000, 60_000];
const SEND_MS_MAX = 20_000;
const AT_ONCE_MAX = 20;

export interface DueLink {
  readonly link_id: string;
  readonly booking_id: string;
  readonly language: string;
  readonly created_at: number;
  readonly tries: number;
}

/** The links and what their mails contain. */
export interface LinkStore {
  due(nowMs: number, limit: number): readonly DueLink[];
  /** Null: no other try. */
  tried(link: DueLink, next_try_at: number | null): void;
}

export interface GuestLinkMailsOptions {
  readonly store: LinkStore;
  readonly writer: Pick<MailWriter, "postLink" | "linkIdOf">;
  readonly bookingOf: (bookingId: string) => Booking | null;
  /** Address and digits of a link, and the part of a message id that tells it apart. */
  readonly linkOf: (linkId: string) => Omit<MailedLink, "language"> & { readonly part: string };
  /** The life of a link. */
  readonly ttlMs: number;
  /** The clock of the links, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

export class GuestLinkMails implements Service {
  readonly id = "guest link mails";
  readonly #options: GuestLinkMailsOptions;
  readonly #stopping = new AbortController();
  readonly #timer = every(this.id, RUN_EVERY_MS, () => void this.run());
  #running: Promise<void> | null = null;
  #hasFailed = false;

  constructor(options: GuestLinkMailsOptions) {
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

  /** Sends due mails; a call during a run waits for it. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { store, now, log } = this.#options;
    try {
      const due = store.due(now(), AT_ONCE_MAX);
      await Promise.all(due.map((link) => this.#handle(link)));
      this.#hasFailed = false;
    } catch (error) {
      // Probably a full disk: logged once and retried.
      if (!this.#hasFailed) log("error", "cannot send guests' links", { error: String(error) });
      this.#hasFailed = true;
    }
  }

  async #handle(link: DueLink): Promise<void> {
    const { store, now, log, ttlMs } = this.#options;
    const failure = await this.#send(link);
    if (this.#stopping.signal.aborted && failure !== null) return;
    const waitMs = failure === null || isFinal(failure) ? undefined : RETRY_MS[link.tries];
    const next = waitMs === undefined ? null : now() + waitMs;
    const isLate = next !== null && next >= link.created_at + ttlMs;
    store.tried(link, isLate ? null : next);
    if (failure === null) return;
    const { booking_id } = link;
    log("warn", "a guest's link was not sent", { booking_id, reason: failure, tries: link.tries });
  }

  async #send(link: DueLink): Promise<MailFailure | null> {
    const { writer, bookingOf, linkOf } = this.#options;
    const { booking_id, link_id, language, created_at: dateMs } = link;
    try {
      const booking = bookingOf(booking_id);
      if (!booking) return "booking_unknown";
      const { part, ...mailed } = linkOf(link_id);
      const identity = { message_id: writer.linkIdOf(booking, part), dateMs };
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(SEND_MS_MAX)]);
      const sending = await writer.postLink(booking, { ...mailed, language }, identity, signal);
      return sending.ok ? null : sending.reason;
    } catch (error) {
      if (!(error instanceof RecordDamaged)) throw error;
      return "record_damaged";
    }
  }
}
