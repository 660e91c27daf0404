/**
 * The segments beside a journal, in a directory of their own: which of them has a row. They are
 * read only where the database no longer has it, and what was read last stays in memory.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Block, type StoredBlock } from "./block.ts";
import { Damage } from "./damage.ts";
import type { Head } from "./head.ts";
import { SegmentFile, unreadable } from "./segment.ts";

/** Frames in memory, some 256 KB each, and files whose index is. */
const FRAMES_MAX = 8;
const FILES_MAX = 16;

/** Where the segments of a journal file lie. */
export function segmentsPath(journalPath: string): string {
  return journalPath.replace(/\.db$/, ".segments");
}

/** What a segment of those rows is called. */
export function segmentName(first: number, last: number): string {
  return `${first}-${last}.segment`;
}

export interface SegmentPlace {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** The segments of a journal by the names of their files, in order. */
export function segmentPlaces(journalPath: string): SegmentPlace[] {
  const directory = segmentsPath(journalPath);
  return namesIn(directory)
    .map((name) => ({ path: join(directory, name), rows: /^(\d+)-(\d+)\.segment$/.exec(name) }))
    .flatMap(({ path, rows }) =>
      rows ? [{ path, first: Number(rows[1]), last: Number(rows[2]) }] : [],
    )
    .sort((a, b) => a.first - b.first);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw unreadable(error, directory);
  }
}

/**
 * Reads every byte of the segments that have rows after `from` and before `sealed`, in steps of a
 * megabyte, and that they go on from each other without a gap. What their rows say is for a reader
 * of the journal to check. A step is the place up to which all is whole by then; `from` may lie
 * within a segment, which is then read from its beginning.
 *
 * @throws Damage for the first that is missing or not what was written.
 */
export function* checkingSegments(
  journalPath: string,
  from: Head,
  sealed: Head,
): Generator<Head, void> {
  const ends = endsOf(journalPath, sealed);
  for (let place = from; place.row < sealed.row; yield place) {
    const next = placeWith(journalPath, place.row + 1);
    const file = new SegmentFile(next.path);
    for (const _bytes of file.checking()) yield place;
    const { first, last, chain_before, chain } = namedSegment(next).facts;
    const end = ends.get(next.path);
    const isNext = first <= place.row || chain_before === place.chain;
    if (!isNext || (end && !endsIn(file, end))) {
      throw new Damage("segment_damaged", `${next.path} is not the one that belongs there`);
    }
    // The rows of the last one may not have left yet, and are then read where they are.
    place = last > sealed.row ? sealed : { row: last, chain };
  }
}

/**
 * Where segments must end, by their paths: the database says it of the last one, and each that ends
 * so says it of the one before. So what does not belong is told from its neighbours, which do.
 */
function endsOf(journalPath: string, sealed: Head): ReadonlyMap<string, Head> {
  const ends = new Map<string, Head>();
  let end: Head | null = sealed;
  for (const place of segmentPlaces(journalPath).reverse()) {
    if (end === null || !isWith(end.row)(place)) continue;
    ends.set(place.path, end);
    end = beforeIt(place, end);
  }
  return ends;
}

/** What a segment that ends where it must goes on from; null of any other. */
function beforeIt(place: SegmentPlace, end: Head): Head | null {
  try {
    const file = namedSegment(place);
    const { first, chain_before } = file.facts;
    return endsIn(file, end) ? { row: first - 1, chain: chain_before } : null;
  } catch (error) {
    if (error instanceof Damage) return null;
    throw error;
  }
}

function endsIn(file: SegmentFile, { row, chain }: Head): boolean {
  const frame = file.frameWith(row);
  return frame.last === row && frame.chain === chain;
}

/**
 * Where the segment lies that has a row.
 *
 * @throws Damage when there is none.
 */
export function placeWith(journalPath: string, row: number): SegmentPlace {
  const place = segmentPlaces(journalPath).find(isWith(row));
  if (!place) throw missing(journalPath, row);
  return place;
}

/** A segment that has a row. */
function isWith(row: number): (place: SegmentPlace) => boolean {
  return ({ first, last }) => first <= row && row <= last;
}

function missing(journalPath: string, row: number): Damage {
  return new Damage("segment_missing", `no file in ${segmentsPath(journalPath)} has row ${row}`);
}

/**
 * A segment that is the one of its name.
 *
 * @throws Damage when it is not, as a copy of another, or cannot be read.
 */
export function namedSegment({ path, first, last }: SegmentPlace): SegmentFile {
  const file = new SegmentFile(path);
  if (file.facts.first === first && file.facts.last === last) return file;
  throw new Damage("segment_damaged", `${path} has the rows of another`);
}

export class Segments {
  readonly #journalPath: string;
  #places: readonly SegmentPlace[] = [];
  /** The least recently used first. */
  readonly #files = new Map<string, SegmentFile>();
  readonly #frames = new Map<string, readonly StoredBlock[]>();

  constructor(journalPath: string) {
    this.#journalPath = journalPath;
  }

  /**
   * The blocks of the frame that a row lies in, none of them checked yet. The database begins after
   * `sealed`.
   *
   * @throws Damage when no segment has the row, or the one that has it is not what was written.
   */
  frameWith(row: number, sealed: Head): readonly StoredBlock[] {
    const file = this.#fileWith(row, sealed);
    const frame = file.frameWith(row);
    const name = `${file.path} ${frame.at}`;
    return kept(this.#frames, name, FRAMES_MAX, () => file.blocksOf(frame));
  }

  /** The block that a row lies in. Throws as `frameWith`. */
  blockWith(row: number, sealed: Head): Block {
    const block = new Block(this.frameWith(row, sealed).find((stored) => stored.row >= row)!);
    if (block.first <= row) return block;
    throw new Damage("journal_gap", `row ${row} is not in the segment that should have it`);
  }

  #fileWith(row: number, sealed: Head): SegmentFile {
    let place = this.#places.find(isWith(row));
    if (!place) {
      this.#places = segmentPlaces(this.#journalPath);
      place = this.#places.find(isWith(row));
    }
    if (!place) throw missing(this.#journalPath, row);
    const { path } = place;
    return kept(this.#files, path, FILES_MAX, () => this.#opened(place, sealed));
  }

  /** A file is believed when it is the one of its name and leads to what comes after it. */
  #opened(of: SegmentPlace, sealed: Head): SegmentFile {
    const { path, last } = of;
    const file = namedSegment(of);
    const { facts } = file;
    const refuse = (what: string) => new Damage("segment_damaged", `${path} ${what}`);
    if (sealed.row <= last) {
      const { chain } = file.frameWith(sealed.row);
      if (chain !== sealed.chain) throw refuse(`does not lead to row ${sealed.row} of the journal`);
      return file;
    }
    const next = this.#places.find((place) => place.first === last + 1);
    if (next && new SegmentFile(next.path).facts.chain_before !== facts.chain) {
      throw refuse(`does not lead to ${next.path}`);
    }
    return file;
  }
}

/** What a map has under a name, made where it has nothing; the least recently used goes. */
function kept<T>(map: Map<string, T>, name: string, most: number, make: () => T): T {
  const found = map.get(name) ?? make();
  map.delete(name);
  map.set(name, found);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
  return found;
}
