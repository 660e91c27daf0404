/**
 * Goal: Redis is transport, never truth: after any fault of it nothing acknowledged is lost, and
 * work resumes soon after its return. Method: one fault after the other under load, each followed
 * by a new hold and booking; then the clients' actions are compared with the books.
 */
import { afterEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Redis } from "ioredis";
import { openConnections } from "../../jobs/redis/connections.ts";
import { privateSocketPath } from "../../src/config.ts";
import type { Service } from "../support/service.ts";
import { journalPathOf, kill, type LogLine, logged, pidOf, startService } from "./faults.ts";
import { Load } from "./load.ts";
import { seeds } from "./seeds.ts";
import { takeSnapshot, verdict } from "./verdict.ts";

const BACK_LIMIT_MS = 10_000;
/** A silent Redis is noticed within this time. */
const SILENCE_MS_MAX = 6_000;

let service: Service;
afterEach(() => service.stop());

/** What befalls Redis; each resolves when it is over. */
const FAULTS: Readonly<Record<string, () => Promise<void>>> = {
  killed: () => kill(service, "redis"),
  "restarted empty": async () => {
    rmSync(join(service.dataDir, "redis", "appendonlydir"), { recursive: true });
    await kill(service, "redis");
  },
  flushed: () => withRedis((redis) => redis.flushall()),
  silent: async () => {
    const pid = pidOf(service, "redis");
    process.kill(pid, "SIGSTOP");
    const signal = AbortSignal.timeout(SILENCE_MS_MAX);
    const { status } = await fetch(`${service.baseUrl}/readyz`, { signal });
    process.kill(pid, "SIGCONT");
    expect(status).toBe(503);
  },
  full: () =>
    withRedis(async (redis) => {
      const from = service.log.length;
      const [, limit] = (await redis.config("GET", "maxmemory")) as [string, string];
      await redis.config("SET", "maxmemory", "1");
      await logged(service, isOutOfMemory, from);
      await redis.config("SET", "maxmemory", limit);
    }),
  "cut off": () =>
    withRedis(async (redis) => {
      await redis.call("CLIENT", "KILL", "TYPE", "pubsub");
      await redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    }),
};

test.each(seeds())(
  "after any Redis fault nothing is lost and work resumes within 10 s, seed %d",
  async (seed) => {
    service = await startService();
    const load = await Load.start({ service, seed, fastClients: 5, slowClients: 2 });
    const backMs: number[] = [];
    for (const [name, befall] of Object.entries(FAULTS)) {
      await load.more(20);
      await befall();
      const overMs = performance.now();
      const held = await load.firstAfter("hold", overMs);
      const booked = await load.firstAfter("book", overMs);
      const [holdMs, bookMs] = [held, booked].map((deed) => Math.round(deed.endedMs - overMs));
      console.log(`${name}: first hold after ${holdMs} ms, first booking after ${bookMs} ms`);
      backMs.push(holdMs!, bookMs!);
      if (name === "flushed") takeSnapshot(journalPathOf(service));
    }
    expect(await verdict(service, load)).toEqual([]);
    expect(Math.max(...backMs)).toBeLessThan(BACK_LIMIT_MS);
  },
);

function isOutOfMemory({ error }: LogLine): boolean {
  return String(error).includes("OOM");
}

async function withRedis(work: (redis: Redis) => Promise<unknown>): Promise<void> {
  const target = { path: privateSocketPath(service.dataDir) };
  const connections = await openConnections(target, ["producer"], () => {});
  try {
    await work(connections.producer);
  } finally {
    await connections.stop();
  }
}
