/**
 * The port to a mailer. Mails contain guest data and are never logged or stored; reason and status
 * of a failure may be.
 */
import type { MailFailure } from "../../engine/core/mail-failure.ts";
import type { Mailbox } from "../../src/lib/mailbox.ts";

export interface Mail {
  /** Equal in every try, so that receivers detect a second copy. Without `<` and `>`. */
  readonly message_id: string;
  readonly dateMs: number;
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export type Sending =
  | { readonly ok: true }
  /** `status`: of the server's answer (RFC 5321 §4.2), if any. */
  | { readonly ok: false; readonly reason: MailFailure; readonly status: number | null };

export interface Mailer {
  readonly via: "smtp" | "outbox";
  /** Hands the mail over; the receiver is then responsible for it. Never throws. */
  send(mail: Mail, signal: AbortSignal): Promise<Sending>;
  /** Closes connections. */
  close(): void;
}

const COMMON: readonly MailFailure[] = ["dns", "connect", "tls", "timeout", "auth", "disk"];

/** Whether other mails would fail too. */
export function isCommon(reason: MailFailure): boolean {
  return COMMON.includes(reason);
}
