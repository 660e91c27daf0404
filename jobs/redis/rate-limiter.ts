/**
 * Rate limits of the installation: the generic cell rate algorithm, one number per key in Redis, by
 * Redis' clock. One call decides all requests of a turn of the loop. When Redis is down every
 * request passes and is counted: a limit protects the service and must not stop it.
 */
import type { NativeRedis } from "./native-redis.ts";

export interface RatePolicy {
  /** The limit's name in `RateLimit` headers. */
  readonly name: string;
  /** Requests, or their costs, per window in the long run. */
  readonly limit: number;
  readonly windowS: number;
  /** Requests that may come at once. */
  readonly burst: number;
}

export interface RateVerdict {
  readonly isAllowed: boolean;
  /** Requests that may come now. */
  readonly remaining: number;
  /** Seconds until the full burst is available. */
  readonly fullInS: number;
  /** Seconds until this request may come; 0 for now. */
  readonly retryInS: number;
}

/**
 * KEYS: one per request. ARGV: per request its emission interval and burst tolerance in µs, and its
 * cost; cost 0 only checks a request of cost 1. The stored number is the theoretical arrival time
 * of the next request. Returns per key whether it may pass, and how far that time is ahead in µs.
 */
const TAKE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local answers = {}
for i, key in ipairs(KEYS) do
  local interval, tolerance = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
  local cost = tonumber(ARGV[3 * i])
  local stored = tonumber(redis.call('GET', key) or 0)
  -- Never stored: Redis's clock was set back, and nobody shall wait until that time comes again.
  if stored > now + tolerance then stored = 0 end
  local due = math.max(now, stored)
  local next = due + interval * math.max(1, cost)
  local ahead = next - now
  if ahead <= tolerance then
    if cost > 0 then
      redis.call('SET', key, string.format('%.0f', next), 'PX', math.ceil(ahead / 1000))
    end
    answers[2 * i - 1] = 1
  else
    ahead = due - now
    answers[2 * i - 1] = 0
  end
  answers[2 * i] = ahead
end
return answers`;

const SECOND_US = 1_000_000;
/** A silent Redis counts as down: a limit is not worth a wait. */
const DECISION_MS_MAX = 1_000;

interface Asked {
  readonly key: string;
  readonly policy: RatePolicy;
  readonly cost: number;
  readonly resolve: (verdict: RateVerdict | null) => void;
}

/** The limits of an installation. */
export class RateLimiter {
  readonly #redis: NativeRedis;
  readonly #prefix: string;
  #asked: Asked[] = [];
  /** Requests that passed because Redis did not answer. */
  unlimited = 0;

  constructor(redis: NativeRedis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /**
   * Takes `cost` requests from `key`'s budget. Null when Redis is down: the request passes. Cost 0
   * only checks whether a request could pass. A cost above the burst never passes.
   */
  take(key: string, policy: RatePolicy, cost = 1): Promise<RateVerdict | null> {
    return new Promise((resolve) => {
      if (this.#asked.length === 0) setImmediate(() => void this.#decide());
      this.#asked.push({ key, policy, cost, resolve });
    });
  }

  async #decide(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    const keys = asked.map(({ key, policy }) => `${this.#prefix}:rate:${policy.name}:${key}`);
    const args = asked.flatMap(({ policy, cost }) => {
      return [intervalUs(policy), toleranceUs(policy), cost].map(String);
    });
    try {
      const count = String(keys.length);
      const asking = this.#redis.send<number[]>("EVAL", [TAKE, count, ...keys, ...args]);
      const answers = await inTime(asking);
      for (const [i, each] of asked.entries()) {
        each.resolve(verdictOf(each, answers[2 * i] === 1, answers[2 * i + 1] ?? 0));
      }
    } catch {
      this.unlimited += asked.length;
      for (const { resolve } of asked) resolve(null);
    }
  }
}

/** Rejects when there is no answer in time; a late answer is ignored. */
async function inTime<T>(asking: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("no decision in time")), DECISION_MS_MAX);
  try {
    return await Promise.race([asking, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function intervalUs({ limit, windowS }: RatePolicy): number {
  return Math.max(1, Math.round((windowS * SECOND_US) / limit));
}

function toleranceUs(policy: RatePolicy): number {
  return intervalUs(policy) * policy.burst;
}

function verdictOf({ policy, cost }: Asked, isAllowed: boolean, aheadUs: number): RateVerdict {
  const leftUs = toleranceUs(policy) - aheadUs;
  const waitUs = intervalUs(policy) * Math.max(1, cost) - leftUs;
  return {
    isAllowed,
    remaining: Math.max(0, Math.floor(leftUs / intervalUs(policy))),
    fullInS: Math.ceil(aheadUs / SECOND_US),
    retryInS: isAllowed ? 0 : Math.max(1, Math.ceil(waitUs / SECOND_US)),
  };
}
