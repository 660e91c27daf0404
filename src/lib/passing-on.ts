/**
 * Waits until the changes of this process are with the other machines. With several machines an
 * answer that tells of a change must not leave before, as with one machine none leaves before the
 * change is on the disk.
 */
import type { Database } from "bun:sqlite";
import { notedRange } from "./changed-rows.ts";

const LOOK_EVERY_MS = 2;

/** The connections of this process that note what they change, with their counts of changes. */
const connections = new Map<Database, number>();

/** Adds a connection; it stays until it is closed. */
export function awaitPassingOn(db: Database): void {
  connections.set(db, changesOf(db));
}

function changesOf(db: Database): number {
  return db.query<{ n: number }, []>("SELECT total_changes() AS n").get()!.n;
}

/** The last note of each connection that has changed something since the last call. */
function changedSince(): [Database, number][] {
  const changed: [Database, number][] = [];
  for (const [db, before] of connections) {
    try {
      const changes = changesOf(db);
      if (changes === before) continue;
      connections.set(db, changes);
      const range = notedRange(db);
      if (range) changed.push([db, range.last]);
    } catch {
      // It was closed.
      connections.delete(db);
    }
  }
  return changed;
}

/** Undefined when nothing is to be waited for; false when it took longer than `limitMs`. */
export function untilPassedOn(limitMs: number): Promise<boolean> | undefined {
  const changed = changedSince();
  return changed.length === 0 ? undefined : passedOn(changed, performance.now() + limitMs);
}

async function passedOn(changed: [Database, number][], untilMs: number): Promise<boolean> {
  for (const [db, last] of changed) {
    while ((notedRange(db)?.first ?? Number.POSITIVE_INFINITY) <= last) {
      if (performance.now() > untilMs) return false;
      await Bun.sleep(LOOK_EVERY_MS);
    }
  }
  return true;
}
