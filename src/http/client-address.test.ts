/**
 * Goal: a caller cannot choose the address it is counted under, and shares it with no other
 * client.
 */
import { expect, test } from "bun:test";
import { clientAddress } from "./client-address.ts";

test("without a proxy the address is that of the connection, whatever the header says", () => {
  expect(clientAddress("203.0.113.7", null, 0)).toBe("203.0.113.7");
  expect(clientAddress("203.0.113.7", "198.51.100.1", 0)).toBe("203.0.113.7");
});

test("behind proxies the address is the one that the outermost proxy saw", () => {
  expect(clientAddress("10.0.0.1", "203.0.113.7", 1)).toBe("203.0.113.7");
  expect(clientAddress("10.0.0.1", "1.1.1.1, 203.0.113.7", 1)).toBe("203.0.113.7");
  expect(clientAddress("10.0.0.1", "1.1.1.1, 203.0.113.7,10.0.0.2", 2)).toBe("203.0.113.7");
});

test("a request that bypassed the proxies has the address of its connection", () => {
  expect(clientAddress("10.0.0.1", null, 1)).toBe("10.0.0.1");
  expect(clientAddress("10.0.0.1", "", 1)).toBe("10.0.0.1");
  expect(clientAddress("10.0.0.1", "203.0.113.7", 2)).toBe("10.0.0.1");
});

test("each form of an IPv4 address is one client, and so is an IPv6 network", () => {
  expect(clientAddress("::ffff:203.0.113.7", null, 0)).toBe("203.0.113.7");
  const network = "2001:db8:1:2::/64";
  expect(clientAddress("2001:db8:1:2::1", null, 0)).toBe(network);
  expect(clientAddress("2001:DB8:1:2:ffff::9", null, 0)).toBe(network);
  expect(clientAddress("2001:db8:1:3::1", null, 0)).not.toBe(network);
});

test("an invalid address is counted too, cut to a maximum length", () => {
  expect(clientAddress("", null, 0)).toBe("");
  expect(clientAddress("10.0.0.1", "unknown", 1)).toBe("unknown");
  expect(clientAddress("10.0.0.1", "x".repeat(1000), 1)).toHaveLength(64);
});
