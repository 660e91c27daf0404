/** `manifest.json` of a run: what was written, and what a reader must know to serve it. */
import type { Issue } from "./issues.ts";
import type { StepName } from "./ladder.ts";
import type { Skipped } from "./listable.ts";
import type { Position } from "./position.ts";
import type { Ends } from "./segments.ts";

/** Beside the documents of a run. */
export const MANIFEST_FILE = "manifest.json";

/** A document, or its middle, in a file and compressed in another. */
export interface StoredText extends Ends {
  readonly file: string;
  /** Chunks of deflate; what makes gzip of them is added when it is served. */
  readonly gzip_file: string;
}

/** All of `hotel-list.xml`; one part. */
export interface StoredList extends StoredText {
  /** Of the document, as it is served. */
  readonly bytes: number;
  readonly gzip_bytes: number;
  readonly listings: number;
  /** Live properties that partners cannot list; the first of them with what they lack. */
  readonly skipped: { readonly count: number; readonly properties: readonly Skipped[] };
  /** What an import will find fault with. */
  readonly issues: readonly Issue[];
}

/**
 * `ari.xml` without opening and tail: a part with the data of all properties, then one for every
 * day. The first n days of it are a document too.
 */
export interface StoredBody extends StoredText {
  readonly step: StepName;
  /** Days from today on; a longer document is served from the next set. */
  readonly through_days: number;
  /** `Result`s of each day, */
  readonly results: readonly number[];
  /** and `RoomBundle`s. */
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
  /** The journal's row that everything is of. */
  readonly row: number;
  readonly list: StoredList;
  readonly ari: {
    readonly properties: number;
    /** One, or a second one with less in it for the documents that the first is too large for. */
    readonly sets: readonly StoredBody[];
  };
  readonly timings: Timings;
}
