/** Goal: each form of `Retry-After` that receivers send is parsed. */
import { expect, test } from "bun:test";
import { retryAfterS } from "./retry.ts";

const NOW_MS = Date.parse("2026-03-01T12:00:00.400Z");

const headers: [string | undefined, number | null][] = [
  [undefined, null],
  ["", null],
  ["0", 0],
  [" 120 ", 120],
  ["999999999", 86_400],
  ["9999999999999999", null],
  ["-5", null],
  ["1.5", null],
  ["soon", null],
  ["Sun, 01 Mar 2026 12:01:00 GMT", 60],
  ["Sunday, 01-Mar-26 12:01:00 GMT", 60],
  ["Sun Mar 01 2026 12:01:00 GMT", 60],
  ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
  ["Sun, 01 Mar 2099 11:00:00 GMT", 86_400],
  ["Sun, 99 Mar 2026 11:00:00 GMT", null],
];
test.each(headers)("%p is %p", (header, seconds) => {
  expect(retryAfterS(header, NOW_MS)).toBe(seconds);
});
