/** What every part of a benchmark is given, and what it answers with. */
import type { Before } from "./before.ts";
import type { Selection } from "./catalogue.ts";
import type { Progress } from "./progress.ts";
import type { Group, Verdict } from "./result.ts";
import type { Timing } from "./timing.ts";

export interface Bench {
  /** For whatever is started; on the disk that is measured. */
  readonly directory: string;
  readonly timing: Timing;
  /** Runs of every series but those of holds and of whole flows. */
  readonly runs: number;
  /** Runs of those two, by which the project is judged. */
  readonly holdRuns: number;
  readonly only: Selection;
  /** Properties of the large tenant that is searched. */
  readonly properties: number;
  /** Whether the peers take part in the series of holds and of searches. */
  readonly peers: boolean;
  /** An earlier checkout that whole flows are held against. */
  readonly before: Before | null;
  readonly progress: Progress;
}

/** The figures of one part. */
export interface Measured {
  readonly groups: readonly Group[];
  readonly verdicts: readonly Verdict[];
}
