/**
 * Redis connections by use. Redis is transport, never truth: when it is down, writes fail at once
 * (the client gets 503 and retries with its key), and waiting for work continues without limit.
 */
import { Redis } from "ioredis";
import type { Service } from "../../src/lib/service.ts";
import { NativeRedis, SILENCE_MS } from "./native-redis.ts";
import type { RedisTarget, SentinelTarget } from "./redis-target.ts";

/** Shorter than a client's own deadline. */
const COMMAND_MS_MAX = 3_000;
const READY_MS_MAX = 10_000;
/** Sentinels are asked one after the other. */
const SENTINEL_MS_MAX = 1_000;

/** Commands of BullMQ's classes and rare commands fail fast. */
const PRODUCER = {
  protocol: 2,
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  enableAutoPipelining: false,
  retryStrategy: (attempt: number) => Math.min(20 * 2 ** Math.min(attempt, 6), 1_000),
  commandTimeout: COMMAND_MS_MAX,
  // A silent server may be a lost primary, whose connection would stay open.
  socketTimeout: SILENCE_MS,
  reconnectOnError: (error: Error) => error.message.includes("READONLY"),
} as const;

/** `hot`: commands of every request and envelope. `subscriber`: subscriptions only. */
interface ClientOf {
  readonly producer: Redis;
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
  const redis = newRedis(target, PRODUCER);
  // An `error` event without a listener ends the process.
  redis.on("error", onError);
  return redis;
}

/** ioredis asks the sentinels for the primary at each attempt, and checks its role. */
function sentinelOptions({ sentinels, name }: SentinelTarget) {
  const { username, password, protocol } = new URL(sentinels[0]!);
  return {
    name,
    sentinels: sentinels.map((url) => {
      const { hostname, port } = new URL(url);
      return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
    }),
    ...(password && { sentinelPassword: decodeURIComponent(password) }),
    ...(username && { sentinelUsername: decodeURIComponent(username) }),
    ...(protocol === "rediss:" && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
    ...{ connectTimeout: SENTINEL_MS_MAX, sentinelCommandTimeout: SENTINEL_MS_MAX },
  };
}

function newRedis(target: RedisTarget, options: Readonly<typeof PRODUCER>): Redis {
  if ("path" in target) return new Redis(target.path, options);
  if ("url" in target) return new Redis(target.url, options);
  return new Redis(target.primary, { ...options, ...sentinelOptions(target) });
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
