/**
 * Redis connections, each made for its use. Redis is transport, never truth: whoever writes fails
 * at once when it is down (the client is told 503 and retries with its key); whoever waits for work
 * waits as long as it takes.
 */
import { Redis } from "ioredis";
import type { Service } from "../engine/shell/service.ts";
import { NativeRedis, type RedisTarget } from "./native-redis.ts";

/** A Redis that is silent, not gone, must not keep a client waiting past its own deadline. */
const COMMAND_MS_MAX = 3_000;
const READY_MS_MAX = 10_000;

/**
 * By ioredis: what BullMQ's own classes use, and what comes once a second at most. A producer's
 * commands fail fast; who waits for work reconnects for ever.
 */
const IO_USES = {
  producer: { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: COMMAND_MS_MAX },
  blocking: { maxRetriesPerRequest: null },
} as const;

/** `hot` carries what every request or every envelope needs, `subscriber` only hears. */
interface ClientOf extends Record<keyof typeof IO_USES, Redis> {
  readonly hot: NativeRedis;
  readonly subscriber: NativeRedis;
}

type ConnectionUse = keyof ClientOf;

/** A process's connections by their use; stopping disconnects them. */
export type Connections<Use extends ConnectionUse> = Service & Readonly<Pick<ClientOf, Use>>;

/**
 * Opens a connection for each use, ready to take commands. Errors go to `onError`.
 *
 * @throws Error when one is not ready within 10 s; none is open then.
 */
export async function openConnections<Use extends ConnectionUse>(
  target: RedisTarget,
  uses: readonly Use[],
  onError: (error: Error) => void,
): Promise<Connections<Use>> {
  const opened = uses.map((use) => [use, connect(target, use, onError)] as const);
  const stop = () => {
    for (const [, redis] of opened) {
      if (redis instanceof NativeRedis) redis.stop();
      else redis.disconnect();
    }
  };
  try {
    await Promise.all(opened.map(([, redis]) => inTime(whenReady(redis))));
  } catch (error) {
    stop();
    throw error;
  }
  const byUse = Object.fromEntries(opened) as Pick<ClientOf, Use>;
  return { ...byUse, id: "connections", stop };
}

function connect(
  target: RedisTarget,
  use: ConnectionUse,
  onError: (error: Error) => void,
): Redis | NativeRedis {
  if (use === "hot" || use === "subscriber") return new NativeRedis({ target, onError });
  const options = {
    ...IO_USES[use],
    protocol: 2 as const,
    enableAutoPipelining: false,
    retryStrategy: (attempt: number) => Math.min(20 * 2 ** Math.min(attempt, 6), 1_000),
  };
  const redis = "path" in target ? new Redis(target.path, options) : new Redis(target.url, options);
  // An `error` event without a listener ends the process.
  redis.on("error", onError);
  return redis;
}

async function whenReady(redis: Redis | NativeRedis): Promise<void> {
  if (redis instanceof NativeRedis) return redis.ready();
  if (redis.status === "ready") return;
  await new Promise<void>((resolve) => void redis.once("ready", resolve));
}

async function inTime(ready: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(new Error(`redis was not ready within ${READY_MS_MAX} ms`));
  const timer = setTimeout(late, READY_MS_MAX);
  try {
    await Promise.race([ready, promise]);
  } finally {
    clearTimeout(timer);
  }
}
