import { expect, test } from "bun:test";
import { guestHash, guestHashes } from "./guest.ts";

const KEY = Buffer.alloc(32, 1);
const TENANT = "t-1";
const hashOf = (text: string) => guestHash(KEY, TENANT, "name", text);

test("spellings of one name give one hash", () => {
  const name = hashOf("Zoë Straße");
  for (const written of [
    "ZOË STRASSE",
    "  zoë   straße ",
    "Zoe\u0308 Straße",
    "Ｚｏë\u00a0Straße",
  ]) {
    expect(hashOf(written)).toBe(name);
  }
  for (const other of ["Zoe Straße", "ZoëStraße", "Zoë Strase"])
    expect(hashOf(other)).not.toBe(name);
});

test("a hash differs for another tenant, another kind or another key", () => {
  const text = "ada@example.com";
  const hashes = [
    guestHash(KEY, TENANT, "email", text),
    guestHash(KEY, "t-2", "email", text),
    guestHash(KEY, TENANT, "name", text),
    guestHash(Buffer.alloc(32, 2), TENANT, "email", text),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{32}$/);
});

test("a guest has a hash of each identifier", () => {
  const guest = { full_name: "Ada Lovelace", email: "Ada@Example.com" };
  expect(guestHashes(KEY, TENANT, guest)).toEqual({
    email: guestHash(KEY, TENANT, "email", "ada@example.com"),
    name: guestHash(KEY, TENANT, "name", "ADA LOVELACE"),
  });
});
