/**
 * Builds both documents of a tenant for a partner at the journal position of the given state. A
 * generator, so that the caller can do other work at each progress report.
 */
import { join } from "node:path";
import { todayIn } from "../engine/core/calendar.ts";
import type { State } from "../engine/core/state/state.ts";
import { type AriSource, ariSets } from "./ari-sets.ts";
import { LIST_TAIL, type ListingOf, listing, listOpening } from "./hotel-list.ts";
import { issuesOf } from "./issues.ts";
import { type Listable, listableOf } from "./listable.ts";
import type { FeedManifest, StoredList } from "./manifest.ts";
import { type Position, secondsIso } from "./position.ts";
import type { Profile } from "./profiles/profile.ts";
import { SegmentWriter } from "./segments.ts";
import { gzipBytesOf } from "./stored.ts";

/** Skipped properties listed in the manifest. */
const SKIPPED_TOLD_MAX = 100;

export interface FeedOrder {
  readonly profile: Profile;
  readonly tenantId: string;
  readonly runId: string;
  /** Exists and is empty. */
  readonly directory: string;
  /** Engine time. */
  readonly nowMs: number;
  readonly siteUrl: string;
  /** Two letters. */
  readonly language: string;
}

/** The source of the documents. */
export interface Snapshot {
  readonly state: State;
  readonly row: number;
  readonly journalId: string;
}

/** A phase and its progress, from 0 to 1. */
export interface Progress {
  readonly phase: "list" | "ari";
  readonly progress: number;
}

/** Writes the files and returns the manifest without its duration. */
export function* build(
  order: FeedOrder,
  { state, row, journalId }: Snapshot,
): Generator<Progress, Omit<FeedManifest, "timings">> {
  const { profile, tenantId, runId, nowMs } = order;
  // The clock may be behind the journal; the position must not be older than its rows.
  const atMs = Math.max(nowMs, state.stamp);
  const position = {
    seq: state.tenants.get(tenantId)?.seq.live ?? 0,
    at: secondsIso(atMs),
  };
  yield { phase: "list", progress: 0 };
  const listable = listableOf(state, tenantId);
  const list = writeList(order, position, listable);
  const { listed } = listable;
  const properties = listed.map((property) => {
    return { property, todayDay: todayIn(property.tree.timezone, atMs) };
  });
  const source: AriSource = { ...order, properties };
  const sets = yield* ariSets(source);
  return {
    ...{ format: 1, partner: profile.name, tenant_id: tenantId, run_id: runId },
    ...{ journal_id: journalId, row, ...position },
    list,
    ari: { properties: properties.length, sets },
  };
}

function writeList(order: FeedOrder, position: Position, listable: Listable): StoredList {
  const { listed, skipped } = listable;
  const files = { file: "hotel-list.xml", gzip_file: "hotel-list.deflate" };
  const { directory } = order;
  const of: ListingOf = order;
  const writer = new SegmentWriter(join(directory, files.file), join(directory, files.gzip_file));
  writer.write(listOpening(of, position));
  for (const property of listed) writer.write(listing(property, of));
  writer.write(LIST_TAIL);
  writer.endPart();
  const text = { ...files, ...writer.close() };
  return {
    ...text,
    bytes: text.ends[0]!,
    gzip_bytes: gzipBytesOf(text),
    listings: listed.length,
    skipped: { count: skipped.length, properties: skipped.slice(0, SKIPPED_TOLD_MAX) },
    issues: issuesOf(listed.map(({ tree }) => tree)),
  };
}
