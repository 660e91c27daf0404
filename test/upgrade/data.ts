/**
 * Data as a version leaves it, and what is known of it. Each version's files are in a folder named
 * after it, packed, and stay as they are: every later version opens them (`upgrade.test.ts`).
 */
import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { openFeeds } from "../../jobs/feed-runs/schema.ts";
import { openKpis } from "../../jobs/kpis/schema.ts";
import { TrafficFile } from "../../jobs/kpis/traffic-file.ts";
import { MailStore } from "../../jobs/mail/mail-store.ts";
import { SandboxLedger } from "../../jobs/payments/sandbox-ledger.ts";
import { openDeliveries } from "../../jobs/webhooks/store/schema.ts";
import { listAgents } from "../../src/access/control/agents.ts";
import { listCredentials } from "../../src/access/control/credentials.ts";
import { listIssuers } from "../../src/access/control/issuers.ts";
import { openControlStore } from "../../src/access/control/store.ts";
import { listTenants } from "../../src/access/control/tenants.ts";
import type { World } from "../power/world.ts";

export const PEPPER = "upgrade";
const PACKED = ".zst";
const FACTS = "facts.json";

/** The folder of a version's files. */
export const folderOf = (version: string) => join(import.meta.dir, version.replaceAll(".", "-"));

/** The versions with files here. */
export function versions(): string[] {
  return readdirSync(import.meta.dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name.replaceAll("-", "."));
}

/** Packs the SQLite files of `from` into the version's folder, with what is known of them. */
export function keep(version: string, from: string, facts: unknown): void {
  const folder = folderOf(version);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(from).filter((each) => each.endsWith(".db"))) {
    // Without what lies in the write-ahead log beside it.
    const whole = join(from, `${name}.whole`);
    using db = new Database(join(from, name), { strict: true });
    db.run("VACUUM INTO ?", [whole]);
    const bytes = Bun.zstdCompressSync(readFileSync(whole), { level: 19 });
    writeFileSync(join(folder, name + PACKED), bytes);
  }
  writeFileSync(join(folder, FACTS + PACKED), Bun.zstdCompressSync(JSON.stringify(facts)));
}

/** Unpacks a version's files into `to`; what is known of them. */
export function unpack(version: string, to: string): unknown {
  const folder = folderOf(version);
  for (const name of readdirSync(folder).filter((each) => each.endsWith(PACKED))) {
    const bytes = Bun.zstdDecompressSync(readFileSync(join(folder, name)));
    writeFileSync(join(to, name.slice(0, -PACKED.length)), bytes);
  }
  return JSON.parse(readFileSync(join(to, FACTS), "utf8"));
}

/** What the journal's data comes to: places, holds, bookings, payments and refunds. */
export function journalFacts({ journal, engine }: World) {
  const records = new RecordReaderOn(journal.db);
  const ids = (table: string) =>
    journal.db
      .query<{ id: string }, []>(`SELECT id FROM ${table} ORDER BY id`)
      .all()
      .map(({ id }) => id);
  const bookings = ids("bookings").map((id) => {
    const { state, quote, receipts } = records.booking(id)!;
    return { id, state, total: quote.total, receipts: receipts.map(({ signature }) => signature) };
  });
  const payments = ids("payments").map((id) => [id, records.payment(id)!.state]);
  const refunds = ids("refunds").map((id) => [id, records.refund(id)!.state]);
  const holds = [...engine.state.holds.values()].map(({ hold_id }) => hold_id).sort();
  return { bookings, payments, refunds, holds };
}

/** Who is in `control.db`, and what may be done with it. */
export function controlFacts(folder: string) {
  const store = openControlStore(join(folder, "control.db"), PEPPER);
  const facts = listTenants(store).map(({ tenant_id, name }) => {
    const realm = { tenant_id, mode: "live" } as const;
    const agents = listAgents(store, realm).map(({ agent_id, kind, state, scopes }) => {
      const credentials = listCredentials(store, agent_id, 0).map((each) => each.state);
      return { agent_id, kind, state, scopes: [...scopes].sort(), credentials };
    });
    const issuers = listIssuers(store, realm).map(({ iss, status }) => [iss, status]);
    return { tenant_id, name, agents, issuers };
  });
  store.close();
  return facts;
}

/** Opens every other file as this version does, making what is missing. */
export function openOthers(folder: string): void {
  const path = (name: string) => join(folder, `${name}.db`);
  openDeliveries(path("deliveries"), "full").close();
  openFeeds(path("feeds"), "full").close();
  openKpis(path("kpi")).close();
  new TrafficFile(path("traffic")).close();
  new MailStore(path("mail")).close();
  new SandboxLedger(path("sandbox-provider"), () => 0).close();
}
