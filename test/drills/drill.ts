/** What a drill is: a way to fail, what must hold, and how long that may be felt. */
import type { Rig } from "./rig.ts";

export interface Drill {
  /** As `--only` knows it. */
  readonly name: string;
  /** Its line of the failure matrix. */
  readonly failure: string;
  /** What must hold besides that nothing acknowledged is lost; shown in the matrix. */
  readonly holds: string;
  /** From the fault to the first hold that is acknowledged, at p99; null where none is set. */
  readonly targetMs: number | null;
  /** A protection is taken away: the harm must be seen, and the rig is not used again. */
  readonly isControl?: true;
  /**
   * Fails the rig once and brings it back; resolves to milliseconds as `targetMs` has them.
   *
   * @throws Error when something did not hold.
   */
  readonly run: (rig: Rig, round: number) => Promise<number>;
}

/** The limit of what must not be felt: no process or node takes over. */
export const UNFELT_MS = 1_000;

/** Throws with what did not hold. */
export function mustHold(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}
