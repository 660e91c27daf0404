/**
 * What single changes have gained: each was measured before and after in turns, by itself, when it
 * was made. `notes/gains.json` has them, so that page and ratios cannot disagree.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One figure of one change; less is better in all of them. */
export interface Gain {
  /** What the change did, as its commit says. */
  readonly step: string;
  /** What was measured, with its unit. */
  readonly figure: string;
  readonly before: number;
  readonly after: number;
}

/** All changes that were measured by themselves, in the order in which they were made. */
export function readGains(): readonly Gain[] {
  return JSON.parse(readFileSync(join(import.meta.dir, "notes", "gains.json"), "utf8"));
}
