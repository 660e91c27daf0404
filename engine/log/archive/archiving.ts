/**
 * The archive: old rows leave the database for segments, compressed files that never change, in
 * `<shard>.segments/<first row>-<last row>.segment` (`segment.ts`, `segments.ts`).
 *
 * - The worker writes a segment under a temporary name, makes it durable and renames it. The engine
 *   compares it with the database and removes its rows, a frame per transaction, which also moves
 *   the archived head in `meta`. `archiver.ts` runs both.
 * - A crash leaves a file without a segment's name, which is deleted, or rows that are in both
 *   places; unfinished work begins again.
 * - CRCs of facts, index and frames are checked at every read, the chain into the next segment when
 *   a segment is opened, and all bytes before rows are removed and by the scrubber.
 *
 * Maintained invariant: every row is in the database or in a durable segment.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Damage } from "../../core/damage.ts";
import { Block } from "../block.ts";
import { fsyncPath } from "../files.ts";
import type { Head } from "../head.ts";
import type { Journal } from "../journal.ts";
import { SqliteJournalReader } from "../journal-reader.ts";
import { snapshotFiles } from "../snapshot.ts";
import { type SegmentFacts, type SegmentFile, SegmentWriter } from "./segment.ts";
import {
  namedSegment,
  type SegmentPlace,
  segmentName,
  segmentPlaces,
  segmentsPath,
} from "./segments.ts";

/** The frame that reaches one of these limits ends a segment. */
export interface SegmentSize {
  readonly rows: number;
  readonly bytes: number;
}

export const SEGMENT_SIZE: SegmentSize = { rows: 100_000, bytes: 64 * 1024 * 1024 };

export interface ArchiveOptions {
  readonly journalPath: string;
  readonly journalId: string;
  readonly journal: SqliteJournalReader;
  /** Later rows are not archived. */
  readonly through: number;
  readonly size?: SegmentSize;
}

/**
 * The last row that may be archived: before the oldest kept snapshot, stamped before `beforeMs`,
 * and not in the last block; 0 for none.
 */
export function lastArchivable(
  { journalPath, journalId, journal }: Omit<ArchiveOptions, "through">,
  beforeMs: number,
): number {
  const snapshots = snapshotFiles(journalPath).filter((file) => file.journalId === journalId);
  const oldest = snapshots.at(-1)?.row ?? 0;
  let [low, high] = [journal.archivedHead().row, Math.min(oldest, journal.head().row - 1)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (journal.row(middle)!.stamp < beforeMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Bytes of a segment's blocks, before and after compression. */
export interface ArchivedBytes {
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  readonly sealedBytes: number;
}

/**
 * Writes the rows after `from` as a segment until it is full or `through` is reached, and yields
 * after every frame, so that the caller may pause. Returns null when no whole block is before
 * `through`. With `isDry` it leaves nothing behind.
 *
 * @throws Damage when a row is altered: damage is not archived.
 */
export function* writeSegment(
  options: ArchiveOptions,
  from: Head,
  isDry = false,
): Generator<number, ArchivedBytes | null> {
  const { journalPath, journalId, journal, through, size = SEGMENT_SIZE } = options;
  const directory = segmentsPath(journalPath);
  const temporary = isDry
    ? `${directory}.dry-${process.pid}`
    : prepareDirectory(directory, from.row + 1);
  const writer = new SegmentWriter(temporary, journalId, from);
  try {
    const isFull = () => writer.end.row - from.row >= size.rows || writer.bytes >= size.bytes;
    for (const block of blocksAfter(journal, from)) {
      if (block.row > through || isFull()) break;
      new Block(block).mustContinue(writer.end);
      if (writer.add(block)) yield writer.end.row;
    }
    if (writer.end.row === from.row) return null;
    const facts = writer.finish();
    if (!isDry) nameSegment(temporary, directory, facts);
    const { first, last } = facts;
    return { first, last, bytes: writer.bytes, sealedBytes: writer.written };
  } finally {
    writer.close();
    rmSync(temporary, { force: true });
  }
}

/** The temporary path of a segment. Removes unfinished files: there is at most one archiver. */
function prepareDirectory(directory: string, first: number): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(directory)) {
    if (name.endsWith(".tmp")) rmSync(join(directory, name));
  }
  return join(directory, `${first}.tmp`);
}

function* blocksAfter(journal: SqliteJournalReader, from: Head) {
  for (let { row } = from; ; ) {
    const { blocks, isFull } = journal.pageAfter(row);
    yield* blocks;
    if (!isFull) return;
    row = blocks.at(-1)!.row;
  }
}

function nameSegment(temporary: string, directory: string, { first, last }: SegmentFacts): void {
  renameSync(temporary, join(directory, segmentName(first, last)));
  fsyncPath(directory);
  fsyncPath(dirname(directory));
}

/** The segment whose rows are to be removed next. */
function nextPlace(journalPath: string, { row }: Head): SegmentPlace | undefined {
  return segmentPlaces(journalPath).find(({ first, last }) => first <= row + 1 && last > row);
}

/**
 * The segment that an operator may delete when `cause` prevents the removal of its rows, or null.
 * While all of its rows are also in the database, no back-up has the file and it is not needed. If
 * the database is damaged, the file may have the only intact copy.
 */
export function redundantSegment(
  cause: unknown,
  journalPath: string,
  archived: Head,
): string | null {
  const place = nextPlace(journalPath, archived);
  const isOfSegment = cause instanceof Damage && cause.damage === "segment_damaged";
  return isOfSegment && place?.first === archived.row + 1 ? place.path : null;
}

/**
 * The segment whose rows are to be removed next, or null.
 *
 * @throws Damage when the file does not match its name: its rows could never be removed.
 */
export function nextToRemove(journalPath: string, archived: Head): SegmentFile | null {
  const place = nextPlace(journalPath, archived);
  return place ? namedSegment(place) : null;
}

/**
 * Removes the rows of a segment from the database, a frame per step, and yields the archived row.
 * The whole file is first read back and made durable here, because its writer may have died between
 * naming and syncing it.
 *
 * @throws Damage when the segment differs from the database: nothing is removed then.
 */
export function* removeRows(journal: Journal, file: SegmentFile): Generator<number> {
  for (const _bytes of file.checking()) yield journal.archived.row;
  mustLeadInto(journal, file);
  fsyncPath(file.path);
  fsyncPath(dirname(file.path));
  fsyncPath(dirname(dirname(file.path)));
  for (const frame of file.frames) {
    if (frame.last <= journal.archived.row) continue;
    journal.removeArchived(file.blocksOf(frame));
    yield frame.last;
  }
}

/** Rejects a segment with rows that were lost since: its last chain differs. */
function mustLeadInto(journal: Journal, { path, facts }: SegmentFile): void {
  if (new SqliteJournalReader(journal.db).chainAt(facts.last) === facts.chain) return;
  const message = `${path} ends at row ${facts.last} with another chain than the database`;
  throw new Damage("segment_damaged", message);
}

/**
 * Restores the rows of the newest segment to the database, last frame first, and deletes the file
 * when all are there.
 *
 * @throws Damage when the segment is not the last that was archived.
 */
export function* restoreRows(journal: Journal, file: SegmentFile): Generator<number> {
  file.check();
  const { facts, frames } = file;
  for (let i = frames.length - 1; i >= 0; i -= 1) {
    const frame = frames[i]!;
    if (frame.last > journal.archived.row) continue;
    const former = frames[i - 1];
    const before = former
      ? { row: former.last, chain: former.chain }
      : { row: facts.first - 1, chain: facts.chain_before };
    journal.restoreArchived(file.blocksOf(frame), before);
    yield before.row;
  }
  if (journal.archived.row !== facts.first - 1) {
    throw new Damage("segment_damaged", `${file.path} is not the last archived segment`);
  }
  rmSync(file.path);
  fsyncPath(dirname(file.path));
}
