/** Shared by commands that work on the journal's file. */
import { accessSync, constants } from "node:fs";
import { StartRefused } from "../../lib/lifecycle.ts";

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
