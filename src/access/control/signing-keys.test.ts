/**
 * Goal: at every instant there is a signing key that every cache can know, and a rotation orphans
 * no token. Method: real keys, time as input, a second process as a second connection.
 */
import { afterAll, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { compactVerify, importJWK, SignJWT } from "jose";
import { KeyRing } from "../auth/key-ring.ts";
import { KeyVersions } from "../privacy/key-versions.ts";
import { ensureSigningKeys, rotateSigningKey } from "./signing-keys.ts";
import { openControlStore } from "./store.ts";
import { openTestControl } from "./test-control.ts";

const MASTER_KEY = new KeyVersions([
  { kid: "encryption-v1", key: Buffer.alloc(32, 5), from_ms: 0 },
]);
const NOW_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;

const control = openTestControl();
const { store, view } = control;
const ring = new KeyRing(view, MASTER_KEY);
afterAll(control.close);

beforeEach(async () => {
  store.db.run("DELETE FROM signing_key");
  await ensureSigningKeys(store, MASTER_KEY, NOW_MS);
  view.refresh();
});

const kidsAt = (nowMs: number) => ring.publicKeys(nowMs).map(({ kid }) => kid);
const signerAt = async (nowMs: number) => (await ring.signer("access_token", nowMs)).kid;

async function rotate(nowMs: number, immediately = false): Promise<string> {
  const rotation = { nowMs, immediately };
  const { kid } = await rotateSigningKey(store, MASTER_KEY, "access_token", rotation);
  view.refresh();
  return kid;
}

test("every purpose gets one key, even if many processes start at once", async () => {
  store.db.run("DELETE FROM signing_key");
  const others = [1, 2, 3].map(() => openControlStore(store.path, "pepper"));
  const start = (each: typeof store) => ensureSigningKeys(each, MASTER_KEY, NOW_MS);
  await Promise.all([store, ...others].map(start));
  await start(store);
  for (const other of others) other.close();
  view.refresh();
  expect(view.signingKeys.map(({ purpose }) => purpose).sort()).toEqual([
    "access_token",
    "agent_card",
  ]);
});

test("the published keys verify signatures and contain no private part", async () => {
  for (const purpose of ["access_token", "agent_card"] as const) {
    const { kid, alg, key } = await ring.signer(purpose, NOW_MS);
    const text = await new SignJWT({}).setProtectedHeader({ alg, kid }).sign(key);
    const jwk = ring.publicKeys(NOW_MS).find((each) => each.kid === kid)!;
    await compactVerify(text, await importJWK(jwk));
    expect(jwk).toMatchObject({ use: "sig", alg, kid });
    for (const member of ["d", "p", "q", "dp", "dq", "qi"]) expect(jwk).not.toHaveProperty(member);
    expect(key.extractable).toBeFalse();
  }
});

test("the file has no plain private key, and no other master key decrypts one", async () => {
  for (const suffix of ["", "-wal"]) {
    const file = readFileSync(store.path + suffix, "latin1");
    expect(file.includes('"d":"') || file.includes('"dp":"')).toBeFalse();
  }
  const stranger = new KeyRing(
    view,
    new KeyVersions([{ kid: "encryption-v1", key: Buffer.alloc(32, 6), from_ms: 0 }]),
  );
  await expect(stranger.signer("access_token", NOW_MS)).rejects.toThrow();
});

test("a key of one purpose verifies no signature of the other", async () => {
  const { kid } = await ring.signer("agent_card", NOW_MS);
  expect(await ring.verifier("access_token", kid, NOW_MS)).toBeNull();
  expect(await ring.verifier("agent_card", kid, NOW_MS)).not.toBeNull();
});

test("a successor is published at once, signs after 300 s and outlives its predecessor", async () => {
  const first = await signerAt(NOW_MS);
  const second = await rotate(NOW_MS);
  expect(kidsAt(NOW_MS)).toEqual(expect.arrayContaining([first, second]));
  const signsFrom = NOW_MS + 5 * MINUTE_MS;
  expect(await signerAt(signsFrom - 1)).toBe(first);
  expect(await signerAt(signsFrom)).toBe(second);
  const lastMs = signsFrom + 16 * MINUTE_MS;
  expect(ring.isPublished(first, lastMs - 1)).toBeTrue();
  expect(ring.isPublished(first, lastMs)).toBeFalse();
  expect(kidsAt(lastMs)).not.toContain(first);
  expect(kidsAt(lastMs)).toContain(second);
});

test("with repeated rotations each key stays published as long as its tokens live", async () => {
  const first = await signerAt(NOW_MS);
  const second = await rotate(NOW_MS);
  const third = await rotate(NOW_MS + MINUTE_MS);
  expect(await signerAt(NOW_MS + 5.5 * MINUTE_MS)).toBe(second);
  expect(await signerAt(NOW_MS + 6 * MINUTE_MS)).toBe(third);
  expect(ring.isPublished(first, NOW_MS + 21 * MINUTE_MS)).toBeFalse();
  expect(ring.isPublished(second, NOW_MS + 22 * MINUTE_MS - 1)).toBeTrue();
  expect(ring.isPublished(second, NOW_MS + 22 * MINUTE_MS)).toBeFalse();
});

test("after a compromise only the new key is valid, from the same instant", async () => {
  const card = (await ring.signer("agent_card", NOW_MS)).kid;
  await rotate(NOW_MS);
  const kid = await rotate(NOW_MS + 1, true);
  expect(await signerAt(NOW_MS + 1)).toBe(kid);
  expect(kidsAt(NOW_MS + 1).sort()).toEqual([kid, card].sort());
  const rows = store.db.query("SELECT kid FROM signing_key").all();
  expect(rows).toHaveLength(2);
});

test("a key that another process has just created verifies before the next refresh", async () => {
  const rotation = { nowMs: NOW_MS };
  const { kid } = await rotateSigningKey(store, MASTER_KEY, "access_token", rotation);
  expect(await ring.verifier("access_token", kid, NOW_MS)).not.toBeNull();
  expect(await ring.verifier("access_token", "unknown", NOW_MS)).toBeNull();
});

test("a clock that is set back still finds a key", async () => {
  expect(await signerAt(NOW_MS - MINUTE_MS)).toBe(await signerAt(NOW_MS));
});
