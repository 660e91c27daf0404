/** What commands that work on the journal's file itself have in common. */
import { accessSync, constants } from "node:fs";
import { StartRefused } from "../lifecycle.ts";

const TELL_EVERY_MS = 500;

/** Tells the operator on stderr how far the work is, twice a second and at the end. */
export function progressTeller(): (rows: number, of: number) => void {
  let toldAtMs = performance.now();
  return (rows, of) => {
    const nowMs = performance.now();
    if (rows < of && nowMs - toldAtMs < TELL_EVERY_MS) return;
    toldAtMs = nowMs;
    const percent = of === 0 ? 100 : Math.floor((100 * rows) / of);
    console.error(`${rows} of ${of} rows (${percent} %)`);
  };
}

/** @throws StartRefused saying what keeps us from the journal: another user may own it. */
export function mustBeThere(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    const problem = isMissing
      ? `there is no journal at ${path}: set DATA_DIR`
      : `this user cannot write the journal at ${path}`;
    throw new StartRefused(problem, { cause });
  }
}
