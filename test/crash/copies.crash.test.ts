/**
 * Goal: a copy is a different installation than its original, also on the same Redis. Method: copy
 * a running service's directory, or only its journal, start the copy beside the original on one
 * Redis, hold rooms at both at once, and find every acknowledged hold in the journal of the service
 * that acknowledged it, and in no other.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textBytesOf } from "../../engine/log/payload.ts";
import { openForReading } from "../../engine/log/schema.ts";
import { openConnections } from "../../jobs/redis/connections.ts";
import { installationOf } from "../../src/lib/installation.ts";
import { EXIT_CONFIG, EXIT_FENCED } from "../../src/lib/lifecycle.ts";
import { logger } from "../../src/lib/log.ts";
import { type RedisProcess, startRedis } from "../../src/ops/supervisor/redis-server.ts";
import { createHotel, type Hotel, newHold, stayRequest } from "../support/client.ts";
import { Service, until } from "../support/service.ts";
import { journalPathOf } from "./faults.ts";

const HOLDS = 40;

let directory: string;
let redis: RedisProcess;
let env: Readonly<Record<string, string>>;
/** One for all tests; each leaves it running, except the last, which fences it. */
let original: Service;
let copy: Service | null = null;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-copies-"));
  const log = logger("redis", { logLevel: "error" });
  redis = await startRedis({ dataDir: directory, maxMemoryMb: 64, log });
  env = { REDIS_URL: `unix://${redis.path}`, LANES: "2", API_PROCESSES: "1" };
  original = await Service.start(env);
});
afterEach(async () => {
  await copy?.stop();
  copy = null;
});
afterAll(async () => {
  await original?.stop();
  await redis.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** A new directory of the test. */
function place(name: string): string {
  return join(directory, name);
}

/** What an installation file at `path` notes of itself; overwriting it changes nothing of that. */
function identityOf(path: string): string {
  const { ino, birthtimeNs } = statSync(path, { bigint: true });
  return `${ino}.${birthtimeNs}`;
}

/** Holds of the journal by their ids, read from the rows themselves. */
function holdsIn(service: Service): Set<string> {
  const db = openForReading(journalPathOf(service));
  const blocks = db.query<{ payload: Uint8Array }, []>("SELECT payload FROM journal").all();
  db.close();
  const texts = blocks.map(({ payload }) => textBytesOf(payload).toString());
  return new Set(texts.flatMap((text) => text.match(/hld_[0-9A-Za-z]+/g) ?? []));
}

/**
 * Holds at all services at once, in a hotel that all of them have, so that any of their engines
 * could take any hold; each belongs where it was acknowledged.
 */
async function holdAtAll(all: readonly Service[], hotel: Hotel): Promise<void> {
  const agents = await Promise.all(all.map(async (service) => (await service.newAgents([{}]))[0]!));
  const request = stayRequest(hotel);
  const held = all.map(() => [] as string[]);
  await Promise.all(
    all.flatMap((service, at) =>
      Array.from({ length: HOLDS / 4 }, async () => {
        for (let i = 0; i < 2; i += 1) {
          held[at]!.push((await newHold(service, request, { agent: agents[at]! })).hold_id);
        }
      }),
    ),
  );
  const inJournals = all.map(holdsIn);
  for (const [at, ids] of held.entries()) {
    const missing = ids.filter((id) => !inJournals[at]!.has(id));
    const elsewhere = ids.filter((id) => inJournals.some((ids, i) => i !== at && ids.has(id)));
    expect({ at, held: ids.length, missing, elsewhere }).toEqual({
      ...{ at, held: HOLDS / 2, missing: [], elsewhere: [] },
    });
  }
}

test("a copied directory beside its original: every hold is in the journal of its service", async () => {
  const hotel = await createHotel(original, { units: [HOLDS] });
  await original.end("SIGTERM");
  cpSync(original.dataDir, place("copy"), { recursive: true, preserveTimestamps: true });
  await original.restart();
  copy = await Service.startOn(place("copy"), env);
  expect(copy.log).toContain("this directory is a copy");
  await holdAtAll([original, copy], hotel);
  // And again after both started anew: each goes on as whom it was.
  await Promise.all([original.restart(), copy.restart()]);
  await holdAtAll([original, copy], hotel);
});

test("a copied journal beside its original: every hold is in the journal of its service", async () => {
  const hotel = await createHotel(original, { units: [HOLDS] });
  await original.end("SIGTERM");
  for (const file of ["engine/0.db", "control.db", "secrets.json", "demo.json"]) {
    cpSync(join(original.dataDir, file), join(place("journal"), file));
  }
  await original.restart();
  copy = await Service.startOn(place("journal"), env);
  await holdAtAll([original, copy], hotel);
});

test("a second service on a served prefix refuses its start and names the first", async () => {
  const id = installationOf(original.dataDir);
  const clone = place("clone");
  cpSync(original.dataDir, clone, { recursive: true });
  // As a clone below the file system has it: the same id, written in this very file.
  const path = join(clone, "installation.json");
  writeFileSync(path, JSON.stringify({ installation_id: id, identity: identityOf(path) }));
  expect(installationOf(clone)).toBe(id);
  const { message, exitCode } = await original.startSecond({ DATA_DIR: clone, PORT: "0" });
  expect(message).toMatch(
    new RegExp(
      `redis_prefix_in_use: process \\d+ on \\S+ serves .* from ${original.dataDir} since`,
    ),
  );
  expect(exitCode).toBe(EXIT_CONFIG);
  // The original is none the worse for it.
  await holdAtAll([original], await createHotel(original, { units: [HOLDS] }));
});

test("an engine whose lease another one holds stops as fenced, and its service stops with it", async () => {
  const from = original.log.length;
  const connections = await openConnections(redis, ["producer"], () => {});
  const [owner, ...others] = await connections.producer.keys("ik-*:owner");
  expect(others).toEqual([]);
  const other = { place: "x", host: "other.example", data_dir: "/x", pid: 7, since: "2026" };
  await connections.producer.set(owner!, JSON.stringify(other));
  await connections.stop();
  const logs = (text: string) => original.log.slice(from).includes(text);
  await until("the engine is fenced", () => logs("7 on other.example has the"));
  await until("everything stops", () => logs('"msg":"stopped"'));
  expect(await original.end("SIGTERM")).toBe(EXIT_FENCED);
});
