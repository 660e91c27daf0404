/** Parts besides the engine and its database fail. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pidOf } from "../crash/faults.ts";
import { until } from "../support/service.ts";
import type { Drill } from "./drill.ts";
import { leadOn } from "./engine-drills.ts";
import type { Rig } from "./rig.ts";

async function redisLost(rig: Rig): Promise<number> {
  const startedMs = performance.now();
  await rig.replaceRedis();
  return rig.firstHoldMs(startedMs);
}

async function redisAndEngineLost(rig: Rig): Promise<number> {
  const leader = await rig.leader();
  const startedMs = performance.now();
  const bringBack = rig.failEngine(leader, "kill");
  await rig.replaceRedis();
  const ms = await rig.firstHoldMs(startedMs);
  await bringBack();
  return ms;
}

/** The time is that until a booking is paid again. */
async function workerKilled(rig: Rig): Promise<number> {
  const startedMs = performance.now();
  process.kill(pidOf(rig.service, "worker"), "SIGKILL");
  const { endedMs } = await rig.load.firstAfter("book", startedMs);
  return endedMs - startedMs;
}

async function apiKilled(rig: Rig): Promise<number> {
  const startedMs = performance.now();
  process.kill(pidOf(rig.service, "api-1"), "SIGKILL");
  return rig.firstHoldMs(startedMs);
}

/** A standing-by machine's copy is overwritten in the middle; then its engine has to lead. */
async function copyDamaged(rig: Rig): Promise<number> {
  await leadOn(rig, "service");
  const start = rig.failEngine("other", "kill");
  await rig.other.ended();
  const path = join(rig.other.dataDir, "engine", "0.db");
  writeFileSync(path, Buffer.alloc(1 << 20, 0x5a), { flag: "r+" });
  await start();
  const startedMs = performance.now();
  const bringBack = rig.failEngine("service", "kill");
  const ms = await rig.firstHoldMs(startedMs);
  await until("the engine with the new copy leads", async () => (await rig.leader()) === "other");
  await bringBack();
  return ms;
}

export const OTHER_DRILLS: readonly Drill[] = [
  {
    name: "redis-lost",
    failure: "Redis is killed, and starts empty",
    holds: "commands are sent again by their keys; open quotes are lost",
    targetMs: null,
    run: redisLost,
  },
  {
    name: "redis-and-engine",
    failure: "Redis and the leader are killed together",
    holds: "both of the above",
    targetMs: null,
    run: redisAndEngineLost,
  },
  {
    name: "worker-killed",
    failure: "the worker is killed (time to the next paid booking)",
    holds: "each payment is made once",
    targetMs: null,
    run: workerKilled,
  },
  {
    name: "api-killed",
    failure: "the only api process is killed",
    holds: "its supervisor starts it again",
    targetMs: null,
    run: apiKilled,
  },
  {
    name: "copy-damaged",
    failure: "a copy is damaged, and its machine has to lead",
    holds: "the copy is rebuilt from PostgreSQL first",
    targetMs: 3_000,
    run: copyDamaged,
  },
];
