/**
 * Writes and sends mails. A guest's data is decrypted for one mail and not kept. Mails of mode test
 * always go to the outbox.
 */
import type { Booking } from "../../engine/core/records.ts";
import type { Mode, PropertyTree } from "../../engine/core/supply.ts";
import type { Mailbox } from "../../src/lib/mailbox.ts";
import {
  type Letter,
  type LetterData,
  type LetterKind,
  letterOf,
  linkLetterOf,
  nameToShow,
} from "./letter.ts";
import type { Mail, Mailer, Sending } from "./mail.ts";
import { OutboxMailer } from "./outbox.ts";
import { SmtpMailer, type SmtpServer } from "./smtp.ts";

/** The recipient of a booking's mails. */
export interface MailGuest {
  readonly full_name: string;
  readonly email: string;
  /** Language tag of mails to the guest. */
  readonly language?: string;
}

/** The link of a guest who asked for it. */
export interface MailedLink {
  readonly url: string;
  /** Six digits that do the same. */
  readonly code: string;
  /** Of the page that was asked. */
  readonly language: string;
}

export interface MailWriterOptions {
  /** Null: every mail goes to the outbox. */
  readonly server: SmtpServer | null;
  readonly outbox: string;
  readonly from: Mailbox;
  /** Address of the guests' pages. */
  readonly guestUrl: string;
  /**
   * The guest of a booking; null after an erasure.
   *
   * @throws RecordDamaged when the data cannot be decrypted.
   */
  readonly guestOf: (booking: Booking) => MailGuest | null;
  /** The property version of the booking's quote; null until this process has read it. */
  readonly treeOf: (booking: Booking) => PropertyTree | null;
}

/** Identifies a mail of a booking. */
export interface MailIdentity {
  readonly kind: LetterKind;
  readonly message_id: string;
  readonly dateMs: number;
}

export class MailWriter {
  readonly #options: MailWriterOptions;
  readonly #outbox: Mailer;
  readonly #live: Mailer;

  constructor(options: MailWriterOptions) {
    this.#options = options;
    const { server, outbox } = options;
    this.#outbox = new OutboxMailer(outbox);
    this.#live = server === null ? this.#outbox : new SmtpMailer(server);
  }

  /** The mailer of a mode. */
  mailerOf(mode: Mode): Mailer {
    return mode === "live" ? this.#live : this.#outbox;
  }

  /** A Message-ID (RFC 5322 §3.6.4) at our host; `nth` distinguishes copies. */
  messageIdOf({ booking_id }: Pick<Booking, "booking_id">, kind: LetterKind, nth = ""): string {
    return this.#idOf([kind, booking_id, nth].filter(Boolean));
  }

  /** Message-ID of the mail with a guest's link; `part` distinguishes links. */
  linkIdOf({ booking_id }: Pick<Booking, "booking_id">, part: string): string {
    return this.#idOf(["guest-link", booking_id, part]);
  }

  /** Message-ID of an operator's summary on a date (`YYYY-MM-DD`). */
  summaryIdOf(agentId: string, date: string): string {
    return this.#idOf(["summary", agentId, date]);
  }

  #idOf(words: readonly string[]): string {
    const { address } = this.#options.from;
    return `${words.join(".")}${address.slice(address.indexOf("@"))}`;
  }

  /** Sends a mail that is not to a guest. */
  send(mode: Mode, mail: Omit<Mail, "from">, signal: AbortSignal): Promise<Sending> {
    return this.mailerOf(mode).send({ ...mail, from: this.#options.from }, signal);
  }

  /**
   * Writes and sends a mail to a guest; a failure is a value without guest data.
   *
   * @throws RecordDamaged as `guestOf` does.
   */
  async post(
    booking: Booking,
    { kind, ...identity }: MailIdentity,
    signal: AbortSignal,
  ): Promise<Sending> {
    const { guestUrl } = this.#options;
    return this.#write(booking, identity, signal, (data) => letterOf(kind, { ...data, guestUrl }));
  }

  /**
   * The same for a link that the guest asked for.
   *
   * @throws RecordDamaged as `guestOf` does.
   */
  postLink(
    booking: Booking,
    { language, ...link }: MailedLink,
    identity: Omit<MailIdentity, "kind">,
    signal: AbortSignal,
  ): Promise<Sending> {
    return this.#write(booking, identity, signal, (data) =>
      linkLetterOf({ ...data, language }, link),
    );
  }

  async #write(
    booking: Booking,
    identity: Omit<MailIdentity, "kind">,
    signal: AbortSignal,
    letterTo: (data: LetterData) => Letter,
  ): Promise<Sending> {
    const tree = this.#options.treeOf(booking);
    if (!tree) return { ok: false, reason: "property_unknown", status: null };
    const guest = this.#options.guestOf(booking);
    if (!guest) return { ok: false, reason: "guest_erased", status: null };
    const { full_name: name, email, language } = guest;
    const letter = letterTo({ booking, tree, name, language });
    const to = { name: nameToShow(name), address: email };
    return this.send(booking.mode, { ...identity, ...letter, to }, signal);
  }

  close(): void {
    this.#outbox.close();
    if (this.#live !== this.#outbox) this.#live.close();
  }
}
