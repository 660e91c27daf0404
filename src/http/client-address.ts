/**
 * Whom a limit per address counts. Behind a proxy every connection is the proxy's, so the operator
 * says how many of them there are; only what those have written down is believed.
 */
import ipaddr from "ipaddr.js";

/** Bits of an IPv6 address that one customer of a network has to itself. */
const NETWORK_BITS = 64;

/**
 * The client's address for counting: an IPv4 address, or the /64 network of an IPv6 one, because
 * whoever has one address of it has all. `connection` is the other end's address, empty when it is
 * not known; `forwarded` the `X-Forwarded-For` header, to which each of `proxies` proxies has added
 * the address that connected to it.
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

/** What is no address is counted as it stands: it shares its limit with nobody but itself. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64);
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const bytes = parsed.toByteArray().fill(0, NETWORK_BITS / 8);
  return `${new ipaddr.IPv6(bytes).toString()}/${NETWORK_BITS}`;
}
