/**
 * Goal: nothing is acknowledged that a loss of power could take back. Method: the real processes,
 * whose syncs are noted by the system's own calls from their first to their last.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHotel, type Hotel, newQuote, sendHold, stayRequest } from "../support/client.ts";
import { Service } from "../support/service.ts";
import { SyncLog, synced, unsafeMoves } from "../support/sync-log.ts";

const HOLDS = 8;
/** Redis keeps queues, which may be lost; the demo's file is a promise to nobody. */
const NOT_OURS = /\/(?:redis\/|demo\.json)/;

let log: SyncLog;
let service: Service;
let hotel: Hotel;

beforeAll(async () => {
  log = new SyncLog();
  service = await Service.start(log.env);
  hotel = await createHotel(service, { units: [HOLDS] });
});
afterAll(async () => {
  await service?.stop();
  log.close();
});

test("between a hold and its answer the journal's log is synced", async () => {
  const wal = `${service.dataDir}/engine/0.db-wal`;
  for (let i = 0; i < HOLDS; i += 1) {
    const quote = await newQuote(service, stayRequest(hotel));
    log.mark(`hold ${i}`);
    const answer = await sendHold(service, quote.quote_id);
    log.mark(`answer ${i}`);
    expect(answer.status).toBe(201);
    expect(synced(log.between(`hold ${i}`, `answer ${i}`))).toContain(wal);
  }
});

test("between the creation of an agent and its answer the control store's log is synced", async () => {
  const body = { name: "Synced", kind: "agent", scopes: ["search"] };
  log.mark("agent");
  const headers = { "idempotency-key": crypto.randomUUID() };
  const answer = await service.api("POST", "/v1/admin/agents", {
    agent: service.demo.admin,
    body,
    headers,
  });
  log.mark("created");
  expect(answer.status).toBe(201);
  expect(synced(log.between("agent", "created"))).toContain(`${service.dataDir}/control.db-wal`);
});

test("each file of the data directory is durable before it gets its name", async () => {
  expect(await service.end("SIGTERM")).toBe(0);
  const own = log.read().filter(({ path, to }) => {
    return path.startsWith(service.dataDir) && !NOT_OURS.test(to || path);
  });
  const names = own.flatMap(({ deed, to }) => (deed === "move" ? [to.split("/").at(-1)!] : []));
  expect(names).toContain("secrets.json");
  expect(names).toContain("installation.json");
  expect(unsafeMoves(own)).toEqual([]);
});
