/** Whether a feed is to be built anew, and why: a function of how things stand. */
import type { Unknown } from "./changes.ts";
import { NIGHT_SLACK_MS } from "./nights.ts";
import type { FeedTrigger } from "./run.ts";
import type { Feed } from "./store.ts";

/** A feed that nobody has fetched for so long is kept fresh no more. */
export const KEPT_FRESH_MS = 14 * 86_400_000;
/** After a failure: what it was about is seldom over at once. */
const REST_MS = 3_600_000;
/** What is sold changes prices seldom and availability late: it may wait this long. */
const SALES_WAIT_MS = 3_600_000;
/** Changes that never cease are taken in after so many times the quiet that is waited for. */
const DEBOUNCES_MAX = 5;

export interface FeedTerms {
  readonly maxAgeMs: number;
  readonly debounceMs: number;
}

/** Instants are engine time, epoch milliseconds. */
export interface Standing {
  readonly nowMs: number;
  /** When the tenant's last night was. */
  readonly lastNightMs: number;
  /** What it was built from is another history than the journal has now. */
  readonly isOfOtherJournal: boolean;
  /** Supply changes that neither the published run nor the last one to fail knows. */
  readonly unknown: Unknown | null;
  /** Whether units have moved since it was built; asked last, for it costs most. */
  readonly hasSold: () => boolean;
}

/** Why a run of the feed is due now; null when none is. */
export function triggerOf(feed: Feed, standing: Standing, terms: FeedTerms): FeedTrigger | null {
  const { published, failed, open } = feed;
  const { nowMs, lastNightMs, isOfOtherJournal, unknown, hasSold } = standing;
  if (open !== null) return null;
  const isChanged = unknown !== null && isSettled(unknown, nowMs, terms.debounceMs);
  // The first one is built for whoever asks for it, and when what it lacked may be there.
  if (published === null) return failed?.reason === "no_property" && isChanged ? "change" : null;
  if (failed !== null && nowMs - failed.ended_at! < REST_MS) return null;
  if (isOfOtherJournal) return "change";
  if (isMissed([published, failed], lastNightMs) && nowMs - lastNightMs >= NIGHT_SLACK_MS) {
    return "made_up";
  }
  const ageMs = nowMs - published.at!;
  if (ageMs >= terms.maxAgeMs) return "age";
  if (isChanged) return "change";
  return ageMs >= SALES_WAIT_MS && hasSold() ? "change" : null;
}

/** Whether none of the runs was begun for a night, or after it. */
export function isMissed(runs: readonly (Feed["published"] | null)[], nightMs: number): boolean {
  return runs.every((run) => run === null || run.created_at < nightMs - NIGHT_SLACK_MS);
}

function isSettled({ firstAt, lastAt }: Unknown, nowMs: number, debounceMs: number): boolean {
  return nowMs - lastAt >= debounceMs || nowMs - firstAt >= debounceMs * DEBOUNCES_MAX;
}
