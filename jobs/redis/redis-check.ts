/** Checks that Redis can be reached and accepts the login, before anything depends on it. */
import { Redis } from "ioredis";
import { type RedisTarget, redisAddress, type SentinelTarget } from "./redis-target.ts";

/** Why Redis cannot be used. Only `unreachable` may pass by itself. */
export interface RedisTrouble {
  readonly kind: "unreachable" | "login" | "other" | "sentinel";
  /** A short reason without secrets. */
  readonly problem: string;
}

const ANSWER_MS_MAX = 3_000;

type Asked<T> = { readonly answer: T } | { readonly trouble: RedisTrouble };

/**
 * Connects once and calls `ask`; resolves to its answer or to the trouble. With sentinels it
 * connects to the primary.
 */
export async function askRedis<T>(
  target: RedisTarget,
  ask: (redis: Redis) => Promise<T>,
): Promise<Asked<T>> {
  if ("sentinels" in target) {
    const found = await findPrimary(target);
    if ("trouble" in found) return found;
    const asked = await askRedis({ url: found.answer }, ask);
    if ("answer" in asked) return asked;
    const { kind, problem } = asked.trouble;
    return { trouble: { kind, problem: `${redisAddress({ url: found.answer })}: ${problem}` } };
  }
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
    return { trouble: worstOf(troubles) };
  } finally {
    redis.disconnect();
  }
}

/**
 * The URL of the primary, as the first sentinel that answers gives it. All are asked at once: one
 * may be on the machine of a lost primary, and silent.
 */
export async function findPrimary(target: SentinelTarget): Promise<Asked<string>> {
  const troubles: RedisTrouble[] = [];
  const asked = target.sentinels.map(async (url) => {
    const { name } = target;
    const found = await askRedis({ url }, (sentinel) => {
      return sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name);
    });
    if ("answer" in found && Array.isArray(found.answer)) return primaryAt(found.answer, target);
    const trouble = "trouble" in found ? sentinelTrouble(found.trouble) : unknownName(name);
    troubles.push(trouble);
    throw new Error(trouble.problem);
  });
  return Promise.any(asked).then(
    (answer) => ({ answer }),
    () => ({ trouble: worstOf(troubles) }),
  );
}

function primaryAt([host, port]: readonly string[], { primary }: SentinelTarget): string {
  const url = new URL(primary);
  url.host = host!.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  return url.href;
}

function unknownName(name: string): RedisTrouble {
  return { kind: "sentinel", problem: `${name} is unknown` };
}

function sentinelTrouble({ kind, problem }: RedisTrouble): RedisTrouble {
  if (kind === "unreachable") return { kind, problem: `no sentinel answers: ${problem}` };
  const isLogin = kind === "login";
  return { kind: "sentinel", problem: isLogin ? `sentinel_password: ${problem}` : "no sentinel" };
}

/** One that does not pass by itself, if there is one. */
function worstOf(troubles: readonly RedisTrouble[]): RedisTrouble {
  return troubles.find(({ kind }) => kind !== "unreachable") ?? troubles[0]!;
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
