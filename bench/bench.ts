/** What every part of a benchmark is given, and what it answers with. */
import type { Options } from "./options.ts";
import type { Progress } from "./progress.ts";
import type { Group, Verdict } from "./result.ts";
import type { Timing } from "./timing.ts";

export interface Bench extends Options {
  /** For everything that is started; on the disk that is measured. */
  readonly directory: string;
  readonly timing: Timing;
  readonly progress: Progress;
}

/** The figures of one part. */
export interface Measured {
  readonly groups: readonly Group[];
  readonly verdicts: readonly Verdict[];
  /** `name=value` of figures that programs read. */
  readonly ratioLines?: readonly string[];
  /** What ended some of its series; the figures of the others are kept. */
  readonly failures?: readonly Error[];
}
