/**
 * Who asks for a feed before there is a file of it waits for the build, which is one however many
 * ask and in however many processes (`FeedStore.request`). Waiting is bounded: in time, in calls of
 * one address, and in calls of the process.
 */
import { existsSync } from "node:fs";
import type { FeedRun } from "../../../jobs/feeds/run.ts";
import type { PublishedFeed } from "../../../jobs/feeds/store.ts";
import { isBusy } from "../../../jobs/store-file.ts";
import { memoizeByKey } from "../../base/memoize.ts";
import { chargeAddress } from "../../http/admission.ts";
import { type Refusal, refuse } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";

const LOOK_EVERY_MS = 50;
/** Each costs a socket and a look at the store every so often. */
const WAITING_MAX = 256;
/** A build that goes on is worth asking for again soon; one that has failed is not. */
const AGAIN_SOON_S = 5;
const AGAIN_LATER_S = 60;

/** What the wait for a feed comes to; `empty` when there was nothing to list after all. */
export type FirstBuild = PublishedFeed | "empty" | Refusal;

const waitersOf = memoizeByKey((_: Context) => ({ count: 0 }));

/** What is published of a feed; null when nothing is, or when somebody has removed its files. */
export function servable(
  { feeds }: Context,
  tenantId: string,
  partner: string,
): PublishedFeed | null {
  const published = feeds.current(tenantId, partner);
  return published && existsSync(published.directory) ? published : null;
}

/** Asks for the tenant's feed to be built and waits for it. */
export async function firstBuild(
  call: PublicCall,
  tenantId: string,
  partner: string,
): Promise<FirstBuild> {
  const { context } = call;
  const tooMany = await chargeAddress(call, { name: "feed_builds" });
  if (tooMany) return tooMany;
  const waiters = waitersOf(context);
  if (waiters.count >= WAITING_MAX) return notYet(AGAIN_SOON_S);
  waiters.count += 1;
  try {
    const run = context.feeds.request(tenantId, partner, "first", { nowMs: context.engineNow() });
    if (run.ended_at === null) await enqueue(context, run.run_id);
    const { state, reason } = await untilEnded(call, run);
    if (state === "failed") return reason === "no_property" ? "empty" : notYet(AGAIN_LATER_S);
    return servable(context, tenantId, partner) ?? notYet(AGAIN_SOON_S);
  } catch (error) {
    if (!isBusy(error)) throw error;
    return notYet(AGAIN_SOON_S);
  } finally {
    waiters.count -= 1;
  }
}

/** Has a run begun. Without Redis its row waits: the worker enqueues whatever is open. */
export async function enqueue({ feedQueue, log }: Context, run_id: string): Promise<void> {
  try {
    await feedQueue.enqueue(run_id);
  } catch (error) {
    log.warn("a run waits for Redis", { run_id, error });
  }
}

/** The run when it has ended, or as it stands when nobody waits for it any longer. */
async function untilEnded({ context, request }: PublicCall, run: FeedRun): Promise<FeedRun> {
  const { feeds, listeners, config } = context;
  const deadlineMs = performance.now() + config.feedWaitMs;
  let seen = run;
  while (seen.ended_at === null && performance.now() < deadlineMs) {
    if (listeners.isEnding || request.signal.aborted) break;
    await Bun.sleep(LOOK_EVERY_MS);
    seen = feeds.run(run.run_id) ?? seen;
  }
  return seen;
}

function notYet(retry_after: number): Refusal {
  return refuse("upstream_unavailable", { upstream: "feeds" }, { retry_after });
}
