/**
 * The engine's end of the lanes: passes envelopes to the one committer, many at a time. A command
 * may arrive more than once; the journal's epoch and the keys protect against that, not BullMQ's
 * order or locks.
 */
import type { Redis } from "ioredis";
import { placedItem } from "../../engine/core/codec/place-hold-text.ts";
import type { Command } from "../../engine/core/commands.ts";
import { refusal } from "../../engine/core/decision.ts";
import { PlacedOutcome } from "../../engine/core/holds/placed-hold.ts";
import { type Reply, transientReply } from "../../engine/writer/group.ts";
import type { Submission } from "../../engine/writer/waiting.ts";
import type { Log, Service } from "../../src/lib/service.ts";
import type { MessageMacs } from "../redis/message-macs.ts";
import type { NativeRedis } from "../redis/native-redis.ts";
import { JobQueue } from "./job-queue.ts";
import { QueueConsumer } from "./queue-consumer.ts";
import {
  answeredChannel,
  type Envelope,
  laneName,
  queueAddress,
  senderOf,
  unpack,
} from "./queues.ts";
import { reclaimQueue } from "./reclaim-queue.ts";

export interface LanesOptions {
  readonly hot: NativeRedis;
  readonly producer: Redis;
  readonly prefix: string;
  readonly macs: MessageMacs;
  readonly lanes: number;
  /** Engine time, as in envelopes. */
  readonly now: () => number;
  readonly submit: (submission: Submission) => void;
  readonly onError: (error: unknown) => void;
  readonly log: Log;
}

/** One reply as JSON. */
function itemJson(id: number | null, reply: Reply): string {
  const head = id === null ? "" : `"i":${id},`;
  const key = reply.key === null ? "null" : `"${reply.key}"`;
  const { phase, replayed, row, rendered } = reply;
  const placed = rendered?.outcome;
  if (id !== null && !replayed && placed instanceof PlacedOutcome)
    return placedItem(id, row, placed);
  const body = rendered?.json ?? "null";
  return `{${head}"k":${key},"p":"${phase}","x":${replayed},"r":${row},"o":${body}}`;
}

/** Publishes keys that were answered by a command other than their own. */
export function publishAnswered(
  replies: readonly Reply[],
  options: Pick<LanesOptions, "hot" | "prefix" | "macs" | "now" | "onError">,
): void {
  const items = replies.map((reply) => itemJson(null, reply)).join(",");
  publish(answeredChannel(options.prefix), `{"t":${options.now()},"items":[${items}]}`, options);
}

function publish(
  channel: string,
  text: string,
  { hot, macs, onError }: Pick<LanesOptions, "hot" | "macs" | "onError">,
): void {
  hot.send("PUBLISH", [channel, macs.write("replies", channel, text)]).catch(onError);
}

/** A job ends when all its commands are answered. */
export class InventoryLanes implements Service {
  readonly id = "inventory lanes";
  readonly #options: LanesOptions;
  #consumers: readonly QueueConsumer[] = [];

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** Reclaims the jobs of a dead engine, then serves. Throws when Redis is down. */
  async start(): Promise<void> {
    const { producer, prefix, lanes, log } = this.#options;
    const reclaimed = await reclaimLanes(producer, prefix, lanes);
    this.#consumers = Array.from({ length: lanes }, (_, lane) => consumerOf(lane, this.#options));
    await Promise.all(this.#consumers.map((consumer) => consumer.start()));
    log("info", "serving", { reclaimed });
  }

  /** Leaves the lanes without waiting; unanswered senders send again. */
  async stop(): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.stop()));
  }
}

function consumerOf(lane: number, options: LanesOptions): QueueConsumer {
  const { hot: redis, prefix, onError } = options;
  const name = laneName(lane);
  const queue = new JobQueue({ redis, prefix, name });
  const address = queueAddress(prefix, name);
  return new QueueConsumer({
    ...{ queue, redis, onError },
    async handle({ data }) {
      const text = options.macs.read("commands", address, data);
      // Without a valid MAC the envelope is dropped without an answer.
      if (text !== null) await decideAll(JSON.parse(text) as Envelope, options);
    },
  });
}

/** Resolves when all commands of an envelope are answered. */
function decideAll({ a, t, cs }: Envelope, options: LanesOptions): Promise<void> {
  const waitedMs = options.now() - t;
  const items: string[] = [];
  return new Promise((resolve) => {
    for (const { i, c } of cs) {
      const send = (reply: Reply) => {
        items.push(itemJson(i, reply));
        if (items.length < cs.length) return;
        publish(a, `[${items.join(",")}]`, options);
        resolve();
      };
      let command: Command;
      try {
        command = unpack(c);
      } catch (error) {
        options.onError(new Error(`a command cannot be read: ${String(error)}`));
        // Answered, because the sender waits for the whole envelope before it sends the next one.
        send(transientReply(null, refusal(senderOf(c), { code: "internal_error", detail: {} })));
        continue;
      }
      const { time_left_ms } = command;
      const isLapsed = time_left_ms !== undefined && waitedMs > time_left_ms;
      options.submit({ command, isLapsed, send });
    }
  });
}

/** Reclaims every lane; returns the number of envelopes. */
async function reclaimLanes(redis: Redis, prefix: string, lanes: number): Promise<number> {
  let reclaimed = 0;
  for (let lane = 0; lane < lanes; lane += 1) {
    reclaimed += await reclaimQueue(redis, prefix, laneName(lane));
  }
  return reclaimed;
}
