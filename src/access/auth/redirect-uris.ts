/**
 * Addresses that a client is answered at. They are compared as texts: an address that is only
 * equivalent to a registered one is another one (RFC 9700 §2.1).
 */

const URI_CHARACTERS_MAX = 2_000;
/** Printable, and nothing that ends an attribute or that browsers rewrite. */
const PLAIN = /^[a-z][a-z0-9+.-]*:[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7e]+$/i;
const WEB = /^https:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?]|$)/i;
/** Native apps listen on a port of the moment (RFC 8252 §7.3). */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?(?=[/?]|$)/;

/**
 * Schemes that run, read or show something in a browser, or that programs of the system take as
 * commands. Others belong to apps (RFC 8252 §7.1).
 */
const NOT_OF_APPS =
  /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source|jar|resource|wyciwyg|http|ws|wss|ftp|sftp|ssh|telnet|ldap|smb|mailto|tel|sms|urn|cid|mid|intent|content|shell|search|search-ms|chrome|chrome-[\w-]+|edge|opera|brave|moz-[\w-]+|safari-[\w-]+|ms-[\w-]+):/i;

/** Whether a client may register the address. */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > URI_CHARACTERS_MAX || !PLAIN.test(uri)) return false;
  const url = URL.parse(uri);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return WEB.test(uri);
  return LOOPBACK.test(uri) || !NOT_OF_APPS.test(uri);
}

/** Whether `sent` is the registered address; of loopback addresses any port that exists will do. */
export function isSameRedirectUri(registered: string, sent: string): boolean {
  if (registered === sent) return true;
  return withoutPort(registered) === withoutPort(sent) && URL.canParse(sent);
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, "http://$1");
}

/** The address with the parameters of an answer; those of its own stay (RFC 6749 §4.1.2). */
export function answeredAt(uri: string, answer: Readonly<Record<string, string>>): string {
  const first = uri.includes("?") ? "&" : "?";
  return uri + first + new URLSearchParams(answer).toString();
}

/** What a person recognizes of the address: its host, or the scheme of an app. */
export function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === "https:" || protocol === "http:" ? host : protocol;
}

/** Whether an answer stays on the person's own computer. */
export function isOnThisDevice(uri: string): boolean {
  return !uri.toLowerCase().startsWith("https:");
}

/** The source of a content security policy that the address matches (CSP 3 §2.3.1). */
export function policySource(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri);
  const isWeb = protocol === "https:" || protocol === "http:";
  // Sources have no place for an IPv6 address.
  return isWeb && !hostname.startsWith("[") ? origin : protocol;
}
