/**
 * The journal's rows of long ago, as an operator looks after them: whether all is what was written,
 * and rows that leave the database for compressed segments, or come back.
 */
import { statSync } from "node:fs";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import {
  type ArchivedBytes,
  type ArchiveOptions,
  lastArchivable,
  nextToRemove,
  redundantSegment,
  removeRows,
  restoreRows,
  writeSegment,
} from "../../engine/shell/archiving.ts";
import { Damage } from "../../engine/shell/damage.ts";
import { Journal, journalIdOf, lanesOf } from "../../engine/shell/journal.ts";
import { SqliteJournalReader } from "../../engine/shell/journal-reader.ts";
import { openForReading } from "../../engine/shell/schema.ts";
import { SegmentFile } from "../../engine/shell/segment.ts";
import { placeWith, segmentPlaces } from "../../engine/shell/segments.ts";
import { verifyJournal } from "../backups/verify-journal.ts";
import { takeLock } from "../base/lock.ts";
import { type Arguments, UsageError } from "../cli/arguments.ts";
import { type Environment, journalPath, readConfig } from "../config.ts";
import { StartRefused } from "../lifecycle.ts";
import { refusedByDamage } from "../roles/remedies.ts";
import type { Command } from "./command.ts";
import { mustBeThere, progressTeller } from "./journal-at.ts";

const DAY_MS = 86_400_000;

/** Works on the journal of `DATA_DIR`; damage of it is refused by name. */
function onJournal<T>(env: Environment, work: (path: string) => T) {
  const path = journalPath(readConfig(env).dataDir);
  mustBeThere(path);
  const startedMs = performance.now();
  try {
    const done = work(path);
    return { journal: path, ...done, seconds: Math.round(performance.now() - startedMs) / 1000 };
  } catch (cause) {
    if (cause instanceof Damage) throw refusedByDamage(cause, path);
    if (!(cause instanceof RecordDamaged)) throw cause;
    throw new StartRefused(cause.message, { cause });
  }
}

/** As its one writer, with the service stopped. */
function onStopped<T>(env: Environment, work: (journal: Journal, path: string) => T) {
  return onJournal(env, (path) => {
    const lock = takeLock(readConfig(env).dataDir);
    try {
      // Lanes mean nothing here: whatever the journal was made with is right.
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

function verify(env: Environment) {
  return onJournal(env, (path) => {
    const tell = progressTeller();
    const { damaged_records, ...facts } = verifyJournal(path, tell);
    const [damaged] = damaged_records;
    if (damaged) throw new StartRefused(`${damaged}; projections rebuild mends records`);
    return { ...facts, segments: segmentPlaces(path).length };
  });
}

export const journalVerify: Command = {
  name: "journal verify",
  summary: "read all of the journal, its segments and its records; exit 1 when one is damaged",
  options: {},
  run: verify,
};

/** How many days old rows must be to be sealed. */
function daysOf(env: Environment, args: Arguments): number {
  const days = Number(args.text("days", String(readConfig(env).archiveAfterDays)));
  if (Number.isInteger(days) && days >= 0 && days <= 3_650) return days;
  throw new UsageError("--days must be a whole number from 0 to 3650");
}

/** What was sealed, as it is printed. */
function sealedFacts(segments: readonly ArchivedBytes[]) {
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

/** Every segment from where the database begins to the last row that may be sealed. */
function sealAll(options: ArchiveOptions, isDry: boolean, sealed: () => void) {
  const segments: ArchivedBytes[] = [];
  const tell = progressTeller();
  const start = options.journal.archivedHead();
  for (let from = start; ; ) {
    const steps = writeSegment(options, from, isDry);
    let step = steps.next();
    for (; !step.done; step = steps.next())
      tell(step.value - start.row, options.through - start.row);
    if (step.value === null) break;
    segments.push(step.value);
    const { last } = step.value;
    sealed();
    from = { row: last, chain: options.journal.chainAt(last)! };
  }
  return sealedFacts(segments);
}

function optionsAt(db: Journal["db"], path: string, days: number): ArchiveOptions {
  const journal = new SqliteJournalReader(db);
  const base = { journalPath: path, journalId: journalIdOf(path), journal };
  return { ...base, through: lastArchivable(base, Date.now() - days * DAY_MS) };
}

function archive(env: Environment, args: Arguments) {
  const days = daysOf(env, args);
  if (args.isSet("dry-run")) {
    return onJournal(env, (path) => {
      using db = openForReading(path);
      return sealAll(optionsAt(db, path, days), true, () => {});
    });
  }
  return onStopped(env, (journal, path) => {
    const before = statSync(path).size;
    // A segment that has its name may be one of a service that was stopped before its rows left.
    letAllGo(journal, path);
    const made = sealAll(optionsAt(journal.db, path, days), false, () => letAllGo(journal, path));
    // What rows leave behind goes back to the disk.
    if (journal.archived.row > 0) journal.db.run("VACUUM");
    journal.db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return { ...made, database_bytes: { before, after: statSync(path).size } };
  });
}

/** Lets the rows of every segment that is written leave the database. */
function letAllGo(journal: Journal, path: string): void {
  const next = () => nextToRemove(path, journal.archived);
  try {
    for (let file = next(); file; file = next()) {
      console.error(`rows up to ${file.facts.last} leave the database`);
      for (const _row of removeRows(journal, file)) journal.maybeCheckpoint(performance.now());
    }
  } catch (cause) {
    const waste = redundantSegment(cause, path, journal.archived);
    if (waste === null) throw cause;
    const remedy = `Remove ${waste}: all of its rows are in the database too.`;
    throw new StartRefused(`${(cause as Damage).message}\n${remedy}`, { cause });
  }
}

export const journalArchive: Command = {
  name: "journal archive",
  summary: "service stopped: seal rows of long ago into compressed segments",
  options: {
    days: { value: "DAYS", help: "older than this; ARCHIVE_AFTER_DAYS unless given" },
    "dry-run": {
      help: "only say what would be sealed and how small it gets; beside a service too",
    },
  },
  note: "Rows are sealed up to the oldest snapshot that is kept at most.\n",
  run: archive,
};

function restoreSegment(env: Environment) {
  return onStopped(env, (journal, path) => {
    const { row } = journal.archived;
    if (row === 0) throw new StartRefused("no rows are in segments: nothing to restore");
    const place = placeWith(path, row);
    const tell = progressTeller();
    const of = row - place.first + 1;
    for (const left of restoreRows(journal, new SegmentFile(place.path))) {
      tell(row - left, of);
      journal.maybeCheckpoint(performance.now());
    }
    return { first_row: place.first, last_row: row };
  });
}

export const journalRestoreSegment: Command = {
  name: "journal restore-segment",
  summary: "service stopped: put the rows of the newest segment back into the database",
  options: {},
  note: "The service seals them again where ARCHIVE_AFTER_DAYS says so.\n",
  run: restoreSegment,
};
