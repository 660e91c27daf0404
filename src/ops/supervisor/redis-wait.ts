/** A start waits for the Redis of `REDIS_URL`, for a limited time. */
import { setTimeout as sleep } from "node:timers/promises";
import { askRedis, type RedisTrouble } from "../../../jobs/redis/redis-check.ts";
import { type RedisTarget, redisAddress } from "../../../jobs/redis/redis-target.ts";
import type { StartRefused } from "../../lib/lifecycle.ts";
import type { Logger } from "../../lib/log.ts";
import { refusedStart } from "../../lib/refused-starts.ts";

const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 5_000;
const LOG_EVERY_MS = 10_000;

/**
 * Resolves when Redis accepts commands; retries with growing pauses.
 *
 * @throws StartRefused after `timeoutMs`, and at once for a refused login, a program other than
 *   Redis, or sentinels that do not know the primary.
 */
export async function untilRedis(
  target: RedisTarget,
  { timeoutMs, log }: { readonly timeoutMs: number; readonly log: Logger },
): Promise<void> {
  const startedMs = performance.now();
  // The first second is not logged.
  let loggedAtMs = startedMs + 1_000 - LOG_EVERY_MS;
  for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    const found = await askRedis(target, async () => null);
    if ("answer" in found) return;
    const { trouble } = found;
    const nowMs = performance.now();
    const leftMs = startedMs + timeoutMs - nowMs;
    if (trouble.kind !== "unreachable" || leftMs <= 0) throw refusalOf(target, trouble, timeoutMs);
    if (nowMs - loggedAtMs >= LOG_EVERY_MS) {
      const fields = { problem: trouble.problem, gives_up_in_s: Math.ceil(leftMs / 1_000) };
      log.warn(`Redis at ${redisAddress(target)} does not answer: waiting`, fields);
      loggedAtMs = nowMs;
    }
    await sleep(Math.min(pauseMs, leftMs));
  }
}

function refusalOf(
  target: RedisTarget,
  { kind, problem }: RedisTrouble,
  timeoutMs: number,
): StartRefused {
  const facts = { address: redisAddress(target), problem };
  if (kind === "login") return refusedStart("redis_login", facts);
  if (kind === "other") return refusedStart("redis_other", facts);
  if (kind === "sentinel") return refusedStart("redis_sentinel", facts);
  return refusedStart("redis_unreachable", { ...facts, seconds: timeoutMs / 1_000 });
}
