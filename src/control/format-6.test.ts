/**
 * Goal: endpoints of before endpoints had a format go on getting the events as they are. Method:
 * the fixture is such a file, as text, made by the version before.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KeyVersions } from "../privacy/key-versions.ts";
import { openControlStore } from "./store.ts";
import { addEndpoint, listEndpoints, openEndpoint } from "./webhook-endpoints.ts";

const MASTERS = new KeyVersions([{ kid: "encryption-v1", key: Buffer.alloc(32, 5), from_ms: 0 }]);
const LIVE = { tenant_id: "0192f0c4-6d1e-7a51-9f3b-2f6f4d0c8a11", mode: "live" } as const;

const directory = mkdtempSync(join(tmpdir(), "innkeep-control-"));
const path = join(directory, "control.db");

beforeAll(async () => {
  const text = await Bun.file(join(import.meta.dir, "fixtures/control-format-6.sql")).text();
  const db = new Database(path, { create: true });
  db.run(text);
  db.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

test("an endpoint of format 6 is one of events, and others can be made beside it", () => {
  for (const opening of [1, 2]) {
    const store = openControlStore(path, "pepper");
    const all = listEndpoints(store, LIVE);
    const old = all.at(-1)!;
    expect(openEndpoint(MASTERS, old, 1_795_000_000_000)).toMatchObject({
      ...{ url: "https://a.example/in", format: "json", ota: null, state: "active" },
      ...{ kinds: ["booking.confirmed"], scopes: ["bookings:read"], ordering: "per_subject" },
      ...{ max_in_flight: 3, max_per_s: 20, after_row: 7, version: 2 },
      ...{ headers: { "X-A": "the tenant's own" }, secrets: [expect.stringMatching(/^whsec_/)] },
    });
    expect(all).toHaveLength(opening);
    if (opening === 2) {
      expect(all[0]).toMatchObject({ format: "ota_rates", ota: { requestor_id: "innkeep" } });
      expect(all[0]!.kinds).toEqual(["property.promoted", "property.replaced", "ari.changed"]);
    }
    const terms = {
      ...{ url: "https://b.example/", description: null, headers: {}, after_row: 7, kinds: null },
      ...{ property_ids: null, subjects: null, scopes: [], max_in_flight: 10, max_per_s: null },
      ...{ format: "ota_rates" as const, ota: { requestor_id: "innkeep" } },
      ordering: "per_subject" as const,
    };
    addEndpoint(store, MASTERS, LIVE, terms, 1_795_000_000_001);
    store.close();
  }
});
