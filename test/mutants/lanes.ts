/** Bugs on the path of every write: in lanes, their messages and the connection to Redis. */
import type { ByKiller } from "./mutant.ts";

export const IN_LANES: ByKiller = {
  "jobs/lanes/queue-consumer.test.ts": [
    {
      name: "an envelope counts as answered when it is taken",
      in: "jobs/lanes/queue-consumer.ts QueueConsumer.#begin",
      instead: ["handle(taken)", "Promise.resolve(void handle(taken))"],
      test: "a stopping consumer leaves its active jobs but no answered one",
    },
    {
      name: "a job is finished twice",
      in: "jobs/lanes/queue-consumer.ts QueueConsumer.#takeNext",
      instead: ["this.#answered.shift()", "this.#answered[0]"],
      test: "senders on several lanes get one answer per command, each in its own order",
    },
    {
      name: "an answered job is finished only with the next one",
      in: "jobs/lanes/queue-consumer.ts QueueConsumer.#whenIdle",
      drop: "this.#finishAnswered",
      test: "many simultaneous jobs never exceed the limit of active jobs, and all are processed",
    },
    {
      name: "the lock of a long job is not renewed",
      in: "jobs/lanes/queue-consumer.ts QueueConsumer.#keep",
      drop: "due.length > 0",
      test: "a job that outlasts its lock is not taken again; a job of a dead worker is",
    },
    {
      name: "the jobs of a dead worker are lost",
      in: "jobs/lanes/queue-consumer.ts QueueConsumer.#keep",
      drop: "takeBackStalled",
      test: "a job that outlasts its lock is not taken again; a job of a dead worker is",
    },
    {
      name: "a consumer exceeds the limit of active jobs",
      in: "jobs/lanes/queue-consumer.ts QueueConsumer.#room",
      instead: [">=", ">"],
      test: "many simultaneous jobs never exceed the limit of active jobs, and all are processed",
    },
    {
      name: "an empty queue is read again without a wait",
      in: "jobs/lanes/queue-consumer.ts QueueConsumer.#waitForMore",
      drop: "await marked",
      test: "an envelope costs two scripts and one wait",
    },
  ],
  "jobs/lanes/inventory-lanes.test.ts": [
    {
      name: "reclaimed jobs are put behind waiting ones",
      in: "jobs/lanes/reclaim-queue.ts RECLAIM",
      text: ["RPUSH", "LPUSH"],
      test: "active jobs return in order, before the jobs that waited behind them",
    },
    {
      name: "an envelope is read from its end",
      in: "jobs/lanes/inventory-lanes.ts decideAll",
      instead: ["of cs", "of cs.toReversed()"],
      test: "commands of an envelope are delivered in order, and its job stays",
    },
    {
      name: "the time in the lane does not count",
      in: "jobs/lanes/inventory-lanes.ts decideAll",
      instead: ["options.now() - t", "0"],
      test: "commands of an envelope are delivered in order, and its job stays",
    },
    {
      name: "a job ends with the first answer of its envelope",
      in: "jobs/lanes/inventory-lanes.ts decideAll",
      instead: ["cs.length) return", "cs.length) return resolve()"],
      test: "commands of an envelope are delivered in order, and its job stays",
    },
    {
      name: "an unreadable command fails its whole envelope",
      in: "jobs/lanes/inventory-lanes.ts decideAll",
      instead: ["continue", "throw error"],
      test: "an unreadable command is refused alone, with the trace of its sender",
    },
  ],
  "jobs/lanes/submitter.test.ts": [
    {
      name: "a lost envelope is not sent again",
      in: "jobs/lanes/submitter.ts Submitter.#watch",
      drop: "this.#send",
      test: "an envelope that Redis lost is sent again, and no command is decided twice",
    },
  ],
  "jobs/lanes/quote-store.test.ts": [
    {
      name: "a quote of a foreign writer is held",
      in: "jobs/lanes/quote-store.ts QuoteStore.#answerAsked",
      instead: [
        'this.#macs.read("quotes", key, message)',
        'message.slice(message.indexOf("quote|"))',
      ],
      test: "a quote that others wrote, altered or moved is rejected and counted",
    },
  ],
  "jobs/lanes/forged-messages.test.ts": [
    {
      name: "a MAC is not compared",
      in: "jobs/redis/message-macs.ts MessageMacs.#bodyOf",
      holds: "sent.length === mac.length && timingSafeEqual(sent, mac)",
      test: "a command added by hand is refused, counted and logged by name, and has no effect",
    },
    {
      name: "an envelope is accepted from any lane",
      in: "jobs/lanes/queues.ts queueAddress",
      always: "prefix",
      test: "a command added by hand is refused, counted and logged by name, and has no effect",
    },
    {
      name: "an old answer ends a later attempt",
      in: "jobs/lanes/submitter.ts Submitter.#onAnswered",
      drop: "waiting.askedAt",
      test: "an answer older than a client's attempt is not taken for its answer",
    },
  ],
  "jobs/redis/native-redis.test.ts": [
    {
      name: "a Redis silent after its greeting is waited for",
      in: "jobs/redis/native-redis.ts NativeRedis.#tryConnect",
      instead: ["client.close(), CONNECT_MS_MAX", "{}, CONNECT_MS_MAX"],
      test: "a Redis that falls silent after its greeting is dropped and reconnected once it answers",
    },
    {
      name: "a channel is subscribed twice",
      in: "jobs/redis/native-redis.ts NativeRedis.subscribe",
      drop: "this.#heard.has(channel)",
      test: "a subscription made before the connection gets each message once",
    },
    {
      name: "channels are not subscribed again after a loss",
      in: "jobs/redis/native-redis.ts NativeRedis.#tryConnect",
      drop: "client.subscribe",
      test: "commands are refused at once while Redis is down, and all messages arrive once it is back",
    },
    {
      name: "a silent Redis is waited for",
      in: "jobs/redis/native-redis.ts NativeRedis.#watch",
      drop: "this.#silentLooks += 1",
      test: "a silent Redis counts as down; a blocking call does not",
    },
  ],
  "jobs/redis/sentinels.test.ts": [
    {
      name: "a demoted primary is kept",
      in: "jobs/redis/native-redis.ts NativeRedis.#look",
      instead: ['role !== "master"', "false"],
      test: "a silent sentinel is passed over, and a demoted primary is left for the new one",
    },
    {
      name: "a replica is taken for the primary",
      in: "jobs/redis/native-redis.ts NativeRedis.#tryConnect",
      instead: ["await this.#look(client)", "{}"],
      test: "a replica is refused while sentinels name it, until they name the primary",
    },
  ],
};
