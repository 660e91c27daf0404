/** Checks that Redis can be reached and accepts the login, before anything depends on it. */
import { Redis } from "ioredis";
import type { RedisTarget } from "./native-redis.ts";

/** Why Redis cannot be used. Only `unreachable` may pass by itself. */
export interface RedisTrouble {
  readonly kind: "unreachable" | "login" | "other";
  /** A short reason without secrets. */
  readonly problem: string;
}

const ANSWER_MS_MAX = 3_000;

/** The address for messages: without user and password. */
export function redisAddress(target: RedisTarget): string {
  if ("path" in target) return target.path;
  const { hostname, port } = new URL(target.url);
  return `${hostname}:${port || 6379}`;
}

/** Connects once and calls `ask`; resolves to its answer or to the trouble. */
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
  // The cause of a closed connection; the rejected call only says that it is closed.
  const closeErrors: unknown[] = [];
  redis.on("error", (error) => void closeErrors.push(error));
  try {
    await redis.connect();
    await redis.ping();
    return { answer: await ask(redis) };
  } catch (error) {
    const troubles = [...closeErrors, error].map(troubleOf);
    // Prefer the cause of the closed connection to the error of the interrupted call.
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
