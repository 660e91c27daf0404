/** `manifest.json` of a run: the files and the facts needed to serve them. */
import type { Issue } from "./issues.ts";
import type { StepName } from "./ladder.ts";
import type { Skipped } from "./listable.ts";
import type { Position } from "./position.ts";
import type { Ends } from "./segments.ts";

/** In the directory of a run. */
export const MANIFEST_FILE = "manifest.json";

/** A document, or its middle part, in a plain and a compressed file. */
export interface StoredText extends Ends {
  readonly file: string;
  /** Chunks of deflate; header and trailer are added when it is served. */
  readonly gzip_file: string;
}

/** All of `hotel-list.xml`; one part. */
export interface StoredList extends StoredText {
  /** Of the document as served. */
  readonly bytes: number;
  readonly gzip_bytes: number;
  readonly listings: number;
  /** Live properties that cannot be listed; the first of them with what they lack. */
  readonly skipped: { readonly count: number; readonly properties: readonly Skipped[] };
  /** Issues that an import will report. */
  readonly issues: readonly Issue[];
}

/**
 * `ari.xml` without opening and tail: a part with the data of all properties, then one per day. Its
 * first n days make a document too.
 */
export interface StoredBody extends StoredText {
  readonly step: StepName;
  /** Days from today; the next set serves longer documents. */
  readonly through_days: number;
  /** `Result`s per day. */
  readonly results: readonly number[];
  /** `RoomBundle`s per day. */
  readonly bundles: readonly number[];
}

export interface Timings {
  readonly open_ms: number;
  readonly build_ms: number;
  readonly verify_ms: number;
  readonly cpu_ms: number;
  readonly peak_rss_bytes: number;
}

export interface FeedManifest extends Position {
  readonly format: 1;
  readonly partner: string;
  readonly tenant_id: string;
  readonly run_id: string;
  readonly journal_id: string;
  /** The journal row of the position. */
  readonly row: number;
  readonly list: StoredList;
  readonly ari: {
    readonly properties: number;
    /** One, or a second, reduced one for documents too large for the first. */
    readonly sets: readonly StoredBody[];
  };
  readonly timings: Timings;
}
