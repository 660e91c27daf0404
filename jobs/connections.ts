/**
 * Redis connections, each made for its use. Redis is transport, never truth: whoever writes fails
 * at once when it is down (the client is told 503 and retries with its key); whoever waits for work
 * waits as long as it takes.
 */
import { Redis, type RedisOptions } from "ioredis";

/** Where Redis listens; the same shape as `Config.redis`. */
export type RedisTarget = { readonly path: string } | { readonly url: string };

/** `producer`: commands fail fast. `worker`: blocks and reconnects for ever. */
export type ConnectionUse = "producer" | "worker";

/** A Redis that is silent, not gone, must not keep a client waiting past its own deadline. */
const COMMAND_MS_MAX = 3_000;

const USES: Readonly<
  Record<
    ConnectionUse,
    Pick<RedisOptions, "maxRetriesPerRequest" | "enableOfflineQueue" | "commandTimeout">
  >
> = {
  producer: {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: COMMAND_MS_MAX,
  },
  worker: { maxRetriesPerRequest: null },
};

/**
 * Connects. Errors go to `onError`, because an `error` event without a listener ends the process.
 */
export function connect(
  target: RedisTarget,
  use: ConnectionUse,
  onError: (error: Error) => void,
): Redis {
  const options = {
    ...USES[use],
    protocol: 2 as const,

    enableAutoPipelining: false,
    retryStrategy: (attempt: number) => Math.min(20 * 2 ** Math.min(attempt, 6), 1_000),
  };
  const redis = "path" in target ? new Redis(target.path, options) : new Redis(target.url, options);
  redis.on("error", onError);
  return redis;
}

/** Resolves when the connection can take commands; rejects after `timeoutMs`. */
export async function whenReady(redis: Redis, timeoutMs: number): Promise<void> {
  if (redis.status === "ready") return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.off("ready", ready);
      reject(new Error(`redis was not ready within ${timeoutMs} ms`));
    }, timeoutMs);
    const ready = () => {
      clearTimeout(timer);
      resolve();
    };
    redis.once("ready", ready);
  });
}
