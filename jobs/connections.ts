/**
 * Redis connections, each made for its use. Redis is transport, never truth: whoever writes fails
 * at once when it is down (the client is told 503 and retries with its key); whoever waits for work
 * waits as long as it takes.
 */
import { Redis } from "ioredis";
import type { Service } from "../engine/shell/service.ts";

/** Where Redis listens: a unix socket, or a `redis://` or `rediss://` address. */
export type RedisTarget = { readonly path: string } | { readonly url: string };

/** A Redis that is silent, not gone, must not keep a client waiting past its own deadline. */
const COMMAND_MS_MAX = 3_000;
const READY_MS_MAX = 10_000;

const PATIENT = { maxRetriesPerRequest: null } as const;

/** A producer's commands fail fast; the others wait for work and reconnect for ever. */
const USES = {
  producer: { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: COMMAND_MS_MAX },
  subscriber: PATIENT,
  blocking: PATIENT,
} as const;

type ConnectionUse = keyof typeof USES;

/** A process's connections by their use; stopping disconnects them. */
export type Connections<Use extends ConnectionUse> = Service & Readonly<Record<Use, Redis>>;

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
    for (const [, redis] of opened) redis.disconnect();
  };
  try {
    await Promise.all(opened.map(([, redis]) => whenReady(redis)));
  } catch (error) {
    stop();
    throw error;
  }
  const byUse = Object.fromEntries(opened) as Record<Use, Redis>;
  return { ...byUse, id: "connections", stop };
}

function connect(target: RedisTarget, use: ConnectionUse, onError: (error: Error) => void): Redis {
  const options = {
    ...USES[use],
    protocol: 2 as const,
    enableAutoPipelining: false,
    retryStrategy: (attempt: number) => Math.min(20 * 2 ** Math.min(attempt, 6), 1_000),
  };
  const redis = "path" in target ? new Redis(target.path, options) : new Redis(target.url, options);
  // An `error` event without a listener ends the process.
  redis.on("error", onError);
  return redis;
}

async function whenReady(redis: Redis): Promise<void> {
  if (redis.status === "ready") return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.off("ready", ready);
      reject(new Error(`redis was not ready within ${READY_MS_MAX} ms`));
    }, READY_MS_MAX);
    const ready = () => {
      clearTimeout(timer);
      resolve();
    };
    redis.once("ready", ready);
  });
}
