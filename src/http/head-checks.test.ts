/** Goal: a head that a proxy could interpret differently is refused. */
import { expect, test } from "bun:test";
import { HEAD_BYTES_MAX, headFault, isHeadTooLong } from "./head-checks.ts";

/** Repeated fields come joined with a comma, as the runtime gives them. */
function faultOf(headers: Readonly<Record<string, string>>): string | undefined {
  return headFault({ headers: new Headers(headers) } as Request)?.path;
}

test("one host and at most one length are valid", () => {
  expect(faultOf({})).toBeUndefined();
  const hosts = ["localhost", "localhost:8080", "innkeep.example", "127.0.0.1:1", "[::1]:8080"];
  for (const host of hosts) expect(faultOf({ host })).toBeUndefined();
  expect(faultOf({ host: "a", "content-length": "12" })).toBeUndefined();
});

test("an ambiguous head is refused by the name of its field", () => {
  for (const host of ["a, b", "a,a", "", "a b", "a/b", "user@a", "a:80:81"]) {
    expect({ host, fault: faultOf({ host }) }).toEqual({ host, fault: "Host" });
  }
  for (const length of ["1, 1", "1, 2", "+1", "-1", "0x1", "1e3"]) {
    expect(faultOf({ host: "a", "content-length": length })).toBe("Content-Length");
  }
});

test("a head is too long if its address and fields together exceed the limit", () => {
  const url = "http://a/";
  const ofLength = (bytes: number) => {
    const value = "x".repeat(bytes - url.length - "name: \r\n".length);
    return isHeadTooLong({ url, headers: new Headers({ name: value }) } as Request);
  };
  expect([ofLength(HEAD_BYTES_MAX), ofLength(HEAD_BYTES_MAX + 1)]).toEqual([false, true]);
  const long = { url: `${url}?${"x".repeat(HEAD_BYTES_MAX)}`, headers: new Headers() };
  expect(isHeadTooLong(long as Request)).toBeTrue();
});
