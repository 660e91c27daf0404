/**
 * Goal: a back-up is complete or absent, a restored directory equals its back-up under a new id,
 * and a directory that is in use or holds data is never overwritten.
 */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nextToRemove, removeRows, writeSegment } from "../../../engine/log/archive/archiving.ts";
import { appendErasures } from "../../../engine/log/erasures.ts";
import { Journal } from "../../../engine/log/journal.ts";
import { SqliteJournalReader } from "../../../engine/log/journal-reader.ts";
import { Replica } from "../../../engine/log/replica.ts";
import { KpiStore } from "../../../jobs/kpis/store.ts";
import { BOUNDS_MS, TrafficFile } from "../../../jobs/kpis/traffic-file.ts";
import { openDeliveries } from "../../../jobs/webhooks/store/schema.ts";
import {
  createProperty,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
} from "../../../test/support/builders.ts";
import { LoneEngine, RIG_LANES } from "../../../test/support/lone-engine.ts";
import { blockWith } from "../../../test/support/stored-blocks.ts";
import { createAgent, listAgents } from "../../access/control/agents.ts";
import { type ControlStore, openControlStore } from "../../access/control/store.ts";
import { createTenant } from "../../access/control/tenants.ts";
import {
  addEndpoint,
  changeEndpoint,
  endpointById,
} from "../../access/control/webhook-endpoints.ts";
import { keyVersionsOf } from "../../access/privacy/keychain.ts";
import { controlPath, deliveriesPath, kpisPath, trafficPath } from "../../config.ts";
import { installationOf } from "../../lib/installation.ts";
import { takeLock } from "../../lib/lock.ts";
import { backUp } from "./backup.ts";
import { readRestoration } from "./restoration.ts";
import { type RestoreOptions, restore } from "./restore.ts";

const TREE = propertyTree();
const QUIET = { step: () => {}, rows: () => {} };

let directory: string;
let lone: LoneEngine;
let store: ControlStore;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-backups-"));
  lone = new LoneEngine();
  store = openControlStore(controlPath(lone.dataDir), lone.secrets.credential_pepper);
  lone.decide([createProperty(TREE), promoteProperty(TREE)]);
});
afterEach(() => {
  store.close();
  lone.close();
  rmSync(directory, { recursive: true, force: true });
});

function place(name: string): string {
  return join(directory, name);
}

function hold(): void {
  const quote = frozenQuote(TREE, { created_at: lone.now() });
  const random = crypto.randomUUID().replaceAll("-", "");
  expect(lone.decide([placeHold(quote, { random, key: random })])).toMatchObject([{ ok: true }]);
}

/** What every back-up of the engine's directory has. */
function own() {
  return { dataDir: lone.dataDir, erasuresLog: join(lone.dataDir, "erasures.log") };
}

function backUpTo(name: string) {
  return backUp({ ...own(), target: place(name), progress: QUIET });
}

function restoreTo(name: string, over: Partial<RestoreOptions> = {}) {
  const asked = { suspendsAgents: false, refundsOrphans: false, ledger: null, erasures: null };
  const about = { source: place("backup"), dataDir: place(name), progress: QUIET };
  return restore({ ...about, ...asked, ...over });
}

test("a restored directory equals its back-up, with a new id", async () => {
  hold();
  const { head } = lone.journal;
  const manifest = await backUpTo("backup");
  expect(manifest.journal).toMatchObject({ ...head, journal_id: lone.journal.id });
  expect(statSync(place("backup")).mode & 0o077).toBe(0);
  // What comes later is not in it.
  hold();
  const { installationId } = await restoreTo("restored");
  expect(installationOf(place("restored"))).toBe(installationId);
  expect(installationId).not.toBe(lone.installationId);
  expect(readRestoration(place("restored"))?.from_installation_id).toBe(lone.installationId);
  const replica = new Replica(join(place("restored"), "engine", "0.db"));
  expect({ head: replica.head, id: replica.journalId }).toEqual({ head, id: lone.journal.id });
  expect(replica.state.holds.size).toBe(1);
  replica.close();
  const secrets = (root: string) => readFileSync(join(root, "secrets.json"), "utf8");
  expect(secrets(place("restored"))).toBe(secrets(lone.dataDir));
  expect(readdirSync(directory).sort()).toEqual(["backup", "restored"]);
});

test("a guest who was erased after a back-up is erased again by its restore", async () => {
  const { db } = lone.journal;
  const ids = ["bkg_1", "bkg_2", "bkg_3"];
  const put = db.prepare("INSERT INTO subject_keys VALUES (?, 'key', 'email', 'name')");
  for (const id of ids) put.run(id);
  await backUpTo("backup");
  appendErasures(own().erasuresLog, ["bkg_1"]);
  await backUpTo("next");
  // Known to the replaced directory alone.
  appendErasures(own().erasuresLog, ["bkg_2"]);
  const left = (name: string) => {
    using restored = new Database(join(place(name), "engine", "0.db"), { readonly: true });
    const found = restored.query<{ booking_id: string }, []>("SELECT booking_id FROM subject_keys");
    return found.all().map(({ booking_id }) => booking_id);
  };
  expect(await restoreTo("first")).toMatchObject({ erasedGuests: 1 });
  expect(left("first")).toEqual(["bkg_2", "bkg_3"]);
  const erasures = own().erasuresLog;
  expect(await restoreTo("second", { erasures })).toMatchObject({ erasedGuests: 2 });
  expect(left("second")).toEqual(["bkg_3"]);
});

test("segments are backed up and restored with the journal, and damaged ones are named", async () => {
  for (let i = 0; i < 40; i += 1) hold();
  const { journal, journalPath } = lone;
  const before = new SqliteJournalReader(journal.db).rowsFrom(1, 100);
  const about = {
    journalPath,
    journalId: journal.id,
    journal: new SqliteJournalReader(journal.db),
  };
  for (const rows of [15, 10]) {
    const size = { rows, bytes: 2 ** 20 };
    for (const _row of writeSegment({ ...about, through: 40, size }, journal.archived));
    for (const _row of removeRows(journal, nextToRemove(journalPath, journal.archived)!));
  }
  // One that is written, and whose rows are still in the database, is left to the original.
  for (const _row of writeSegment({ ...about, through: 35 }, journal.archived));
  const names = ["1-15", "16-25"].map((rows) => `engine/0.segments/${rows}.segment`);
  const manifest = await backUpTo("backup");
  const backedUp = manifest.files.map(({ path }) => path).filter((path) => /segment/.test(path));
  expect(backedUp).toEqual(names);
  await restoreTo("restored");
  using restored = new Database(join(place("restored"), "engine", "0.db"), { readonly: true });
  expect(new SqliteJournalReader(restored).rowsFrom(1, 100)).toEqual(before);

  writeFileSync(join(place("backup"), names[1]!), "x");
  const second = `backup_damaged: ${join(place("backup"), names[1]!)} is missing or altered`;
  await expect(restoreTo("elsewhere")).rejects.toThrow(second);
  rmSync(join(lone.dataDir, names[0]!));
  const refused = "the journal cannot be backed up: segment_missing: ";
  await expect(backUpTo("another")).rejects.toThrow(refused);
});

test("a notice sent while the journal was copied is in the outbox again", async () => {
  // The trigger deletes it as its sender would, between the first copy and the last.
  store.db.run("PRAGMA busy_timeout = 1000");
  const insert = `INSERT INTO notice (notice_id, tenant_id, mode, actor_kind, actor_id, trace_id,
    notice) VALUES ('n1', 't', 'live', 'operator', 'a', 'x', '{}')`;
  store.db.run(insert);
  const step = (text: string) => {
    if (text.includes("engine/0.db")) store.db.run("DELETE FROM notice");
  };
  const progress = { ...QUIET, step };
  await backUp({ ...own(), target: place("backup"), progress });
  using copy = new Database(join(place("backup"), "control.db"), { readonly: true });
  expect(copy.query("SELECT notice_id FROM notice").all()).toEqual([{ notice_id: "n1" }]);
});

test("a damaged journal is not backed up, and no file remains", async () => {
  hold();
  lone.journal.db.run(
    `UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE ${blockWith(2)}`,
  );
  await expect(backUpTo("backup")).rejects.toThrow("journal_row_damaged");
  expect(readdirSync(directory)).toEqual([]);
});

test("a damaged record does not prevent a back-up: it is reported and stored unrepaired", async () => {
  hold();
  const { db } = lone.journal;
  db.run("INSERT INTO payments(id, state, doc, crc) VALUES ('pay_x', 'captured', '{}', 1)");
  const { journal } = await backUpTo("backup");
  expect(journal.damaged_records.length).toBe(1);
  expect(journal.damaged_records[0]).toContain("pay_x");
  expect((await restoreTo("restored")).manifest.journal).toEqual(journal);
});

test("a back-up needs an empty destination and an installation as its source", async () => {
  mkdirSync(place("backup"));
  await backUpTo("backup");
  await expect(backUpTo("backup")).rejects.toThrow("is not empty");
  const nowhere = { ...own(), dataDir: place("nowhere"), target: place("other"), progress: QUIET };
  await expect(backUp(nowhere)).rejects.toThrow("no installation in");
});

test.each(["engine/0.db", "control.db", "secrets.json"])(
  "a back-up whose %s has changed is refused by name, and no file is restored",
  async (file) => {
    await backUpTo("backup");
    const path = join(place("backup"), file);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    await expect(restoreTo("restored")).rejects.toThrow(`backup_damaged: ${path}`);
    expect(existsSync(place("restored"))).toBeFalse();
  },
);

test("a directory that is in use, holds data or was used before is not restored to", async () => {
  await backUpTo("backup");
  await expect(restoreTo("x", { dataDir: lone.dataDir })).rejects.toThrow("is not empty");
  const first = await restoreTo("restored");
  // It never ran: restoring again is no loss.
  const second = await restoreTo("restored");
  expect(second.installationId).not.toBe(first.installationId);
  const lock = takeLock(place("restored"));
  await expect(restoreTo("restored")).rejects.toThrow("is in use by process");
  lock.release();
  new Journal(join(place("restored"), "engine", "0.db"), { lanes: RIG_LANES }).close();
  await expect(restoreTo("restored")).rejects.toThrow("is not empty");
});

test("agents are suspended only on request, and operators never", async () => {
  const tenantId = createTenant(store, "Tenant");
  const limits = { rpm: null, burst: null, max_open_holds: null, max_open_quotes: null };
  for (const kind of ["agent", "operator", "service", "partner"] as const) {
    createAgent(store, tenantId, { name: kind, kind, mode: "live", limits });
  }
  await backUpTo("backup");
  const activeIn = (name: string) => {
    const restored = openControlStore(controlPath(place(name)), "pepper");
    const agents = listAgents(restored, { tenant_id: tenantId, mode: "live" });
    restored.close();
    return agents.filter(({ state }) => state === "active").map(({ kind }) => kind);
  };
  expect((await restoreTo("as-it-was")).suspendedAgents).toBe(0);
  expect(activeIn("as-it-was").sort()).toEqual(["agent", "operator", "partner", "service"]);
  expect((await restoreTo("suspended", { suspendsAgents: true })).suspendedAgents).toBe(3);
  expect(activeIn("suspended")).toEqual(["operator"]);
});

const ENDPOINT = {
  ...{ url: "https://a.example/", description: null, kinds: null, property_ids: null },
  ...{ subjects: null, scopes: [], max_in_flight: 1, max_per_s: null, headers: {}, after_row: 0 },
  ordering: "none" as const,
  ...{ format: "json" as const, ota: null },
};

test("deliveries are backed up if there are any, and their absence is reported", async () => {
  const told: string[] = [];
  const progress = { ...QUIET, step: (text: string) => void told.push(text) };
  await backUpTo("backup");
  await restoreTo("without", { progress });
  expect(told.filter((text) => text.startsWith("no deliveries.db"))).toHaveLength(1);
  const path = deliveriesPath(lone.dataDir);
  const deliveries = openDeliveries(path, "full");
  deliveries.run("INSERT INTO meta (name, value) VALUES ('cursor', '1 abc')");
  rmSync(place("backup"), { recursive: true });
  // Copied while it is open, and before the journal: no delivery is of an event that is not in it.
  const order: string[] = [];
  const step = (text: string) => void order.push(text);
  const asked = { ...own(), target: place("backup") };
  await backUp({ ...asked, progress: { ...QUIET, step } });
  deliveries.close();
  expect(order.slice(0, 2)).toEqual(["copying deliveries.db", "copying engine/0.db"]);
  told.length = 0;
  await restoreTo("with", { progress });
  expect(told.filter((text) => text.startsWith("no deliveries.db"))).toEqual([]);
  using restored = new Database(deliveriesPath(place("with")), { readonly: true });
  expect(restored.query("SELECT value FROM meta").all()).toEqual([{ value: "1 abc" }]);
});

test("request counts are backed up, key figures derived from the journal are not", async () => {
  const { tenant_id, mode } = { tenant_id: "tenant", mode: "live" } as const;
  const counts = { answered: 3, refused: 0, failed: 0, latencies: [...BOUNDS_MS, 0].map(() => 0) };
  const traffic = new TrafficFile(trafficPath(lone.dataDir));
  new KpiStore(kpisPath(lone.dataDir)).close();
  traffic.add([{ tenant_id, mode, agent_id: "agent", route: "search", ...counts }], 0);
  // Copied while it is open.
  await backUpTo("backup");
  traffic.close();
  await restoreTo("restored");
  const restored = new TrafficFile(trafficPath(place("restored")));
  expect(restored.sums({ tenant_id, mode }, 0, 0)).toMatchObject([
    { agent_id: "agent", answered: 3 },
  ]);
  restored.close();
  expect(existsSync(kpisPath(place("restored")))).toBeFalse();
});

test("endpoints are paused if agents are suspended: the original may still run", async () => {
  const masters = keyVersionsOf(lone.secrets, "encryption");
  const realm = { tenant_id: createTenant(store, "Tenant"), mode: "live" } as const;
  const { endpoint_id } = addEndpoint(store, masters, realm, ENDPOINT, 0);
  changeEndpoint(store, endpoint_id, { state: "active", reason: null });
  await backUpTo("backup");
  const standingIn = (name: string) => {
    const restored = openControlStore(controlPath(place(name)), "pepper");
    const found = endpointById(restored, endpoint_id);
    restored.close();
    return found && { state: found.state, reason: found.reason };
  };
  await restoreTo("as-it-was");
  expect(standingIn("as-it-was")).toEqual({ state: "active", reason: null });
  await restoreTo("suspended", { suspendsAgents: true });
  expect(standingIn("suspended")).toEqual({ state: "paused", reason: "operator" });
});
