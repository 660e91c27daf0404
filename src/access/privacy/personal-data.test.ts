/** Goal: encrypted fields decrypt only in their own context, and hashes separate their inputs. */
import { expect, test } from "bun:test";
import { createHmac, randomBytes } from "node:crypto";
import { KeyVersions } from "./key-versions.ts";
import {
  bodyHash,
  commandId,
  decryptFields,
  encryptFields,
  hmacHex,
  travelerHash,
} from "./personal-data.ts";

const keyOf = (byte: number) =>
  new KeyVersions([{ kid: "encryption-v1", key: Buffer.alloc(32, byte), from_ms: 0 }]);
const master = keyOf(9);
const binding = { tenant_id: "t-1", command: "c-1" };
const fields = { full_name: "Zoë Müller", email: "zoe@example.com", special_requests: "" };

test("encrypted fields decrypt to their plain text", () => {
  const { encrypted, wrapped_key } = encryptFields(master, binding, fields);
  expect(decryptFields(master, binding, encrypted, wrapped_key)).toEqual(fields);
  expect(JSON.stringify(encrypted)).not.toContain("zoe");
});

test("two encryptions of the same fields share no bytes", () => {
  const first = encryptFields(master, binding, fields);
  const second = encryptFields(master, binding, fields);
  expect(first.wrapped_key).not.toBe(second.wrapped_key);
  expect(first.encrypted.email).not.toBe(second.encrypted.email);
});

test("no other tenant, command or master key decrypts a record", () => {
  const { encrypted, wrapped_key } = encryptFields(master, binding, fields);
  for (const other of [
    { ...binding, tenant_id: "t-2" },
    { ...binding, command: "c-2" },
  ]) {
    expect(() => decryptFields(master, other, encrypted, wrapped_key)).toThrow();
  }
  expect(() => decryptFields(keyOf(8), binding, encrypted, wrapped_key)).toThrow();
});

test("a wrapped key of another tenant is refused even if the fields are its own", () => {
  const mine = encryptFields(master, binding, fields);
  const other = encryptFields(master, { ...binding, tenant_id: "t-2" }, fields);
  expect(() => decryptFields(master, binding, mine.encrypted, other.wrapped_key)).toThrow();
});

test("ciphertexts cannot change places or be altered", () => {
  const { encrypted, wrapped_key } = encryptFields(master, binding, fields);
  const { full_name = "", email = "" } = encrypted;
  const swapped = { ...encrypted, full_name: email, email: full_name };
  expect(() => decryptFields(master, binding, swapped, wrapped_key)).toThrow();
  const bytes = Buffer.from(email, "base64url");
  bytes.writeUInt8(bytes.readUInt8(14) ^ 1, 14);
  const altered = { email: bytes.toString("base64url") };
  expect(() => decryptFields(master, binding, altered, wrapped_key)).toThrow();
  expect(() => decryptFields(master, binding, { email: "AAAA" }, wrapped_key)).toThrow("too short");
});

test("hashes are 32 hex characters, and moving text between their parts changes them", () => {
  const key = Buffer.alloc(32, 3);
  const ids = [
    commandId(key, "t", "live POST /v1/holds", "k"),
    commandId(key, "t", "live POST /v1/hold", "sk"),
    commandId(key, "tl", "ive POST /v1/holds", "k"),
    commandId(Buffer.alloc(32, 4), "t", "live POST /v1/holds", "k"),
    bodyHash(key, "{}"),
    travelerHash(key, "https://a", "b"),
    travelerHash(key, "https://", "ab"),
  ];
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(ids).size).toBe(ids.length);
  expect(commandId(key, "t", "live POST /v1/holds", "k")).toBe(ids[0] ?? "");
});

test("a keyed hash is the start of an HMAC-SHA256, whatever the key and the text", () => {
  for (const length of [1, 31, 32, 64, 65, 200]) {
    const key = randomBytes(length);
    for (const text of ["", "quote t-1 qt_1", "Zoë ☃ 👩‍🚀", "x".repeat(10_000)]) {
      const whole = createHmac("sha256", key).update(text).digest("hex");
      // Twice: the first one must not have told the key anything of its text.
      expect(hmacHex(key, text, 32)).toBe(whole);
      expect(hmacHex(key, text, 5)).toBe(whole.slice(0, 10));
    }
  }
});
