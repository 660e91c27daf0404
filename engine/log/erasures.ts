/**
 * The list of erased guests, beside the back-ups: a back-up that is older than an erasure has the
 * guest's key, and a restore deletes it again.
 *
 * Maintained invariant: an erasure is in the list before it is committed, so every acknowledged one
 * is. A crash between the two leaves an entry that no row has; a restore then erases what an
 * operator asked to erase.
 */
import type { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";

/** Adds bookings to the list; durable when it returns. Throws as the file system does. */
export function appendErasures(path: string, bookingIds: readonly string[]): void {
  const file = openSync(path, "a", 0o600);
  try {
    writeSync(file, bookingIds.map((id) => `${id}\n`).join(""));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The bookings of a list; none for a missing file. A torn last line is ignored. */
export function readErasures(path: string): string[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return [...new Set(lines.slice(0, -1).filter((line) => line !== ""))];
}

/** Deletes the keys of these bookings; returns how many there were. */
export function eraseKeys(db: Database, bookingIds: readonly string[]): number {
  const erase = db.prepare("DELETE FROM subject_keys WHERE booking_id = ?");
  return db.transaction(() => {
    return bookingIds.reduce((count, id) => count + erase.run(id).changes, 0);
  })();
}
