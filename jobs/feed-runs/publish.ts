/**
 * Decides whether a build is published. Partners block a list that suddenly loses many hotels, and
 * an empty list takes all off sale, so such a build does not replace a good one automatically.
 */

import type { FeedManifest } from "../../feeds/manifest.ts";
import { isShrunken } from "../../feeds/shrunken.ts";
import type { Log } from "../../src/lib/service.ts";
import type { BuildEnd } from "./build-process.ts";
import type { FeedFailure, FeedRun } from "./run.ts";
import type { RunBook } from "./run-book.ts";

export interface Refusal {
  readonly reason: FeedFailure;
  readonly detail: string;
}

/** Why a build does not replace the published one; null when it does. */
export function refusalOf(
  { listings, skipped }: FeedManifest["list"],
  before: Pick<FeedRun, "listings"> | null,
  acceptShrink: boolean,
): Refusal | null {
  if (listings === 0) {
    const detail = `no live property can be listed; ${skipped.count} were skipped`;
    return { reason: "no_property", detail };
  }
  const known = before?.listings ?? 0;
  if (acceptShrink || !isShrunken(known, listings)) return null;
  const detail = `${listings} listings, ${known} in the published feed, ${skipped.count} skipped`;
  return { reason: "shrunken", detail };
}

export interface Settling {
  readonly book: RunBook;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** Ends a run: publishes its build, or records why not. */
export function settle(
  run: FeedRun,
  end: Exclude<BuildEnd, { kind: "stopped" }>,
  { book, now, log }: Settling,
): void {
  const { run_id, tenant_id, partner, trigger, started_at } = run;
  const about = { run_id, tenant_id, partner, trigger };
  const before = book.published(tenant_id, partner);
  const refused: Refusal | null =
    end.kind === "built"
      ? refusalOf(end.manifest.list, before, run.accept_shrink)
      : { reason: end.kind, detail: end.detail };
  const nowMs = now();
  if (refused !== null) {
    const { reason, detail } = refused;
    const isEnded = book.fail(run, reason, { detail, manifest: end.manifest, nowMs });
    const served = before?.run_id ?? null;
    if (isEnded) log("error", "a feed was not published", { ...about, reason, detail, served });
    return;
  }
  const { manifest } = end as Extract<BuildEnd, { kind: "built" }>;
  if (!book.publish(run, manifest, nowMs)) return;
  const { seq, list } = manifest;
  const { listings, skipped } = list;
  const took_ms = nowMs - (started_at ?? nowMs);
  log("info", "a feed was published", { ...about, seq, listings, skipped: skipped.count, took_ms });
}
