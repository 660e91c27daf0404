/** Opens `feeds.db`, or refuses the start. */
import type { Database } from "bun:sqlite";
import { openFeeds } from "../../../jobs/feed-runs/schema.ts";
import { openingFile, startingOn } from "../../lib/damaged-file.ts";

/** Part of the refusal's sentence, which otherwise asks for a back-up. */
const namedWithRemedy = (path: string) =>
  `${path} (not in back-ups: remove ${path}* to recreate it)`;

/**
 * Opens or creates the file; `full` for a process that acknowledges writes to operators.
 *
 * @throws StartRefused when the file has another format or is damaged.
 */
export function openFeedsFile(path: string, synchronous: "normal" | "full"): Database {
  return openingFile(namedWithRemedy(path), () => openFeeds(path, synchronous));
}

/** Runs a start that reads the file; throws the same refusals. */
export function startingOnFeeds(path: string, start: () => Promise<void>): Promise<void> {
  return startingOn(namedWithRemedy(path), start);
}
