/**
 * The engine's end of the lanes. A lane's worker only hands envelopes to the one committer, many at
 * a time; BullMQ's own order and exclusivity are not relied upon (the journal's epoch and the keys
 * are the guard), so nothing here may assume that a command comes once.
 */
import { type Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Submission } from "../engine/shell/engine.ts";
import type { Reply } from "../engine/shell/group.ts";
import { type Envelope, laneName, settledChannel, unpack } from "./queues.ts";

const CONCURRENCY = 16;

export interface LanesOptions {
  /** Blocking connections are duplicated from this one. */
  readonly connection: Redis;
  readonly publisher: Redis;
  readonly prefix: string;
  readonly partitions: number;
  readonly submit: (submission: Submission) => void;
  readonly onError: (error: unknown) => void;
}

export interface Lanes {
  stop(): Promise<void>;
}

/** One reply as JSON around an outcome that already is. */
function itemJson(id: number | null, reply: Reply): string {
  const head = id === null ? "" : `"i":${id},`;
  const key = reply.key === null ? "null" : `"${reply.key}"`;
  const body = reply.outcomeJson ?? "null";
  const { phase, replayed, row } = reply;
  return `{${head}"k":${key},"p":"${phase}","x":${replayed},"r":${row},"o":${body}}`;
}

/** Tells every process of keys that were settled by another command than their own. */
export function publishSettled(
  publisher: Redis,
  prefix: string,
  replies: readonly Reply[],
  onError: (error: unknown) => void,
): void {
  const text = `[${replies.map((reply) => itemJson(null, reply)).join(",")}]`;
  publisher.publish(settledChannel(prefix), text).catch(onError);
}

/** Starts a worker per lane; each job ends when all of its commands are answered. */
export function startLanes(options: LanesOptions): Lanes {
  const process = (job: Job<Envelope>) => handle(job, options);
  const workers = Array.from({ length: options.partitions }, (_, lane) => {
    const worker = new Worker<Envelope>(laneName(lane), process, {
      connection: options.connection,
      prefix: options.prefix,
      concurrency: CONCURRENCY,
      lockDuration: 5_000,
      stalledInterval: 1_000,
      maxStalledCount: 1_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    worker.on("error", options.onError);
    return worker;
  });
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.close(true).catch(options.onError)));
    },
  };
}

function handle(job: Job<Envelope>, options: LanesOptions): Promise<void> {
  const { a, cs } = job.data;
  const waitedMs = Date.now() - job.timestamp;
  const items: string[] = [];
  return new Promise((resolve) => {
    for (const { i, c } of cs) {
      const isLapsed = c.time_left_ms !== undefined && waitedMs > c.time_left_ms;
      const send = (reply: Reply) => {
        items.push(itemJson(i, reply));
        if (items.length < cs.length) return;
        options.publisher.publish(a, `[${items.join(",")}]`).catch(options.onError);
        resolve();
      };
      options.submit({ command: unpack(c), isLapsed, send });
    }
  });
}

/**
 * What an engine that died had in work goes back to the head of its lane, locks and all. Without
 * this the first command after a crash waits for the stalled check (measured: 10 s against 19 ms).
 */
const RECLAIM = `
-- KEYS: active, wait, marker, stalled. ARGV: key prefix of the queue.
local ids = redis.call('LRANGE', KEYS[1], 0, -1)
for _, id in ipairs(ids) do
  redis.call('DEL', ARGV[1] .. id .. ':lock')
  redis.call('RPUSH', KEYS[2], id)
end
redis.call('DEL', KEYS[1], KEYS[4])
if #ids > 0 then redis.call('ZADD', KEYS[3], 0, '0') end
return #ids`;

/** Reclaims every lane; returns how many envelopes were taken back. Call before `startLanes`. */
export async function reclaimLanes(
  redis: Redis,
  prefix: string,
  partitions: number,
): Promise<number> {
  let reclaimed = 0;
  for (let lane = 0; lane < partitions; lane += 1) {
    const base = `${prefix}:${laneName(lane)}:`;
    const keys = ["active", "wait", "marker", "stalled"].map((name) => base + name);
    reclaimed += Number(await redis.eval(RECLAIM, keys.length, ...keys, base));
  }
  return reclaimed;
}
