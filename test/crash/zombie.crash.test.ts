/**
 * Goal: a suspended engine does no harm to its successor. Method: SIGSTOP the engine under load for
 * longer than its locks live, let another engine take over the journal, wake the old one, and see
 * that it is fenced at its first write with the head it had before.
 */
import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { EXIT_FENCED } from "../../src/lib/lifecycle.ts";
import type { Service } from "../support/service.ts";
import { journalPathOf, logged, pidOf, startSecondEngine, startService } from "./faults.ts";
import { Load } from "./load.ts";
import { seeds } from "./seeds.ts";
import { takeSnapshot, verdict } from "./verdict.ts";

const ROUNDS = 3;
/** A job's lock lives for 5 s. */
const PAST_LOCK_MS = 5_500;
const FENCE = /^Fenced: epoch \d+ row (\d+), found epoch \d+ row \d+$/;

let service: Service;
let successor: Bun.Subprocess | null = null;
afterEach(async () => {
  successor?.kill("SIGKILL");
  await service.stop();
});

test.each(seeds())(
  "an engine that sleeps past its successor's start writes nothing and is fenced, seed %d",
  async (seed) => {
    service = await startService();
    const load = await Load.start({ service, seed, fastClients: 5, slowClients: 0 });
    for (let round = 1; round <= ROUNDS; round += 1) {
      await load.more(10);
      await sleepAndBeFenced(load);
      await service.restart();
      if (round === 1) takeSnapshot(journalPathOf(service));
    }
    await load.more(10);
    expect(await verdict(service, load)).toEqual([]);
  },
);

/** One round; the whole service is down afterwards, ended by the fence. */
async function sleepAndBeFenced(load: Load): Promise<void> {
  const zombie = pidOf(service, "engine");
  const supervisor = pidOf(service, "supervisor");
  // It would not let an engine sleep for long.
  process.kill(supervisor, "SIGSTOP");
  const rowAsleep = stopOutsideTransaction(zombie);
  await Bun.sleep(PAST_LOCK_MS);
  successor = startSecondEngine(service);
  await load.more(10);
  const from = service.log.length;
  process.kill(zombie, "SIGCONT");
  process.kill(supervisor, "SIGCONT");
  const end = await logged(service, ({ pid, msg }) => isEnd(msg) && pid === zombie, from);
  // Its head moves with every commit: still where it fell asleep means no effect since.
  expect(String(end.error)).toMatch(FENCE);
  expect(Number(FENCE.exec(String(end.error))![1])).toBe(rowAsleep);
  await logged(service, ({ msg }) => msg.startsWith("stopping everything"), from);
  expect(await service.end("SIGTERM")).toBe(EXIT_FENCED);
  successor.kill("SIGTERM");
  await successor.exited;
}

function isEnd(msg: string): boolean {
  return msg === "the engine stops";
}

/**
 * Stops the engine and returns the journal's last row. Not inside a transaction: that would keep
 * SQLite's lock, and nobody could take over.
 */
function stopOutsideTransaction(pid: number): number {
  const db = new Database(journalPathOf(service), { strict: true });
  try {
    for (;;) {
      process.kill(pid, "SIGSTOP");
      if (isFree(db)) {
        return db.query<{ row: number }, []>("SELECT max(row) AS row FROM journal").get()!.row;
      }
      process.kill(pid, "SIGCONT");
    }
  } finally {
    db.close();
  }
}

function isFree(db: Database): boolean {
  try {
    db.run("BEGIN IMMEDIATE");
    db.run("ROLLBACK");
    return true;
  } catch {
    return false;
  }
}
