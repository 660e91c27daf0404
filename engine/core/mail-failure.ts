/** Failures of mails to guests, and whether a retry can help. */

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

/** Why a mail to a guest was not sent. */
export type MailFailure = Refused | Unmade;

const FINAL: readonly MailFailure[] = [
  ...(["rejected", "address", "guest_erased", "booking_unknown"] as const),
];

/** Whether a retry would fail too. */
export function isFinal(reason: MailFailure): boolean {
  return FINAL.includes(reason);
}
