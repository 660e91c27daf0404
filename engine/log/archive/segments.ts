/**
 * The segments of a journal, in a directory beside it: finds the one that has a row. They are read
 * only for rows that are not in the database; the last ones read are cached.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Damage } from "../../core/damage.ts";
import { Block, type StoredBlock } from "../block.ts";
import type { Head } from "../head.ts";
import { SegmentFile, unreadable } from "./segment.ts";

/** Cached frames, some 256 KB each, and cached indexes. */
const FRAMES_MAX = 8;
const FILES_MAX = 16;

/** The directory of a journal's segments. */
export function segmentsPath(journalPath: string): string {
  return journalPath.replace(/\.db$/, ".segments");
}

/** The file name of a segment with these rows. */
export function segmentName(first: number, last: number): string {
  return `${first}-${last}.segment`;
}

export interface SegmentPlace {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** The segments of a journal by their file names, in order. */
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
 * Reads every byte of the segments with rows after `from` and up to `archived`, a megabyte per
 * step, and checks that they follow each other without a gap. A reader of the journal checks the
 * rows. Each step yields the head up to which everything is intact; `from` may be within a segment,
 * which is then read from its beginning.
 *
 * @throws Damage for the first segment that is missing or altered.
 */
export function* checkingSegments(
  journalPath: string,
  from: Head,
  archived: Head,
): Generator<Head, void> {
  const ends = endsOf(journalPath, archived);
  for (let place = from; place.row < archived.row; yield place) {
    const next = placeWith(journalPath, place.row + 1);
    const file = new SegmentFile(next.path);
    for (const _bytes of file.checking()) yield place;
    const { first, last, chain_before, chain } = namedSegment(next).facts;
    const end = ends.get(next.path);
    const isNext = first <= place.row || chain_before === place.chain;
    if (!isNext || (end && !endsIn(file, end))) {
      throw new Damage("segment_damaged", `${next.path} does not belong at this position`);
    }
    // The last rows of the last segment may still be in the database, where they are read.
    place = last > archived.row ? archived : { row: last, chain };
  }
}

/**
 * Where segments must end, by path: the database defines the end of the last one, and each one that
 * ends there defines the end of the one before. So a wrong file is recognised by its neighbours.
 */
function endsOf(journalPath: string, archived: Head): ReadonlyMap<string, Head> {
  const ends = new Map<string, Head>();
  let end: Head | null = archived;
  for (const place of segmentPlaces(journalPath).reverse()) {
    if (end === null || !isWith(end.row)(place)) continue;
    ends.set(place.path, end);
    end = beforeIt(place, end);
  }
  return ends;
}

/** The chain before a segment that ends where it must; null for any other. */
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
 * The segment with a row.
 *
 * @throws Damage when there is none.
 */
export function placeWith(journalPath: string, row: number): SegmentPlace {
  const place = segmentPlaces(journalPath).find(isWith(row));
  if (!place) throw missing(journalPath, row);
  return place;
}

function isWith(row: number): (place: SegmentPlace) => boolean {
  return ({ first, last }) => first <= row && row <= last;
}

function missing(journalPath: string, row: number): Damage {
  return new Damage("segment_missing", `no file in ${segmentsPath(journalPath)} has row ${row}`);
}

/**
 * A segment that matches its name.
 *
 * @throws Damage when it does not, like a copy of another, or cannot be read.
 */
export function namedSegment({ path, first, last }: SegmentPlace): SegmentFile {
  const file = new SegmentFile(path);
  if (file.facts.first === first && file.facts.last === last) return file;
  throw new Damage("segment_damaged", `${path} has the rows of another segment`);
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
   * The blocks of a row's frame, not checked yet. The database begins after `archived`.
   *
   * @throws Damage when no segment has the row, or its segment is altered.
   */
  frameWith(row: number, archived: Head): readonly StoredBlock[] {
    const file = this.#fileWith(row, archived);
    const frame = file.frameWith(row);
    const name = `${file.path} ${frame.at}`;
    return kept(this.#frames, name, FRAMES_MAX, () => file.blocksOf(frame));
  }

  /** The block of a row. Throws as `frameWith`. */
  blockWith(row: number, archived: Head): Block {
    const block = new Block(this.frameWith(row, archived).find((stored) => stored.row >= row)!);
    if (block.first <= row) return block;
    throw new Damage("journal_gap", `row ${row} is not in the segment that should have it`);
  }

  #fileWith(row: number, archived: Head): SegmentFile {
    let place = this.#places.find(isWith(row));
    if (!place) {
      this.#places = segmentPlaces(this.#journalPath);
      place = this.#places.find(isWith(row));
    }
    if (!place) throw missing(this.#journalPath, row);
    const { path } = place;
    return kept(this.#files, path, FILES_MAX, () => this.#opened(place, archived));
  }

  /** Checks that a file matches its name and leads to its successor. */
  #opened(of: SegmentPlace, archived: Head): SegmentFile {
    const { path, last } = of;
    const file = namedSegment(of);
    const { facts } = file;
    const refuse = (what: string) => new Damage("segment_damaged", `${path} ${what}`);
    if (archived.row <= last) {
      const { chain } = file.frameWith(archived.row);
      if (chain !== archived.chain)
        throw refuse(`does not lead to row ${archived.row} of the journal`);
      return file;
    }
    const next = this.#places.find((place) => place.first === last + 1);
    if (next && new SegmentFile(next.path).facts.chain_before !== facts.chain) {
      throw refuse(`does not lead to ${next.path}`);
    }
    return file;
  }
}

/** The cached value of a name, made when missing; the least recently used is evicted. */
function kept<T>(map: Map<string, T>, name: string, most: number, make: () => T): T {
  const found = map.get(name) ?? make();
  map.delete(name);
  map.set(name, found);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
  return found;
}
