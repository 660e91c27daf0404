/**
 * What a start does not read: segments byte for byte, every block before the snapshot, the
 * snapshots and the runs of keys. In steps of a few milliseconds, for who must not hold others up.
 */
import { existsSync, rmSync } from "node:fs";
import { Damage } from "./damage.ts";
import type { Head } from "./head.ts";
import type { JournalReader } from "./journal-port.ts";
import type { SqliteJournalReader } from "./journal-reader.ts";
import { blocksAfter } from "./journal-tail.ts";
import { KeyRun, RunDamaged, runFiles } from "./key-run.ts";
import { checkingSegments } from "./segments.ts";
import { checkingSnapshot, snapshotFiles } from "./snapshot.ts";

export interface ScrubTarget {
  readonly journalPath: string;
  readonly journalId: string;
  readonly journal: SqliteJournalReader;
}

/**
 * Goes through the segments after `from`; each step is the place up to which they are whole.
 *
 * @throws Damage for the first that is missing or not what was written.
 */
export function scrubbingSegments({ journalPath, journal }: ScrubTarget, from: Head) {
  return checkingSegments(journalPath, from, journal.archivedHead());
}

/**
 * Goes through the blocks after `from` up to the one with row `through`: CRC, order and chain. Each
 * step is the place that was reached.
 *
 * @throws Damage for the first that is not what was written.
 */
export function* scrubbingRows(
  { journal }: ScrubTarget,
  from: Head,
  through: number,
): Generator<Head, void> {
  if (from.row >= through) return;
  for (const block of blocksAfter(journal, from)) {
    yield { row: block.last, chain: block.chainAt(block.last) };
    if (block.last >= through) return;
  }
}

/** True when the journal has this row with this chain; false also when that row is damaged. */
export function hasPlace(journal: JournalReader, { row, chain }: Head): boolean {
  try {
    return row === 0 || journal.chainAt(row) === chain;
  } catch (error) {
    if (error instanceof Damage) return false;
    throw error;
  }
}

/**
 * Goes through what only saves time and can be made anew: snapshots, of which a damaged one is
 * passed over by a start, and runs of keys, of which a damaged one is removed, because the worker
 * then writes it anew. What was found is told in words at the end.
 */
export function* scrubbingAids(of: ScrubTarget): Generator<void, string[]> {
  const found: string[] = [];
  for (const { path, journalId } of snapshotFiles(of.journalPath)) {
    if (journalId !== of.journalId) continue;
    const head = yield* checkingSnapshot(path);
    // A newer one may have taken its place by now.
    if ((head && hasPlace(of.journal, head)) || !existsSync(path)) continue;
    found.push(`${path} is not what was written: a start passes it over`);
  }
  for (const file of runFiles(of.journalPath)) {
    if (file.journalId !== of.journalId) continue;
    try {
      yield* new KeyRun(file).checking();
    } catch (error) {
      if (!(error instanceof RunDamaged)) throw error;
      rmSync(file.path, { force: true });
      found.push(`${error.message}: its keys are written anew from the journal`);
    }
  }
  return found;
}
