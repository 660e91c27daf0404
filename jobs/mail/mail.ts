/**
 * The port to a mailer. Mails contain guest data and are never logged or stored; reason and status
 * of a failure may be.
 */

export interface Mailbox {
  /** Display name, if any. */
  readonly name: string | null;
  readonly address: string;
}

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

/**
 * Why a mail was not sent. `dns`, `connect`, `tls`, `timeout`, `auth`: the mail server cannot be
 * used. `deferred`, `rejected`: it refused this mail for now, or for good. `address`: invalid.
 * `disk`: the outbox cannot be written.
 */
type Refused =
  | ("dns" | "connect" | "tls" | "timeout" | "auth")
  | ("deferred" | "rejected" | "address" | "disk");

/**
 * Why a mail was not written: its guest or booking is gone; or, for now, the property version is
 * not read yet or a record is damaged.
 */
type Unmade = ("guest_erased" | "booking_unknown") | ("property_unknown" | "record_damaged");

export type MailFailure = Refused | Unmade;

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

const FINAL: readonly MailFailure[] = [
  ...(["rejected", "address", "guest_erased", "booking_unknown"] as const),
];
const COMMON: readonly MailFailure[] = ["dns", "connect", "tls", "timeout", "auth", "disk"];

/** Whether a retry would fail too. */
export function isFinal(reason: MailFailure): boolean {
  return FINAL.includes(reason);
}

/** Whether other mails would fail too. */
export function isCommon(reason: MailFailure): boolean {
  return COMMON.includes(reason);
}

const ADDRESS_BYTES_MAX = 254;
/** Without separators, quotes and comments of headers, and without invisible characters. */
const ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u;

/** Whether the text is safe as an address in a header and an SMTP command. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text) && Buffer.byteLength(text) <= ADDRESS_BYTES_MAX;
}

/** `address` or `Name <address>`; null for anything else. */
export function mailboxIn(text: string): Mailbox | null {
  const [, name = "", named] = /^([^\p{C}"<>@]*)<([^<>]+)>$/u.exec(text) ?? [];
  const address = named ?? text;
  return isAddress(address) ? { name: name.trim() || null, address } : null;
}
