/** Shared by commands that work on the journal's file. */
import { accessSync, constants } from "node:fs";
import { StartRefused } from "../../lib/lifecycle.ts";

const PRINT_EVERY_MS = 500;

/** Prints progress on stderr, twice a second and at the end. */
export function rowProgress(): (rows: number, of: number) => void {
  let printedAtMs = performance.now();
  return (rows, of) => {
    const nowMs = performance.now();
    if (rows < of && nowMs - printedAtMs < PRINT_EVERY_MS) return;
    printedAtMs = nowMs;
    const percent = of === 0 ? 100 : Math.floor((100 * rows) / of);
    console.error(`${rows} of ${of} rows (${percent} %)`);
  };
}

/** @throws StartRefused when the journal is missing, or this user cannot write it. */
export function mustBeThere(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    const problem = isMissing
      ? `no journal at ${path}: set DATA_DIR`
      : `this user cannot write the journal at ${path}`;
    throw new StartRefused(problem, { cause });
  }
}
