/**
 * Goal: secrets and headers of endpoints are encrypted, bound to their endpoint and read back
 * unchanged.
 */
import { afterAll, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { KeyVersions } from "../privacy/key-versions.ts";
import { openTestControl } from "./test-control.ts";
import {
  addEndpoint,
  changeEndpoint,
  deleteEndpoint,
  encryptHeaders,
  endpointById,
  findEndpoint,
  listEndpoints,
  newSecret,
  openEndpoint,
} from "./webhook-endpoints.ts";

const NOW_MS = 1_800_000_000_000;
const FIRST = { kid: "encryption-v1", key: Buffer.alloc(32, 5), from_ms: 0 };
const MASTERS = new KeyVersions([FIRST]);
const TERMS = {
  ...{ url: "https://a.example/in?x=1", description: "Ours", after_row: 7 },
  ...{ kinds: ["booking.confirmed"], property_ids: ["p-1"], subjects: ["booking:bkg_1"] },
  ...{ headers: { "X-Api-Key": "the tenant's own" }, scopes: ["bookings:read"] },
  ...{ max_in_flight: 3, max_per_s: 20, ordering: "per_subject" as const },
  ...{ format: "json" as const, ota: null },
};

const control = openTestControl();
const { store, realm } = control;
afterAll(control.close);
beforeEach(() => void store.db.run("DELETE FROM webhook_endpoint"));

const add = (terms: Partial<typeof TERMS> = {}) =>
  addEndpoint(store, MASTERS, realm, { ...TERMS, ...terms }, NOW_MS);

test("an endpoint is read back as created, and is paused until it has answered a ping", () => {
  const { endpoint_id, secret } = add();
  const stored = findEndpoint(store, realm, endpoint_id)!;
  const { description: _description, ...terms } = TERMS;
  expect(openEndpoint(MASTERS, stored, NOW_MS)).toEqual({
    ...{ endpoint_id, ...realm, ...terms, secrets: [secret], state: "paused", version: 1 },
  });
  expect(stored).toMatchObject({ reason: "ping_pending", ping: null, disabled_at: null });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(24);
});

test("the file contains no plain secret and no plain header value", () => {
  const { secret } = add();
  store.db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const bytes = readFileSync(store.path).toString("latin1");
  expect(bytes).toContain("X-Api-Key");
  for (const hidden of [secret.slice(6), "the tenant's own"]) expect(bytes).not.toContain(hidden);
});

test("secrets and headers of one endpoint cannot be decrypted for another", () => {
  const [one, other] = [add(), add()];
  const { headers, secrets } = endpointById(store, one.endpoint_id)!;
  for (const moved of [{ headers }, { secrets }]) {
    changeEndpoint(store, other.endpoint_id, moved);
    const stored = endpointById(store, other.endpoint_id)!;
    expect(() => openEndpoint(MASTERS, stored, NOW_MS)).toThrow();
  }
});

test("data of older encryption key versions can be decrypted after a rotation", () => {
  const { endpoint_id, secret } = add();
  const second = { kid: "encryption-v2", key: Buffer.alloc(32, 6), from_ms: 0 };
  const rotated = new KeyVersions([FIRST, second]);
  const { secret: fresh, kept } = newSecret(rotated, endpoint_id, NOW_MS);
  const { secrets } = endpointById(store, endpoint_id)!;
  const headers = encryptHeaders(rotated, endpoint_id, { "X-Api-Key": "another" });
  changeEndpoint(store, endpoint_id, { headers, secrets: [kept, ...secrets] });
  const stored = endpointById(store, endpoint_id)!;
  expect(stored.secrets.map(({ encrypted }) => encrypted.split(".")[0])).toEqual([
    ...["encryption-v2", "encryption-v1"],
  ]);
  const opened = openEndpoint(rotated, stored, NOW_MS);
  expect(opened.secrets).toEqual([fresh, secret]);
  expect(opened.headers).toEqual({ "X-Api-Key": "another" });
  expect(() => openEndpoint(MASTERS, stored, NOW_MS)).toThrow("encryption-v2");
});

test("a secret signs until its retirement time", () => {
  const { endpoint_id, secret } = add();
  const { secret: fresh, kept } = newSecret(MASTERS, endpoint_id, NOW_MS);
  const { secrets } = endpointById(store, endpoint_id)!;
  const retiring = secrets.map((each) => ({ ...each, retire_at: NOW_MS + 1000 }));
  changeEndpoint(store, endpoint_id, { secrets: [kept, ...retiring] });
  const stored = endpointById(store, endpoint_id)!;
  expect(openEndpoint(MASTERS, stored, NOW_MS + 999).secrets).toEqual([fresh, secret]);
  expect(openEndpoint(MASTERS, stored, NOW_MS + 1000).secrets).toEqual([fresh]);
});

test("endpoints belong to a tenant and a mode; a change keeps the members it omits", () => {
  const { endpoint_id } = add();
  const inTest = { ...realm, mode: "test" } as const;
  const others = [inTest, { ...realm, tenant_id: "t-2" }];
  for (const other of others) {
    expect(findEndpoint(store, other, endpoint_id)).toBeNull();
    expect(listEndpoints(store, other)).toEqual([]);
  }
  const before = findEndpoint(store, realm, endpoint_id)!;
  changeEndpoint(store, endpoint_id, { kinds: null, state: "active", reason: null });
  const after = { ...before, kinds: null, state: "active", reason: null, version: 2 } as const;
  expect(listEndpoints(store, realm)).toEqual([after]);
  expect(deleteEndpoint(store, endpoint_id)).toBeTrue();
  expect(deleteEndpoint(store, endpoint_id)).toBeFalse();
  expect(changeEndpoint(store, endpoint_id, {})).toBeFalse();
});
