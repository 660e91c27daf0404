/** Goal: sealed fields open only where they were sealed, and hashes separate their inputs. */
import { expect, test } from "bun:test";
import { bodyHash, commandId, openFields, sealFields, travelerHash } from "./personal-data.ts";

const master = Buffer.alloc(32, 9);
const binding = { tenant_id: "t-1", command: "c-1" };
const fields = { full_name: "Zoë Müller", email: "zoe@example.com", special_requests: "" };

test("sealed fields open to what they were", () => {
  const { sealed, wrapped_key } = sealFields(master, binding, fields);
  expect(openFields(master, binding, sealed, wrapped_key)).toEqual(fields);
  expect(JSON.stringify(sealed)).not.toContain("zoe");
});

test("the same fields sealed twice share no bytes", () => {
  const first = sealFields(master, binding, fields);
  const second = sealFields(master, binding, fields);
  expect(first.wrapped_key).not.toBe(second.wrapped_key);
  expect(first.sealed.email).not.toBe(second.sealed.email);
});

test("a sealed record opens for no other tenant, command or master key", () => {
  const { sealed, wrapped_key } = sealFields(master, binding, fields);
  for (const other of [
    { ...binding, tenant_id: "t-2" },
    { ...binding, command: "c-2" },
  ]) {
    expect(() => openFields(master, other, sealed, wrapped_key)).toThrow();
  }
  expect(() => openFields(Buffer.alloc(32, 8), binding, sealed, wrapped_key)).toThrow();
});

test("a wrapped key of another tenant is refused even when the fields are its own", () => {
  const mine = sealFields(master, binding, fields);
  const other = sealFields(master, { ...binding, tenant_id: "t-2" }, fields);
  expect(() => openFields(master, binding, mine.sealed, other.wrapped_key)).toThrow();
});

test("ciphertexts cannot change places or be altered", () => {
  const { sealed, wrapped_key } = sealFields(master, binding, fields);
  const { full_name = "", email = "" } = sealed;
  const swapped = { ...sealed, full_name: email, email: full_name };
  expect(() => openFields(master, binding, swapped, wrapped_key)).toThrow();
  const bytes = Buffer.from(email, "base64url");
  bytes.writeUInt8(bytes.readUInt8(14) ^ 1, 14);
  const altered = { email: bytes.toString("base64url") };
  expect(() => openFields(master, binding, altered, wrapped_key)).toThrow();
  expect(() => openFields(master, binding, { email: "AAAA" }, wrapped_key)).toThrow("too short");
});

test("hashes are 32 hex characters and their parts cannot run into each other", () => {
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
