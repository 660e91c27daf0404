/**
 * Which addresses this service may call on a tenant's behalf (key sets, webhooks). They are entered
 * from outside, so they must not reach what only this machine's network can reach: that is server
 * side request forgery. `addressProblem` judges the text, `isGlobal` what a name resolved to; both
 * are needed, because a public name may point anywhere and may point elsewhere a moment later.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export interface GuardTerms {
  /** Development only: private addresses too, and plain http on loopback. */
  readonly allowPrivate: boolean;
}

/** All that is assigned for routing (RFC 4291 §2.4). What lies outside is special or unassigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** What DNS64 makes of an IPv4 address on networks without IPv4 (RFC 6052 §2.1). */
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
const NAT64_PREFIX_BYTES = 12;

/** At least two labels, the last no number (RFC 1123 §2.1); no final dot. */
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Names that every network answers by itself (RFC 6761, RFC 6762, RFC 8375, ICANN). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** The host of a URL without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/**
 * True for an IP address in the form of RFC 4291 or dotted decimal that is global unicast: not
 * loopback, private, link-local, shared, multicast, reserved, for documentation or benchmarks, and
 * not an IPv6 form that leads to such an IPv4 address (RFC 6890).
 */
export function isGlobal(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast";
  if (parsed.match(NAT64)) {
    const embedded = new ipaddr.IPv4(parsed.toByteArray().slice(NAT64_PREFIX_BYTES));
    return embedded.range() === "unicast";
  }
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === "unicast";
}

/** True when the host may be public; a name still has to resolve to global addresses only. */
function mayBePublic(host: string): boolean {
  if (isIP(host) !== 0) return isGlobal(host);
  return NAME.test(host) && !LOCAL_NAME.test(host);
}

/**
 * What is wrong with an address as a text, as the message of a field error; null when nothing is.
 * It says nothing of what the name resolves to, which is not the caller's to learn.
 */
export function addressProblem(address: string, { allowPrivate }: GuardTerms): string | null {
  const url = URL.parse(address);
  if (url === null) return "is not an absolute address";
  const host = hostOf(url);
  const isPlain = allowPrivate && url.protocol === "http:" && LOOPBACK_HOST.test(host);
  if (url.protocol !== "https:" && !isPlain) return "is not https";
  if (url.username !== "" || url.password !== "") return "holds a user name or password";
  if (url.hash !== "") return "has a fragment";
  return allowPrivate || mayBePublic(host) ? null : "does not name a public host";
}
