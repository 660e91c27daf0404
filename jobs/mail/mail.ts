/**
 * The port to whatever takes mails: a mail, and what became of it. Mails hold what a guest has told
 * us, so none of this is ever logged or stored; what may be are the reason and the status.
 */

export interface Mailbox {
  /** What is shown beside the address, if anything. */
  readonly name: string | null;
  readonly address: string;
}

export interface Mail {
  /** The same at every try of the same mail: receivers know a second copy by it. No `<` and `>`. */
  readonly message_id: string;
  readonly dateMs: number;
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Why a mail did not go. `dns`, `connect`, `tls`, `timeout`, `auth`: the mail server is of no use;
 * `deferred`, `rejected`: it refused this mail for now, or for good; `address`: no mail can be sent
 * to that; `disk`: the outbox cannot be written.
 */
type Refused =
  | ("dns" | "connect" | "tls" | "timeout" | "auth")
  | ("deferred" | "rejected" | "address" | "disk");

/**
 * Why a mail was not even made: whom it is for cannot be known any more, or what about; and, as
 * long as this process has yet to read something or a record waits to be rebuilt, not yet.
 */
type Unmade = ("guest_erased" | "booking_unknown") | ("property_unknown" | "record_damaged");

export type MailFailure = Refused | Unmade;

export type Sending =
  | { readonly ok: true }
  /** `status`: what the server answered (RFC 5321 §4.2), if it did. */
  | { readonly ok: false; readonly reason: MailFailure; readonly status: number | null };

export interface Mailer {
  readonly via: "smtp" | "outbox";
  /** Hands the mail over; whoever takes it has it for good then. Never throws. */
  send(mail: Mail, signal: AbortSignal): Promise<Sending>;
  /** Ends connections. */
  close(): void;
}

const FINAL: readonly MailFailure[] = [
  ...(["rejected", "address", "guest_erased", "booking_unknown"] as const),
];
const COMMON: readonly MailFailure[] = ["dns", "connect", "tls", "timeout", "auth", "disk"];

/** Whether every other try would end alike. */
export function isFinal(reason: MailFailure): boolean {
  return FINAL.includes(reason);
}

/** Whether every other mail would fail alike. */
export function isCommon(reason: MailFailure): boolean {
  return COMMON.includes(reason);
}

const ADDRESS_BYTES_MAX = 254;
/** Without what separates, quotes or comments in a header, and without what is not seen. */
const ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u;

/** Whether a header and an SMTP command can hold the address and nothing but it. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text) && Buffer.byteLength(text) <= ADDRESS_BYTES_MAX;
}

/** `address` or `Name <address>`; null for anything else. */
export function mailboxIn(text: string): Mailbox | null {
  const [, name = "", named] = /^([^\p{C}"<>@]*)<([^<>]+)>$/u.exec(text) ?? [];
  const address = named ?? text;
  return isAddress(address) ? { name: name.trim() || null, address } : null;
}
