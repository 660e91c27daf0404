/**
 * Writes the data that later versions must open: `npx bun test/upgrade/write.ts`, once for each
 * release, before its version number goes up. Written data is never replaced.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { createAgent } from "../../src/access/control/agents.ts";
import { issueCredential, revokeCredential } from "../../src/access/control/credentials.ts";
import { addIssuer } from "../../src/access/control/issuers.ts";
import { openControlStore } from "../../src/access/control/store.ts";
import { createTenant } from "../../src/access/control/tenants.ts";
import { lived } from "../power/history.ts";
import { controlFacts, folderOf, journalFacts, keep, openOthers, PEPPER } from "./data.ts";

const ROWS = 160;

if (existsSync(folderOf(version))) throw new Error(`${folderOf(version)} is there already`);
const folder = mkdtempSync(join(tmpdir(), "innkeep-upgrade-"));
const { world } = lived(join(folder, "0.db"), ROWS);
const journal = journalFacts(world);
const head = { row: world.journal.head.row, atMs: world.time.wallMs() };
world[Symbol.dispose]();

const store = openControlStore(join(folder, "control.db"), PEPPER);
const tenantId = createTenant(store, "Upgrade");
for (const kind of ["agent", "operator", "partner"] as const) {
  const agentId = createAgent(store, tenantId, { name: kind, kind, mode: "live" });
  issueCredential(store, agentId);
  revokeCredential(store, issueCredential(store, agentId).credential_id);
}
const issuer = { iss: "https://issuer.example", name: "Issuer", jwks: { keys: [] } };
addIssuer(
  store,
  { tenant_id: tenantId, mode: "live" },
  { ...issuer, allowed_audiences: ["https://innkeep.example"] },
);
store.close();
openOthers(folder);
keep(version, folder, { head, journal, control: controlFacts(folder) });
rmSync(folder, { recursive: true });
console.log(`written to ${folderOf(version)}`);
