/**
 * Rows of long ago leave the database for segments: first a segment is written beside it and made
 * durable, then the rows leave, a frame in a transaction, each compared with what the segment has.
 *
 * Maintained invariant: every row is in the database or in a durable segment. A crash at any point
 * leaves both or the segment; what was not finished is begun anew, and no file of before counts
 * that did not get its name.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Block } from "./block.ts";
import { Damage } from "./damage.ts";
import { fsyncPath } from "./durable.ts";
import type { Head } from "./head.ts";
import type { Journal } from "./journal.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { type SegmentFacts, type SegmentFile, SegmentWriter } from "./segment.ts";
import {
  namedSegment,
  type SegmentPlace,
  segmentName,
  segmentPlaces,
  segmentsPath,
} from "./segments.ts";
import { snapshotFiles } from "./snapshot.ts";

/** A segment is full with the frame that reaches one of these. */
export interface SegmentSize {
  readonly rows: number;
  readonly bytes: number;
}

export const SEGMENT_SIZE: SegmentSize = { rows: 100_000, bytes: 64 * 1024 * 1024 };

export interface ArchiveOptions {
  readonly journalPath: string;
  readonly journalId: string;
  readonly journal: SqliteJournalReader;
  /** No later row is sealed. */
  readonly through: number;
  readonly size?: SegmentSize;
}

/**
 * The last row that may be sealed: before the oldest snapshot that is kept, stamped before
 * `beforeMs`, and not in the last block; 0 when none may.
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

/** Bytes of the blocks of a segment, before and after. */
export interface ArchivedBytes {
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  readonly sealedBytes: number;
}

/**
 * Writes the rows after `from` as segments until one is full or `through` is reached, and yields
 * after every frame, so that its caller may rest; at last the segment, or null when no whole block
 * is before `through`. With `isDry` nothing is left behind.
 *
 * @throws Damage when a row is not what was written: damage is not sealed.
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

/** Where a segment is written until it gets its name; there is one who seals, or none. */
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

/** Where the segment lies whose rows are to leave the database next. */
function nextPlace(journalPath: string, { row }: Head): SegmentPlace | undefined {
  return segmentPlaces(journalPath).find(({ first, last }) => first <= row + 1 && last > row);
}

/**
 * The segment that an operator may remove when `cause` keeps its rows from leaving, or null. While
 * all of them are in the database too, no back-up has the file and nobody needs it. But where it is
 * the database that is damaged, the file may be all that is left of a row.
 */
export function redundantSegment(cause: unknown, journalPath: string, sealed: Head): string | null {
  const place = nextPlace(journalPath, sealed);
  const isOfSegment = cause instanceof Damage && cause.damage === "segment_damaged";
  return isOfSegment && place?.first === sealed.row + 1 ? place.path : null;
}

/**
 * The segment whose rows are to leave the database next, or null.
 *
 * @throws Damage when it is not the one of its name: no row would leave for it, ever.
 */
export function nextToRemove(journalPath: string, sealed: Head): SegmentFile | null {
  const place = nextPlace(journalPath, sealed);
  return place ? namedSegment(place) : null;
}

/**
 * Lets the rows of a segment leave the database, a frame for each step, and yields where the
 * database begins by then. The file is read back whole first, and made durable by whoever lets go:
 * who wrote it may have died between its name and the disk.
 *
 * @throws Damage when the segment is not what the database has: nothing leaves then.
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

/** Of a segment with rows that were given up since none may leave; its chain tells at its end. */
function mustLeadInto(journal: Journal, { path, facts }: SegmentFile): void {
  if (new SqliteJournalReader(journal.db).chainAt(facts.last) === facts.chain) return;
  const message = `${path} ends at row ${facts.last} in another past than the database`;
  throw new Damage("segment_damaged", message);
}

/**
 * Brings the rows of the newest segment back into the database, its last frame first, and removes
 * the file when it has them all.
 *
 * @throws Damage when the segment is not what left the database.
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
    throw new Damage("segment_damaged", `${file.path} is not the last that left the database`);
  }
  rmSync(file.path);
  fsyncPath(dirname(file.path));
}
