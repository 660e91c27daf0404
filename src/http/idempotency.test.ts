import { expect, test } from "bun:test";
import { bodyForHash, readKey } from "./idempotency.ts";

function keyOf(header: string | null, bodyKey?: unknown): string | null {
  const { key, errors } = readKey(header, bodyKey, false);
  expect(errors).toEqual([]);
  return key;
}

function pathsOf(header: string | null, bodyKey?: unknown, required = false): string[] {
  const { key, errors } = readKey(header, bodyKey, required);
  expect(key).toBeNull();
  return errors.map(({ path }) => path);
}

test("a key is accepted bare or quoted, in the header or in the body", () => {
  expect(keyOf("8e03978e-40d5")).toBe("8e03978e-40d5");
  expect(keyOf('"8e03978e-40d5"')).toBe("8e03978e-40d5");
  expect(keyOf(String.raw`"a\"b\\c"`)).toBe(String.raw`a"b\c`);
  expect(keyOf(null, "k")).toBe("k");
  expect(keyOf("~".repeat(255))).toHaveLength(255);
});

test("the same key in header and body is one key", () => {
  expect(keyOf('"k"', "k")).toBe("k");
});

test("different keys in header and body are a fault of the header", () => {
  expect(pathsOf("k1", "k2")).toEqual(["Idempotency-Key"]);
});

test.each([
  "",
  "a b",
  "é",
  "x".repeat(256),
  '"open',
  '""',
  '"a"b"',
  '"a b"',
  '"a";p=1',
  String.raw`"a\b"`,
  "k1, k2",
])("%p is not a key", (header) => {
  expect(pathsOf(header)).toEqual(["Idempotency-Key"]);
});

test("an invalid body key is reported together with an invalid header", () => {
  expect(pathsOf(null, 7)).toEqual(["/idempotency_key"]);
  expect(pathsOf(null, null)).toEqual(["/idempotency_key"]);
  expect(pathsOf("a b", "")).toEqual(["Idempotency-Key", "/idempotency_key"]);
});

test("a missing key is a fault only where a key is required", () => {
  expect(keyOf(null)).toBeNull();
  expect(pathsOf(null, undefined, true)).toEqual(["Idempotency-Key"]);
});

test("the hash leaves out only the key at the top", () => {
  const body = { idempotency_key: "k", a: { idempotency_key: "inner" } };
  expect(bodyForHash(body)).toEqual({ a: { idempotency_key: "inner" } });
  expect(body.idempotency_key).toBe("k");
  expect(bodyForHash(undefined)).toEqual({});
  expect(bodyForHash([1])).toEqual([1]);
});
