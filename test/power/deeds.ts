/**
 * `bun test/power/deeds.ts FOLDER`: does in one process what must outlive a loss of power, with a
 * mark before and after each deed. Whoever starts it watches what is synced.
 */
import { join } from "node:path";
import type { Command } from "../../engine/core/commands.ts";
import { nextToRemove, removeRows, writeSegment } from "../../engine/log/archive/archiving.ts";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";
import { KeyRunKeeper } from "../../engine/log/keys/key-run-keeper.ts";
import { writeSnapshot } from "../../engine/log/snapshot.ts";
import { openControlStore } from "../../src/access/control/store.ts";
import { createTenant } from "../../src/access/control/tenants.ts";
import { loadSecrets, rotateKeys } from "../../src/access/privacy/secrets.ts";
import { controlPath } from "../../src/config.ts";
import { writeInstallation } from "../../src/lib/installation.ts";
import { backUp } from "../../src/ops/backups/backup.ts";
import { restore } from "../../src/ops/backups/restore.ts";
import { createProperty, promoteProperty, propertyTree, updateAri } from "../support/builders.ts";
import { LoneEngine } from "../support/lone-engine.ts";
import { mark } from "../support/sync-log.ts";

const QUIET = { step: () => {}, rows: () => {} };
const folder = process.argv[2]!;
const lone = new LoneEngine();
const { dataDir, journal, engine, journalPath, secrets } = lone;

async function deed(name: string, work: () => unknown): Promise<void> {
  mark(`${name} begins`);
  await work();
  mark(`${name} is done`);
}

/** Marks when the command is sent and when its reply leaves. */
function decide(command: Command): void {
  const { type } = command;
  const send = () => mark(`${type} is done`);
  mark(`${type} begins`);
  engine.submit({ command, isLapsed: false, send });
  while (engine.queued > 0) engine.runGroup();
}

const tree = propertyTree();
for (const make of [createProperty, promoteProperty, updateAri]) decide(make(tree, {}));
await deed("snapshot", () => writeSnapshot(journalPath, journal.id, journal.head, engine.state));

const reader = new SqliteJournalReader(journal.db);
const of = { journalPath, journalId: journal.id, journal: reader };
const keeper = new KeyRunKeeper({
  ...{ ...of, keptDays: 7, nowMs: Date.now, log: () => {}, rowsLeast: 1 },
});
await deed("keys", () => keeper.cover(journal.head.row));

const sealing = { ...of, through: 2 };
await deed("segment", () => [...writeSegment(sealing, journal.archived)]);
await deed("leave", () => [...removeRows(journal, nextToRemove(journalPath, journal.archived)!)]);

const store = openControlStore(controlPath(dataDir), secrets.credential_pepper);
await deed("control", () => createTenant(store, "Tenant"));
store.close();

await deed("secrets", () => loadSecrets(join(folder, "secrets"), {}));
await deed("rotation", () => rotateKeys(dataDir, {}, { names: ["receipts"], nowMs: Date.now() }));
await deed("installation", () => writeInstallation(dataDir));

const target = join(folder, "backup");
const erasuresLog = join(folder, "erasures.log");
await deed("backup", () => backUp({ dataDir, erasuresLog, target, progress: QUIET }));
await deed("restore", () =>
  restore({
    ...{ source: target, dataDir: join(folder, "restored"), progress: QUIET, ledger: null },
    erasures: null,
    ...{ suspendsAgents: true, refundsOrphans: false },
  }),
);
lone.close();
