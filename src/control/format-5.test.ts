/**
 * Goal: a file of the format before webhook endpoints keeps all it has and takes endpoints. Method:
 * the fixture is such a file, as text, made by the version before.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KeyVersions } from "../privacy/key-versions.ts";
import { listAgents } from "./agents.ts";
import { listIssuers } from "./issuers.ts";
import { recallOutcome } from "./keyed-outcomes.ts";
import { pendingNotices } from "./notices.ts";
import { openControlStore } from "./store.ts";
import { hasFlag } from "./tenants.ts";
import { ControlView } from "./view.ts";
import { addEndpoint, listEndpoints } from "./webhook-endpoints.ts";

const TENANT = "0192f0c4-6d1e-7a51-9f3b-2f6f4d0c8a11";
const AGENT = "agt_01a202d7e0cd74adbed755a037f5f001";
const MASTERS = new KeyVersions([{ kid: "encryption-v1", key: Buffer.alloc(32, 5), from_ms: 0 }]);
const LIVE = { tenant_id: TENANT, mode: "live" } as const;

const directory = mkdtempSync(join(tmpdir(), "innkeep-control-"));
const path = join(directory, "control.db");

beforeAll(async () => {
  const text = await Bun.file(join(import.meta.dir, "fixtures/control-format-5.sql")).text();
  const db = new Database(path, { create: true });
  db.run(text);
  db.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

test("a file of format 5 keeps its rows and takes webhook endpoints", () => {
  for (const opening of [1, 2]) {
    const store = openControlStore(path, "pepper");
    const view = new ControlView(store, { allowPrivate: false });
    expect(listAgents(store, LIVE)).toMatchObject([{ agent_id: AGENT, kind: "operator" }]);
    expect(listIssuers(store, { ...LIVE, mode: "test" })).toHaveLength(1);
    expect(hasFlag(store, "demo_seeded")).toBeTrue();
    const command = { command_id: "c1", former_id: "f1", agent_id: AGENT, body_hash: "h1" };
    expect(recallOutcome(store, MASTERS, command)).toMatchObject({ is: "known" });
    expect(pendingNotices(store)).toMatchObject([{ notice_id: expect.any(String) }]);
    expect(listEndpoints(store, LIVE)).toHaveLength(opening - 1);
    const terms = {
      ...{ url: "https://a.example/", description: null, headers: {}, after_row: 7 },
      ...{ kinds: null, property_ids: null, subjects: null, scopes: [] },
      ...{ max_in_flight: 10, max_per_s: null, ordering: "none" as const },
      ...{ format: "json" as const, ota: null },
    };
    addEndpoint(store, MASTERS, LIVE, terms, 5);
    expect(view.credentialById("crd_01a202d7e0d171018d92b4b9ba12ad9d")).toMatchObject({
      state: "active",
    });
    view.stop();
    store.close();
  }
});
