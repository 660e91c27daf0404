/**
 * Reads all data that a start skips: segments byte for byte, every block before the snapshot, the
 * snapshots and the key runs. Each step takes a few milliseconds.
 */
import { existsSync, rmSync } from "node:fs";
import { Damage } from "../../core/damage.ts";
import { checkingSegments } from "../archive/segments.ts";
import type { Head } from "../head.ts";
import type { JournalReader } from "../journal-port.ts";
import type { SqliteJournalReader } from "../journal-reader.ts";
import { blocksAfter } from "../journal-tail.ts";
import { KeyRun, RunDamaged, runFiles } from "../keys/key-run.ts";
import { checkingSnapshot, snapshotFiles } from "../snapshot.ts";

export interface ScrubTarget {
  readonly journalPath: string;
  readonly journalId: string;
  readonly journal: SqliteJournalReader;
}

/**
 * Checks the segments after `from`; each step yields the head up to which they are intact.
 *
 * @throws Damage for the first that is missing or altered.
 */
export function scrubbingSegments({ journalPath, journal }: ScrubTarget, from: Head) {
  return checkingSegments(journalPath, from, journal.archivedHead());
}

/**
 * Checks the blocks after `from` up to row `through`: CRC, order and chain. Each step yields the
 * head reached.
 *
 * @throws Damage for the first that is altered.
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

/** Whether the journal has this row with this chain; false also when that row is damaged. */
export function hasPlace(journal: JournalReader, { row, chain }: Head): boolean {
  try {
    return row === 0 || journal.chainAt(row) === chain;
  } catch (error) {
    if (error instanceof Damage) return false;
    throw error;
  }
}

/**
 * Checks files that only save time: a start skips a damaged snapshot; a damaged key run is removed
 * here, and the worker writes it again. Returns the findings in words.
 */
export function* scrubbingAids(of: ScrubTarget): Generator<void, string[]> {
  const found: string[] = [];
  for (const { path, journalId } of snapshotFiles(of.journalPath)) {
    if (journalId !== of.journalId) continue;
    const head = yield* checkingSnapshot(path);
    // A newer one may have replaced it.
    if ((head && hasPlace(of.journal, head)) || !existsSync(path)) continue;
    found.push(`${path} is damaged; a start skips it`);
  }
  for (const file of runFiles(of.journalPath)) {
    if (file.journalId !== of.journalId) continue;
    try {
      yield* new KeyRun(file).checking();
    } catch (error) {
      if (!(error instanceof RunDamaged)) throw error;
      rmSync(file.path, { force: true });
      found.push(`${error.message}: it is removed, and its keys are read from the journal`);
    }
  }
  return found;
}
