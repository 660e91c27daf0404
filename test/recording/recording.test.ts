/**
 * Goal: two recordings differ where the service does, and nowhere else. Method: the texts of
 * answers by hand, with and without a change.
 */
import { expect, test } from "bun:test";
import { compareRecordings, report } from "./compare.ts";
import { Normaliser } from "./normalise.ts";
import type { Exchange } from "./session.ts";

const QUOTE = `qt_01m7z5f57f${"a".repeat(28)}`;
const OTHER = `qt_01m7z5f57f${"b".repeat(28)}`;

test("ids become their kind and number, and the same one keeps its number", () => {
  const normaliser = new Normaliser();
  expect(normaliser.text(`{"a":"${QUOTE}","b":"${OTHER}"}`)).toBe('{"a":"<qt#1>","b":"<qt#2>"}');
  expect(normaliser.text(`/v1/${OTHER}`)).toBe("/v1/<qt#2>");
  expect(normaliser.text(JSON.stringify(`{"a":"${QUOTE}"}`))).toBe('"{\\"a\\":\\"<qt#1>\\"}"');
});

test("instants of the run are replaced, dates of the scenario and chosen ids are not", () => {
  const kept = '{"at":"2050-01-06T15:00:00+01:00","id":"5eed0000-0000-4000-8000-000000000100"}';
  const normaliser = new Normaliser();
  expect(normaliser.text(kept)).toBe(kept);
  const text = JSON.stringify({ at: new Date().toISOString(), ms: Date.now(), version: 3 });
  expect(normaliser.text(text)).toBe('{"at":"<now.msZ>","ms":<now in ms>,"version":3}');
});

test("the hashes of audits and policies are numbered, that of a price is kept", () => {
  const [one, two] = [`sha256:${"1".repeat(64)}`, `sha256:${"2".repeat(64)}`];
  const text = `{"prev_hash":"${one}","hash":"${two}"},{"amount":1,"hash":"${one}"}`;
  const out = `{"prev_hash":"<hash#1>","hash":"<hash#2>"},{"amount":1,"hash":"${one}"}`;
  expect(new Normaliser().text(text)).toBe(out);
});

test("the ETag of a changed body is known again in a request", () => {
  const normaliser = new Normaliser();
  expect(normaliser.derivedTag('W/"abc"')).toBe("W/<etag#1>");
  expect(normaliser.text('"abc", "abd"')).toBe('<etag#1>, "abd"');
});

function exchange(index: number, more: Partial<Exchange> = {}): Exchange {
  const request = { index, label: "l", method: "GET", path: "/", sent: {}, request: null };
  return { ...request, status: 200, headers: { a: "1" }, body: "hello world", ...more };
}

test("every kind of difference is found, and equal ones are told once", () => {
  const before = [0, 1, 2, 3].map((index) => exchange(index));
  expect(compareRecordings(before, before)).toEqual([]);
  const after = [
    exchange(0, { body: "hello there" }),
    exchange(1, { body: "hello there" }),
    exchange(2, { headers: { b: "1" } }),
    exchange(3, { status: 400 }),
    exchange(4),
  ];
  const told = report(compareRecordings(before, after));
  expect(told).toContain('2 × body: "world" → "there"');
  expect(told).toContain("1 × header a: 1 → (none)");
  expect(told).toContain("1 × header b: (none) → 1");
  expect(told).toContain("1 × status: 200 → 400");
  expect(told).toContain("1 × only the second recording has it");
});
