/**
 * The engine's end of the lanes. A lane's worker only hands envelopes to the one committer, many at
 * a time; BullMQ's own order and exclusivity are not relied upon (the journal's epoch and the keys
 * are the guard), so nothing here may assume that a command comes once.
 */
import { type Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { refusal } from "../engine/core/decide/context.ts";
import { PlacedOutcome } from "../engine/core/placed-hold.ts";
import { type Reply, transientReply } from "../engine/shell/group.ts";
import type { Log, Service } from "../engine/shell/service.ts";
import type { Submission } from "../engine/shell/waiting.ts";
import { placedItem } from "./place-hold-text.ts";
import { answeredChannel, type Envelope, laneName, unpack } from "./queues.ts";
import { reclaimQueue } from "./reclaim.ts";

/** Each api process has up to two envelopes on a lane that are not answered yet. */
const CONCURRENCY = 32;

export interface LanesOptions {
  /** Blocking connections are duplicated from this one. */
  readonly blocking: Redis;
  readonly producer: Redis;
  readonly prefix: string;
  readonly installationId: string;
  readonly lanes: number;
  /** Engine time, which envelopes are stamped by too. */
  readonly now: () => number;
  readonly submit: (submission: Submission) => void;
  readonly onError: (error: unknown) => void;
  readonly log: Log;
}

/** One reply as JSON. */
function itemJson(id: number | null, reply: Reply): string {
  const head = id === null ? "" : `"i":${id},`;
  const key = reply.key === null ? "null" : `"${reply.key}"`;
  const { phase, replayed, row, told } = reply;
  const placed = told?.outcome;
  if (id !== null && !replayed && placed instanceof PlacedOutcome)
    return placedItem(id, row, placed);
  const body = told?.json ?? "null";
  return `{${head}"k":${key},"p":"${phase}","x":${replayed},"r":${row},"o":${body}}`;
}

/** Tells every process of keys that a command other than their own has answered. */
export function publishAnswered(
  producer: Redis,
  prefix: string,
  replies: readonly Reply[],
  onError: (error: unknown) => void,
): void {
  const text = `[${replies.map((reply) => itemJson(null, reply)).join(",")}]`;
  producer.publish(answeredChannel(prefix), text).catch(onError);
}

/** A worker per lane; each job ends when all of its commands are answered. */
export class InventoryLanes implements Service {
  readonly id = "inventory lanes";
  readonly #options: LanesOptions;
  #workers: readonly Worker<Envelope>[] = [];

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** Takes back what a dead engine had in work, then serves. Throws when Redis is down. */
  async start(): Promise<void> {
    const { producer, prefix, lanes, log } = this.#options;
    const reclaimed = await reclaimLanes(producer, prefix, lanes);
    this.#workers = Array.from({ length: lanes }, (_, lane) => this.#serve(lane));
    log("info", "serving", { reclaimed });
  }

  /** Leaves the lanes without waiting: whoever gets no answer sends again. */
  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close(true)));
  }

  #serve(lane: number): Worker<Envelope> {
    const process = (job: Job<Envelope>) => handle(job, this.#options);
    const worker = new Worker<Envelope>(laneName(lane), process, {
      connection: this.#options.blocking,
      prefix: this.#options.prefix,
      concurrency: CONCURRENCY,
      lockDuration: 5_000,
      stalledInterval: 1_000,
      maxStalledCount: 1_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    worker.on("error", this.#options.onError);
    return worker;
  }
}

function handle(job: Job<Envelope>, options: LanesOptions): Promise<void> {
  const { by, a, cs } = job.data;
  if (by !== options.installationId) return refuseForeign(job, options);
  const waitedMs = options.now() - job.timestamp;
  const items: string[] = [];
  return new Promise((resolve) => {
    for (const { i, c } of cs) {
      const command = unpack(c);
      const { time_left_ms } = command;
      const isLapsed = time_left_ms !== undefined && waitedMs > time_left_ms;
      const send = (reply: Reply) => {
        items.push(itemJson(i, reply));
        if (items.length < cs.length) return;
        options.producer.publish(a, `[${items.join(",")}]`).catch(options.onError);
        resolve();
      };
      options.submit({ command, isLapsed, send });
    }
  });
}

/**
 * Whoever sent it belongs to another journal, where nobody would ever find what was decided here;
 * only files that were mixed by hand bring its envelope into our lane.
 */
async function refuseForeign({ data }: Job<Envelope>, options: LanesOptions): Promise<void> {
  const { by, a, cs } = data;
  const { installationId, producer, log } = options;
  log("error", "foreign_envelope: not decided", { by, installation_id: installationId });
  const detail = { upstream: "engine", reason: "foreign_envelope" };
  const items = cs.map(({ i, c }) => {
    const command = unpack(c);
    const refused = refusal(command, { code: "upstream_unavailable", detail });
    return itemJson(i, transientReply(command.key, refused));
  });
  await producer.publish(a, `[${items.join(",")}]`).catch(options.onError);
}

/** Reclaims every lane; returns how many envelopes were taken back. */
async function reclaimLanes(redis: Redis, prefix: string, lanes: number): Promise<number> {
  let reclaimed = 0;
  for (let lane = 0; lane < lanes; lane += 1) {
    reclaimed += await reclaimQueue(redis, prefix, laneName(lane));
  }
  return reclaimed;
}
