/**
 * The client address of limits. Behind a proxy every connection is the proxy's, so the operator
 * configures the number of proxies; only their entries are trusted.
 */
import ipaddr from "ipaddr.js";

/** Prefix length of an IPv6 customer network. */
const NETWORK_BITS = 64;

/**
 * The client's address for counting: an IPv4 address, or the /64 network of an IPv6 one, because
 * one customer has all its addresses. `connection` is the peer's address, empty when unknown;
 * `forwarded` the `X-Forwarded-For` header, to which each of `proxies` proxies has added the
 * address that connected to it.
 */
export function clientAddress(
  connection: string,
  forwarded: string | null,
  proxies: number,
): string {
  if (proxies === 0) return networkOf(connection);
  const seen = (forwarded ?? "").split(",").map((each) => each.trim());
  return networkOf(seen.at(-proxies) || connection);
}

/** Anything that is not an IP address is its own key. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64);
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const bytes = parsed.toByteArray().fill(0, NETWORK_BITS / 8);
  return `${new ipaddr.IPv6(bytes).toString()}/${NETWORK_BITS}`;
}
