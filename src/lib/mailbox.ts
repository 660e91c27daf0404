/** Mail addresses, with and without a display name. */

/** An address, as in a header. */
export interface Mailbox {
  /** Display name, if any. */
  readonly name: string | null;
  readonly address: string;
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
