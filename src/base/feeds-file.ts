/** The file of the feeds, opened by a process that refuses to start when it is not usable. */
import type { Database } from "bun:sqlite";
import { openFeeds } from "../../jobs/feeds/schema.ts";
import { openingFile } from "./damaged-file.ts";

/**
 * Opens `feeds.db`, making it when it is missing; `full` for whoever promises something to an
 * operator.
 *
 * @throws StartRefused when the file was written in a newer format, or is no database any more.
 */
export function openFeedsFile(path: string, synchronous: "normal" | "full"): Database {
  return openingFile(path, () => openFeeds(path, synchronous));
}
