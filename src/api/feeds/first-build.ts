/**
 * A request for a feed without a file waits for its build, which is shared by all requests in all
 * processes (`FeedStore.request`). Waiting is bounded: in time, in calls per address, and in calls
 * per process.
 */
import { existsSync } from "node:fs";
import type { FeedRun } from "../../../jobs/feed-runs/run.ts";
import type { PublishedFeed } from "../../../jobs/feed-runs/store.ts";
import { chargeAddress } from "../../http/admission.ts";
import { type Refusal, refuse } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import { memoizeByKey } from "../../lib/memoize.ts";
import { isBusy } from "../../lib/store-file.ts";

const LOOK_EVERY_MS = 50;
/** Each waiting call costs a socket and polls the store. */
const WAITING_MAX = 256;
/** `Retry-After` of a running build and, longer, of a failed one. */
const AGAIN_SOON_S = 5;
const AGAIN_LATER_S = 60;

/** Result of the wait for a feed; `empty` when there is nothing to list. */
export type FirstBuild = PublishedFeed | "empty" | Refusal;

const waitersOf = memoizeByKey((_: Context) => ({ count: 0 }));

/** The published feed; null without one, or when its files are missing. */
export function servable(
  { feeds }: Context,
  tenantId: string,
  partner: string,
): PublishedFeed | null {
  const published = feeds.current(tenantId, partner);
  return published && existsSync(published.directory) ? published : null;
}

/** Requests a build of the tenant's feed and waits for it. */
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

/** The run once it has ended, or its state at the timeout. */
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
