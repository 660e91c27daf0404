/**
 * Goal: old damage delays no start, is reported wherever an operator looks, and fails only the
 * calls that need it. Method: a real service, stopped after a snapshot and a run of keys, with a
 * row of its journal damaged in the file.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { KeyRunKeeper } from "../../engine/log/keys/key-run-keeper.ts";
import { Replica } from "../../engine/log/replica.ts";
import { writeSnapshot } from "../../engine/log/snapshot.ts";
import { createAgent } from "../../src/access/control/agents.ts";
import { issueCredential, revokeCredential } from "../../src/access/control/credentials.ts";
import { controlPath, journalPath } from "../../src/config.ts";
import {
  createHotel,
  type Hold,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  newQuote,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { Service, until } from "../support/service.ts";
import { blockWith } from "../support/stored-blocks.ts";

const PROGRAMS = join(import.meta.dir, "../../src/ops/main.ts");

let service: Service;
let hotel: Hotel;
const key = newKey();
let quoteId: string;
/** The block with the row of the hold that is about to be damaged, as SQL. */
let block: string;

beforeAll(async () => {
  service = await Service.start();
  hotel = await createHotel(service);
  quoteId = (await newQuote(service, stayRequest(hotel))).quote_id;
  const { hold_id } = (await sendHold(service, quoteId, { key })).ok<Hold>(201).data;
  // Whoever follows the journal goes on from a row; not from that one.
  await newBooking(service, stayRequest(hotel));
  await service.restart();
  await service.end("SIGTERM");
  await age(hold_id);
  spoil("crc + 1");
  await service.restart();
});
afterAll(() => service.stop());

/** What the worker does in time: all keys in a run, the state in a snapshot. */
async function age(holdId: string): Promise<void> {
  const path = journalPath(service.dataDir);
  const replica = new Replica(path);
  const { journal, journalId, head, state } = replica;
  const held = journal.rowsFrom(1, head.row).find(({ row }) => {
    return row.events.some(({ data }) => "hold_id" in data && data.hold_id === holdId);
  })!;
  block = blockWith(held.row.row);
  const of = { journalPath: path, journalId, journal, nowMs: Date.now, keptDays: 7 };
  await new KeyRunKeeper({ ...of, rowsLeast: 1, log: () => {} }).cover(head.row);
  writeSnapshot(path, journalId, head, state);
  replica.close();
}

function spoil(crc: string): void {
  using db = new Database(journalPath(service.dataDir), { readwrite: true });
  expect(db.run(`UPDATE journal SET crc = ${crc} WHERE ${block}`).changes).toBe(1);
}

async function readiness() {
  type States = Record<string, { state: string; damage?: string }>;
  const answer = await service.api("GET", "/readyz", { agent: null });
  return answer.ok<{ status: string; dependencies: States }>().data;
}

async function metric(name: string): Promise<number> {
  const line = new RegExp(`^${name}\\{.*\\} (\\d+)$`, "m");
  return Number(line.exec(await service.metrics())?.[1]);
}

test("a start with damage in old rows serves and reports it in log, metrics and readiness", async () => {
  await newHold(service, stayRequest(hotel));
  await until("readiness tells", async () => (await readiness()).status === "degraded");
  const { journal } = (await readiness()).dependencies;
  expect(journal).toEqual({ state: "degraded", damage: "journal_row_damaged" });
  await until("metrics tell", async () => (await metric("innkeep_journal_damaged")) === 1);
  const told = service.log.split("\n").filter((line) => line.includes("the journal is damaged"));
  expect(told).toHaveLength(1);
  expect(JSON.parse(told[0]!)).toMatchObject({
    ...{ level: "error", role: "worker", damage: "journal_row_damaged" },
    ...{ problem: expect.stringMatching(/^row \d+ /), remedy: "Restore a back-up." },
  });
});

test("calls that need the damaged row are refused, no command is decided twice, others work", async () => {
  const { engine } = service.pids;
  for (let sent = 0; sent < 2; sent += 1) {
    const again = await sendHold(service, quoteId, { key });
    const { detail, retry_after } = again.refused("upstream_unavailable");
    expect(detail).toEqual({ upstream: "journal", damage: "journal_row_damaged" });
    expect(retry_after).toBe(60);
  }
  await newHold(service, stayRequest(hotel));
  expect(service.pids.engine).toBe(engine!);
});

test("a flipped state in control.db grants nothing and is reported everywhere", async () => {
  const revoked = service.control((store) => {
    const { tenant_id } = service.demo;
    const terms = { name: "Damaged", kind: "agent", mode: "live" } as const;
    const agent_id = createAgent(store, tenant_id, terms);
    const issued = issueCredential(store, agent_id);
    revokeCredential(store, issued.credential_id);
    return { ...issued, agent_id };
  });
  const { credential_id } = revoked;
  await service.end("SIGTERM");
  const flip = (state: string) => {
    using db = new Database(controlPath(service.dataDir), { readwrite: true });
    const update = `UPDATE credential SET state = '${state}' WHERE credential_id = ?`;
    expect(db.query(update).run(credential_id).changes).toBeGreaterThan(0);
  };
  flip("active");
  await service.restart();
  (await service.api("GET", "/v1/properties", { agent: revoked })).refused("unauthenticated");
  await newHold(service, stayRequest(hotel));
  const { control_store } = (await readiness()).dependencies;
  expect(control_store).toEqual({ state: "degraded", damage: "control_row_damaged" });
  await until("metrics tell", async () => (await metric("innkeep_control_damaged")) === 1);
  expect(service.log).toContain("a row of control.db is damaged and ignored");
  const look = (...args: string[]) => {
    const env = { ...process.env, ...service.place, REDIS_URL: "" };
    return Bun.spawnSync([process.execPath, PROGRAMS, "admin", ...args], { env }).stdout.toString();
  };
  const { checks } = JSON.parse(look("doctor", "--json"));
  const found = checks.find(({ check }: { check: string }) => check === "control.db");
  expect(found).toMatchObject({
    status: "fail",
    found: `credential ${credential_id}: wrong checksum`,
  });
  const { dropped } = JSON.parse(look("damaged-rows", "drop"));
  expect(dropped).toMatchObject([{ table: "credential", id: credential_id }]);
  const sound = async () => (await readiness()).dependencies.control_store!.state === "ok";
  await service.restart();
  await until("it is sound again", sound);
});

test("after a repair the next complete check removes the finding", async () => {
  await service.end("SIGTERM");
  spoil("crc - 1");
  await service.restart();
  await until("readiness is back", async () => (await readiness()).status === "ok");
  await until("metrics are back", async () => (await metric("innkeep_journal_damaged")) === 0);
  (await sendHold(service, quoteId, { key })).ok(201);
});
