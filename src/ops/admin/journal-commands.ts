/**
 * Commands on the journal: verify it, archive old rows into compressed segments, and put the newest
 * segment back.
 */
import { statSync } from "node:fs";
import { Damage } from "../../../engine/core/damage.ts";
import {
  type ArchivedBytes,
  type ArchiveOptions,
  lastArchivable,
  nextToRemove,
  redundantSegment,
  removeRows,
  restoreRows,
  writeSegment,
} from "../../../engine/log/archive/archiving.ts";
import { SegmentFile } from "../../../engine/log/archive/segment.ts";
import { placeWith, segmentPlaces } from "../../../engine/log/archive/segments.ts";
import { Journal } from "../../../engine/log/journal.ts";
import { SqliteJournalReader } from "../../../engine/log/journal-reader.ts";
import { journalIdOf, lanesOf } from "../../../engine/log/meta.ts";
import { openForReading } from "../../../engine/log/schema.ts";
import { journalPath, readConfig } from "../../config.ts";
import { count, flag, type Values } from "../../lib/command-line.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { takeLock } from "../../lib/lock.ts";
import type { Environment } from "../../settings-reader.ts";
import { verifyJournal } from "../backups/verify-journal.ts";
import { command, type Session } from "../cli/command.ts";
import { rowProgress, type Terminal } from "../cli/terminal.ts";
import { refusedByDamage } from "../roles/damage-refusal.ts";
import { printing } from "./command.ts";
import { mustBeThere } from "./journal-file.ts";

const DAY_MS = 86_400_000;

/** Runs `work` on the journal of `DATA_DIR`. Throws a StartRefused for damage. */
function onJournal<T>(env: Environment, work: (path: string) => T) {
  const path = journalPath(readConfig(env).dataDir);
  mustBeThere(path);
  const startedMs = performance.now();
  try {
    const done = work(path);
    return { journal: path, ...done, seconds: Math.round(performance.now() - startedMs) / 1000 };
  } catch (cause) {
    throw cause instanceof Damage ? refusedByDamage(cause, path) : cause;
  }
}

/** The same as the journal's only writer: the service must be stopped. */
function onStopped<T>(env: Environment, work: (journal: Journal, path: string) => T) {
  return onJournal(env, (path) => {
    const lock = takeLock(readConfig(env).dataDir);
    try {
      // The number of lanes does not matter here: the journal's own is used.
      const journal = new Journal(path, { lanes: lanesOf(path) });
      try {
        journal.takeEpoch();
        return work(journal, path);
      } finally {
        journal.close();
      }
    } finally {
      lock.release();
    }
  });
}

function verify({ env, terminal }: Session) {
  return onJournal(env, (path) => {
    const { damaged_records, ...facts } = verifyJournal(path, rowProgress(terminal));
    const [damaged] = damaged_records;
    if (damaged) throw new StartRefused(`${damaged}: run admin -- projections rebuild`);
    return { ...facts, segments: segmentPlaces(path).length };
  });
}

export const journalVerify = command({
  name: "journal verify",
  summary: "check the whole journal, its segments and its records; exits with 1 for damage",
  options: {},
  run: printing(verify),
});

/** The output for the segments that were written. */
function archivedFacts(segments: readonly ArchivedBytes[]) {
  const sum = (of: (one: ArchivedBytes) => number) =>
    segments.reduce((all, one) => all + of(one), 0);
  return {
    rows: sum(({ first, last }) => last - first + 1),
    bytes: sum(({ bytes }) => bytes),
    sealed_bytes: sum(({ sealedBytes }) => sealedBytes),
    segments: segments.map(({ first, last, sealedBytes }) => {
      return { first_row: first, last_row: last, bytes: sealedBytes };
    }),
  };
}

/** Writes segments from the database's first row to the last row that may be archived. */
function archiveAll(
  options: ArchiveOptions,
  { isDry, terminal }: { readonly isDry: boolean; readonly terminal: Terminal },
  onWritten: () => void,
) {
  const segments: ArchivedBytes[] = [];
  const tell = rowProgress(terminal);
  const start = options.journal.archivedHead();
  for (let from = start; ; ) {
    const steps = writeSegment(options, from, isDry);
    let step = steps.next();
    for (; !step.done; step = steps.next())
      tell(step.value - start.row, options.through - start.row);
    if (step.value === null) break;
    segments.push(step.value);
    const { last } = step.value;
    onWritten();
    from = { row: last, chain: options.journal.chainAt(last)! };
  }
  return archivedFacts(segments);
}

function optionsAt(db: Journal["db"], path: string, days: number): ArchiveOptions {
  const journal = new SqliteJournalReader(db);
  const base = { journalPath: path, journalId: journalIdOf(path), journal };
  return { ...base, through: lastArchivable(base, Date.now() - days * DAY_MS) };
}

const ARCHIVE_OPTIONS = {
  days: count("DAYS", "rows older than this (ARCHIVE_AFTER_DAYS)", { min: 0, max: 3_650 }),
  "dry-run": flag("only print rows and sizes; the service may run"),
};

function archive({ env, terminal }: Session, given: Values<typeof ARCHIVE_OPTIONS>) {
  const { days = readConfig(env).archiveAfterDays, "dry-run": isDry } = given;
  if (isDry) {
    return onJournal(env, (path) => {
      using db = openForReading(path);
      return archiveAll(optionsAt(db, path, days), { isDry, terminal }, () => {});
    });
  }
  return onStopped(env, (journal, path) => {
    const before = statSync(path).size;
    // A service may have stopped after it wrote a segment and before it deleted the rows.
    const letGo = () => letAllGo(journal, path, terminal);
    letGo();
    const made = archiveAll(optionsAt(journal.db, path, days), { isDry, terminal }, letGo);
    // Returns the freed pages to the disk.
    if (journal.archived.row > 0) journal.db.run("VACUUM");
    journal.db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return { ...made, database_bytes: { before, after: statSync(path).size } };
  });
}

/** Deletes the rows of all written segments from the database. */
function letAllGo(journal: Journal, path: string, terminal: Terminal): void {
  const next = () => nextToRemove(path, journal.archived);
  try {
    for (let file = next(); file; file = next()) {
      terminal.err(`deleting archived rows up to ${file.facts.last} from the database\n`);
      for (const _row of removeRows(journal, file)) journal.maybeCheckpoint(performance.now());
    }
  } catch (cause) {
    const waste = redundantSegment(cause, path, journal.archived);
    if (waste === null) throw cause;
    const remedy = `Remove ${waste}: all its rows are in the database too.`;
    throw new StartRefused(`${(cause as Damage).message}\n${remedy}`, { cause });
  }
}

export const journalArchive = command({
  name: "journal archive",
  summary: "service stopped: move old rows into compressed segments",
  options: ARCHIVE_OPTIONS,
  note: "Rows after the oldest kept snapshot are never archived.\n",
  run: printing(archive),
});

function restoreSegment({ env, terminal }: Session) {
  return onStopped(env, (journal, path) => {
    const { row } = journal.archived;
    if (row === 0) throw new StartRefused("no segments: nothing to restore");
    const place = placeWith(path, row);
    const tell = rowProgress(terminal);
    const of = row - place.first + 1;
    for (const left of restoreRows(journal, new SegmentFile(place.path))) {
      tell(row - left, of);
      journal.maybeCheckpoint(performance.now());
    }
    return { first_row: place.first, last_row: row };
  });
}

export const journalRestoreSegment = command({
  name: "journal restore-segment",
  summary: "service stopped: put the rows of the newest segment back into the database",
  options: {},
  note: "The service archives them again if they are older than ARCHIVE_AFTER_DAYS.\n",
  run: printing(restoreSegment),
});
