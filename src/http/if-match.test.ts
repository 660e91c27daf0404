import { expect, test } from "bun:test";
import { readIfMatch, versionMismatch } from "./if-match.ts";

function read(header?: string) {
  const headers = header === undefined ? {} : { "if-match": header };
  const { version, errors } = readIfMatch(new Request("http://localhost/", { headers }));
  return errors.length === 0 ? version : errors.map(({ path }) => path);
}

test("a version is accepted bare or as an entity tag; without one any version matches", () => {
  const headers = ["3", '"3"', ' "3" ', '"3-5k2x"', "*", undefined];
  expect(headers.map(read)).toEqual([3, 3, 3, 3, null, null]);
});

test("any other value is a fault of the header", () => {
  for (const header of [
    "",
    "v3",
    'W/"3"',
    '"1", "2"',
    "-1",
    "1e3",
    "9".repeat(16),
    "01",
    '"01"',
    "0",
    '"3',
    '3"',
  ]) {
    expect({ header, read: read(header) }).toEqual({ header, read: ["If-Match"] });
  }
});

test("a change of another version is refused with the current one", () => {
  const ids = { agent_id: "agt_1" };
  expect(versionMismatch(null, 4, ids)).toBeNull();
  expect(versionMismatch(4, 4, ids)).toBeNull();
  expect(versionMismatch(3, 4, ids)).toEqual({
    ...{ ok: false, code: "conflict" },
    detail: { reason: "version_mismatch", version: 4, ...ids },
  });
});
