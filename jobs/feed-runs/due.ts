/** Decides whether a feed must be rebuilt, and why: a pure function. */
import type { Unknown } from "./changes.ts";
import { NIGHT_SLACK_MS } from "./nightly-times.ts";
import type { FeedTrigger } from "./run.ts";
import type { Feed } from "./store.ts";

/** A feed without a request for this long is no longer kept fresh. */
export const KEPT_FRESH_MS = 14 * 86_400_000;
/** Pause after a failure. */
const REST_MS = 3_600_000;
/** Maximum wait for sales: they rarely change prices or availability. */
const SALES_WAIT_MS = 3_600_000;
/** Continuous changes are built after this many quiet times. */
const DEBOUNCES_MAX = 5;

export interface FeedTerms {
  readonly maxAgeMs: number;
  readonly debounceMs: number;
}

/** Instants are engine time, epoch milliseconds. */
export interface FeedState {
  readonly nowMs: number;
  /** The tenant's last night. */
  readonly lastNightMs: number;
  /** It was built from another journal. */
  readonly isOfOtherJournal: boolean;
  /** Supply changes after the published run and the last failed one, and such midnights. */
  readonly unknown: Unknown | null;
  /** Whether units have moved since the build; called last because it is expensive. */
  readonly hasSold: () => boolean;
}

/** The trigger of a run that is due now; null for none. */
export function triggerOf(feed: Feed, state: FeedState, terms: FeedTerms): FeedTrigger | null {
  const { published, failed, open } = feed;
  const { nowMs, lastNightMs, isOfOtherJournal, unknown, hasSold } = state;
  if (open !== null) return null;
  const isNight = isMissed([published, failed], lastNightMs);
  const isOnTime = nowMs - lastNightMs < NIGHT_SLACK_MS;
  if (isNight && isOnTime) return "nightly";
  const isChanged = unknown !== null && isSettled(unknown, nowMs, terms.debounceMs);
  // The first build needs a request; after `no_property` also a change of supply.
  if (published === null) return failed?.reason === "no_property" && isChanged ? "change" : null;
  if (failed !== null && nowMs - failed.ended_at! < REST_MS) return null;
  if (isOfOtherJournal) return "change";
  if (isNight) return "made_up";
  const ageMs = nowMs - published.at!;
  if (ageMs >= terms.maxAgeMs) return "age";
  if (isChanged) return "change";
  return ageMs >= SALES_WAIT_MS && hasSold() ? "change" : null;
}

/** True when no run was created for this night or after it. */
function isMissed(runs: readonly (Feed["published"] | null)[], nightMs: number): boolean {
  return runs.every((run) => run === null || run.created_at < nightMs - NIGHT_SLACK_MS);
}

function isSettled({ firstAt, lastAt }: Unknown, nowMs: number, debounceMs: number): boolean {
  return nowMs - lastAt >= debounceMs || nowMs - firstAt >= debounceMs * DEBOUNCES_MAX;
}
