/** Looks whether there is a Redis that lets us in, before anything depends on it. */
import { Redis } from "ioredis";
import type { RedisTarget } from "./native-redis.ts";

/**
 * What is wrong: it does not answer (yet), refuses the login, or is something else. Only the first
 * can pass by itself.
 */
export interface RedisTrouble {
  readonly kind: "unreachable" | "login" | "other";
  /** Why, in a few words without secrets. */
  readonly problem: string;
}

const ANSWER_MS_MAX = 3_000;

/** Where Redis listens, for people: neither user nor password. */
export function redisAddress(target: RedisTarget): string {
  if ("path" in target) return target.path;
  const { hostname, port } = new URL(target.url);
  return `${hostname}:${port || 6379}`;
}

/**
 * Connects once, asks what `ask` asks and disconnects; resolves to its answer, or to what is wrong.
 */
export async function askRedis<T>(
  target: RedisTarget,
  ask: (redis: Redis) => Promise<T>,
): Promise<{ readonly answer: T } | { readonly trouble: RedisTrouble }> {
  const options = {
    ...{ lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 },
    ...{ connectTimeout: ANSWER_MS_MAX, commandTimeout: ANSWER_MS_MAX },
    ...{ enableReadyCheck: false, protocol: 2 as const },
  };
  const redis = "path" in target ? new Redis(target.path, options) : new Redis(target.url, options);
  // What ended a connection is told here; who waits for it only hears that it is closed.
  const told: unknown[] = [];
  redis.on("error", (error) => void told.push(error));
  try {
    await redis.connect();
    await redis.ping();
    return { answer: await ask(redis) };
  } catch (error) {
    const troubles = [...told, error].map(troubleOf);
    // What closes a connection also breaks what is being written: why it closes says more.
    return { trouble: troubles.find(({ kind }) => kind !== "unreachable") ?? troubles[0]! };
  } finally {
    redis.disconnect();
  }
}

function troubleOf(error: unknown): RedisTrouble {
  const { code, message = "" } = error as { readonly code?: unknown; readonly message?: string };
  if (/^(NOAUTH|WRONGPASS|NOPERM)|invalid password|without any password/.test(message)) {
    return { kind: "login", problem: message.split(/[ :]/)[0]! };
  }
  if (/Protocol error|RESP type|WRONG_VERSION|unknown command/.test(`${code} ${message}`)) {
    return { kind: "other", problem: message.split("\n")[0]!.slice(0, 80).replace(/\W+$/, "") };
  }
  return { kind: "unreachable", problem: typeof code === "string" ? code : message };
}
