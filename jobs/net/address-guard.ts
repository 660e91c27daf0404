/**
 * Decides which addresses may be called for a tenant (key sets, webhooks). Tenants enter them, so
 * they must not reach private networks (server-side request forgery). `addressProblem` checks the
 * text, `isGlobal` the resolved address; both are needed, because a public name may resolve to any
 * address and to another one a moment later.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export interface GuardTerms {
  /** Development only: allows private addresses, and http on loopback. */
  readonly allowPrivate: boolean;
}

/** The range assigned for routing (RFC 4291 §2.4); the rest is special or unassigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** DNS64 addresses of IPv4 hosts on networks without IPv4 (RFC 6052 §2.1). */
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
const NAT64_PREFIX_BYTES = 12;

/** At least two labels, the last not a number (RFC 1123 §2.1); no final dot. */
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Names that networks resolve locally (RFC 6761, RFC 6762, RFC 8375, ICANN). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** The host of a URL without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/**
 * True for a global unicast IP address in the form of RFC 4291 or dotted decimal (RFC 6890). False
 * for loopback, private, link-local, shared, multicast, reserved, documentation and benchmark
 * addresses, and for IPv6 forms of such IPv4 addresses.
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

/** True when the host may be public; a name must still resolve to global addresses only. */
function mayBePublic(host: string): boolean {
  if (isIP(host) !== 0) return isGlobal(host);
  return NAME.test(host) && !LOCAL_NAME.test(host);
}

/**
 * The problem of an address text as the message of a field error, or null. It reveals nothing about
 * what the name resolves to.
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
