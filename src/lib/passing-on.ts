/**
 * Waits until the changes of files are with the other machines. With several machines an answer
 * about a change must not leave before, as with one machine none leaves before it is on the disk.
 *
 * Maintained invariant: every note that is in a file when the answer is ready is waited for, by
 * whichever process and request it was made: an answer may repeat what another one has changed.
 */
import type { Database } from "bun:sqlite";
import { notedRange } from "./changed-rows.ts";

const LOOK_EVERY_MS = 2;

/** The connections of this process that note what they change. */
const connections = new Map<Database, "clients" | "worker">();

/** Adds a connection; it stays until it is closed. `whose`: who mostly writes the file. */
export function awaitPassingOn(db: Database, whose: "clients" | "worker"): void {
  connections.set(db, whose);
}

/** The last note of each file that has any; the worker's files only if `all`. */
function notesNow(all: boolean): [Database, number][] {
  const noted: [Database, number][] = [];
  for (const [db, whose] of connections) {
    if (whose === "worker" && !all) continue;
    try {
      const range = notedRange(db);
      if (range) noted.push([db, range.last]);
    } catch (error) {
      // Only of a closed connection; what cannot be read must not count as passed on.
      if ((error as { readonly code?: unknown }).code !== undefined) throw error;
      connections.delete(db);
    }
  }
  return noted;
}

/**
 * Undefined when nothing is to be waited for; false when it took longer than `limitMs`. The files
 * of the worker change all the time; `all` waits for them too.
 */
export function untilPassedOn(limitMs: number, all: boolean): Promise<boolean> | undefined {
  const noted = notesNow(all);
  return noted.length === 0 ? undefined : passedOn(noted, performance.now() + limitMs);
}

async function passedOn(noted: [Database, number][], untilMs: number): Promise<boolean> {
  for (const [db, last] of noted) {
    while ((notedRange(db)?.first ?? Number.POSITIVE_INFINITY) <= last) {
      if (performance.now() > untilMs) return false;
      await Bun.sleep(LOOK_EVERY_MS);
    }
  }
  return true;
}
