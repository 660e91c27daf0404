/** The file of the feeds, opened by a process that refuses to start when it is not usable. */
import type { Database } from "bun:sqlite";
import { openFeeds } from "../../jobs/feeds/schema.ts";
import { openingFile, startingOn } from "./damaged-file.ts";

/** No back-up has it: whoever reads that it is damaged is told what to do instead. */
const namedWithRemedy = (path: string) => `${path}, which is made anew once ${path}* is removed,`;

/**
 * Opens `feeds.db`, making it when it is missing; `full` for whoever promises something to an
 * operator.
 *
 * @throws StartRefused when the file has another format, or is no database any more.
 */
export function openFeedsFile(path: string, synchronous: "normal" | "full"): Database {
  return openingFile(namedWithRemedy(path), () => openFeeds(path, synchronous));
}

/** Starts what reads it; refused in the same words. */
export function startingOnFeeds(path: string, start: () => Promise<void>): Promise<void> {
  return startingOn(namedWithRemedy(path), start);
}
