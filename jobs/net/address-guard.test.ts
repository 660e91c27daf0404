/**
 * Goal: each address of a private network is refused in every notation, and public addresses pass.
 * Method: lists by range of RFC 6890 and by notation, with the neighbours of each range.
 */
import { expect, test } from "bun:test";
import { addressProblem, isGlobal } from "./address-guard.ts";

const PUBLIC_ONLY = { allowPrivate: false };
const DEVELOPMENT = { allowPrivate: true };

const ranges: [string, string[]][] = [
  ["this network", ["0.0.0.0", "0.255.255.255"]],
  ["private", ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.1"]],
  ["shared", ["100.64.0.0", "100.127.255.255"]],
  ["loopback", ["127.0.0.1", "127.255.255.255"]],
  ["link-local, with the metadata services", ["169.254.0.1", "169.254.169.254"]],
  ["protocol assignments", ["192.0.0.1", "192.0.0.192"]],
  ["documentation", ["192.0.2.1", "198.51.100.1", "203.0.113.255"]],
  ["6to4 relays and AMT", ["192.88.99.1", "192.52.193.1"]],
  ["benchmarks", ["198.18.0.1", "198.19.255.255"]],
  ["multicast", ["224.0.0.1", "239.255.255.255"]],
  ["reserved and broadcast", ["240.0.0.1", "255.255.255.254", "255.255.255.255"]],
  ["IPv6 unspecified and loopback", ["::", "::1"]],
  ["IPv6 link-local and site-local", ["fe80::1", "febf::1", "fe80::1%lo", "fec0::1"]],
  ["IPv6 unique-local, with a metadata service", ["fc00::1", "fd00:ec2::254"]],
  ["IPv6 multicast", ["ff02::1", "ff0e::1"]],
  ["IPv6 documentation", ["2001:db8::1", "3fff::1"]],
  ["IPv6 benchmarks, ORCHID, discard", ["2001:2::1", "2001:10::1", "2001:20::1", "100::1"]],
  ["IPv6 outside 2000::/3", ["1::1", "4000::1", "5f00::1", "fe00::1"]],
  ["IPv4-mapped", ["::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::ffff:0:0"]],
  ["IPv4-compatible", ["::127.0.0.1", "::a00:1", "::808:808"]],
  ["IPv4-translated", ["::ffff:0:127.0.0.1"]],
  ["NAT64", ["64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1"]],
  ["6to4", ["2002:7f00:1::", "2002:a9fe:a9fe::1"]],
  ["Teredo", ["2001:0:7f00:1::", "2001::1"]],
  ["no address at all", ["", "localhost", "127.1", "0x7f000001", "1.2.3", "1.2.3.4.5", ":::"]],
];
test.each(ranges)("not global: %s", (_name, addresses) => {
  expect(addresses.filter(isGlobal)).toEqual([]);
});

test("addresses adjacent to the special ranges are global", () => {
  const addresses = [
    ...["1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.1.1.1"],
    ...["128.0.0.1", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0"],
    ...["192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
    ...["2001:4860:4860::8888", "2606:4700::1111", "2a00::1", "2003::1", "3ffe::1"],
    ...["::ffff:8.8.8.8", "64:ff9b::8.8.8.8"],
  ];
  expect(addresses.filter((address) => !isGlobal(address))).toEqual([]);
});

const problems: [string, string[]][] = [
  [
    "is not an absolute address",
    ["", "x", "/jwks", "//h/jwks", "https://", "https://[fe80::1%25lo]"],
  ],
  [
    "is not an absolute address",
    ["https://a b.example", "https://%00.example", "https://1.2.3.256"],
  ],
  ["is not https", ["http://keys.example.com", "http://127.0.0.1", "ftp://keys.example.com"]],
  [
    "is not https",
    ["file:///etc/passwd", "data:,x", "gopher://127.0.0.1:6379/_", "blob:https://a.b"],
  ],
  ["holds a user name or password", ["https://u@keys.example.com", "https://:p@keys.example.com"]],
  ["holds a user name or password", ["https://keys.example.com@127.0.0.1/"]],
  ["has a fragment", ["https://keys.example.com/#x"]],
  ["does not name a public host", ["https://localhost", "https://LOCALHOST", "https://localhost."]],
  [
    "does not name a public host",
    ["https://a.localhost", "https://ｌｏｃａｌｈｏｓｔ", "https://loc\talhost"],
  ],
  [
    "does not name a public host",
    ["https://redis", "https://printer.local", "https://a.home.arpa"],
  ],
  ["does not name a public host", ["https://metadata.google.internal", "https://example.com."]],
  [
    "does not name a public host",
    ["https://a..b.example", "https://-a.example", "https://a_b.example"],
  ],
  [
    "does not name a public host",
    ["https://127.0.0.1", "https://[::1]", "https://[::ffff:10.0.0.1]"],
  ],
  [
    "does not name a public host",
    ["https://2130706433", "https://0x7f000001", "https://017700000001"],
  ],
  [
    "does not name a public host",
    ["https://127.1", "https://0x7f.1", "https://0177.0.0.01", "https://0"],
  ],
  [
    "does not name a public host",
    ["https://127.0.0.1.", "https://127。0。0。1", "https://１２７.0.0.1"],
  ],
  ["does not name a public host", ["https://①②⑦.⓪.⓪.①", "https:\\\\127.0.0.1", " https:127.0.0.1"]],
];
test.each(problems)("%s: %p", (problem, addresses) => {
  const found = addresses.map((address) => addressProblem(address, PUBLIC_ONLY));
  expect(found).toEqual(addresses.map(() => problem));
});

test("public hosts on any port and path are allowed", () => {
  const addresses = [
    ...["https://keys.example.com/jwks?a=b", "https://KEYS.example.com:8443", "https://8.8.8.8"],
    ...["https://bücher.example", "https://[2606:4700::1111]:444/", "https://a.b.c.d.example"],
    // The backslash ends the host: what follows is a path.
    "https://keys.example.com\\@127.0.0.1/",
  ];
  const found = addresses.map((address) => addressProblem(address, PUBLIC_ONLY));
  expect(found).toEqual(addresses.map(() => null));
});

test("development mode allows private hosts by https and loopback by plain http", () => {
  const judge = (address: string) => addressProblem(address, DEVELOPMENT);
  const fine = ["https://10.0.0.1", "https://redis", "https://localhost", "http://localhost:8080"];
  for (const address of [...fine, "http://127.0.0.1", "http://[::1]:1"]) {
    expect(judge(address)).toBeNull();
  }
  for (const address of [
    "http://10.0.0.1",
    "http://keys.example.com",
    "http://localhost.evil.example",
  ]) {
    expect(judge(address)).toBe("is not https");
  }
  expect(judge("http://u@localhost")).toBe("holds a user name or password");
});
