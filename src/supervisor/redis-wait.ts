/** A start with a Redis of its own (`REDIS_URL`) waits for it, and not for ever. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RedisTarget } from "../../jobs/native-redis.ts";
import { askRedis, type RedisTrouble, redisAddress } from "../../jobs/redis-check.ts";
import type { Logger } from "../base/log.ts";
import { refusedStart } from "../base/refused-starts.ts";
import type { StartRefused } from "../lifecycle.ts";

const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 5_000;
/** A line now and then: each of them would fill the log of a Redis that is restored for an hour. */
const TELL_EVERY_MS = 10_000;

/**
 * Resolves when Redis takes commands; asks again, ever more seldom, while it does not answer.
 *
 * @throws StartRefused when it has not by `timeoutMs`, and at once when it refuses the login or is
 *   something else, which no waiting cures.
 */
export async function untilRedis(
  target: RedisTarget,
  { timeoutMs, log }: { readonly timeoutMs: number; readonly log: Logger },
): Promise<void> {
  const startedMs = performance.now();
  // Of the first second nobody needs to know.
  let toldAtMs = startedMs + 1_000 - TELL_EVERY_MS;
  for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    const found = await askRedis(target, async () => null);
    if ("answer" in found) return;
    const { trouble } = found;
    const nowMs = performance.now();
    const leftMs = startedMs + timeoutMs - nowMs;
    if (trouble.kind !== "unreachable" || leftMs <= 0) throw refusalOf(target, trouble, timeoutMs);
    if (nowMs - toldAtMs >= TELL_EVERY_MS) {
      const fields = { problem: trouble.problem, gives_up_in_s: Math.ceil(leftMs / 1_000) };
      log.warn(`Redis at ${redisAddress(target)} does not answer: waiting for it`, fields);
      toldAtMs = nowMs;
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
  return refusedStart("redis_unreachable", { ...facts, seconds: timeoutMs / 1_000 });
}
