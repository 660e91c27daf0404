/**
 * Verifies the written files before publication. Data from hotels is parsed completely, and every
 * byte and element is counted. Results consist of numbers and ids; as many days of them are parsed
 * and decompressed as time allows.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { constants, inflateRawSync } from "node:zlib";
import { XMLValidator } from "fast-xml-parser";
import { type Sum, sumOf } from "./gzip.ts";
import type { FeedManifest, StoredText } from "./manifest.ts";

/** Documents are read in pieces of whole lines of about this size. */
const PIECE_BYTES = 256 * 1024;
/** A compressed part is held in memory; larger ones are not checked. */
const INFLATED_BYTES_MAX = 32 * PIECE_BYTES;
/** A prime above the number of days: its multiples visit each day once, far apart. */
const DAYS_APART = 97;
const LINE_END = 10;

/** A fault of the written files. */
export interface Fault {
  readonly reason: "not_well_formed" | "count_mismatch" | "bytes_differ";
  readonly detail: string;
}

export interface VerifyOptions {
  readonly directory: string;
  /** True when only the necessary checks should follow. */
  readonly isTimeUp: () => boolean;
}

/** Verifies both documents and returns the first fault. Yields the progress. */
export function* verify(
  { list, ari }: Pick<FeedManifest, "list" | "ari">,
  { directory, isTimeUp }: VerifyOptions,
): Generator<number, Fault | null> {
  const bodies = ari.sets.map((body) => {
    const data = { counts: { "<PropertyDataSet>": ari.properties }, isForeign: true };
    const days = body.results.map((results, day) => {
      return { counts: { "<Result>": results, "<RoomBundle>": body.bundles[day]! } };
    });
    return partsOf(body, { directory, root: "Transaction" }, [data, ...days]);
  });
  const listed = { counts: { "<listing>": list.listings }, isForeign: true };
  const files = [partsOf(list, { directory, root: "listings" }, [listed]), ...bodies];
  const parts = files.flat();
  const reader = new LineReader();
  for (const [index, part] of parts.entries()) {
    const fault = counted(part, reader);
    if (fault !== null) return fault;
    yield index / parts.length;
  }
  for (const file of files) {
    for (let turn = 0; turn < file.length && !isTimeUp(); turn += 1) {
      const part = file[(turn * DAYS_APART) % file.length]!;
      const fault = (part.isForeign ? null : parsed(part, reader, isTimeUp)) ?? inflated(part);
      if (fault !== null) return fault;
      yield 1;
    }
  }
  return null;
}

/** A part of a file and its expected contents. */
interface Part {
  readonly name: string;
  readonly path: string;
  readonly zippedPath: string;
  /** Sums of the file up to the start and the end of the part. */
  readonly before: Sum;
  readonly after: Sum;
  readonly zippedFrom: number;
  readonly zippedEnd: number;
  /** Expected number of each opening tag. */
  readonly counts: Readonly<Record<string, number>>;
  /** Whether it contains texts of hotels. */
  readonly isForeign: boolean;
  /** The element around its lines. */
  readonly root: string;
}

function partsOf(
  text: StoredText,
  { directory, root }: { readonly directory: string; readonly root: string },
  said: readonly (Pick<Part, "counts"> & Partial<Pick<Part, "isForeign">>)[],
): Part[] {
  const { file, gzip_file, ends, gzip_ends, crcs } = text;
  const sumAt = (index: number): Sum => ({ crc: crcs[index] ?? 0, bytes: ends[index] ?? 0 });
  return said.map(({ counts, isForeign = false }, index) => ({
    name: `${file}, part ${index}`,
    path: join(directory, file),
    zippedPath: join(directory, gzip_file),
    ...{ before: sumAt(index - 1), after: sumAt(index) },
    ...{ zippedFrom: gzip_ends[index - 1] ?? 0, zippedEnd: gzip_ends[index]! },
    ...{ counts, isForeign, root },
  }));
}

/** Reads whole lines into one buffer; each yielded piece is valid until the next. */
class LineReader {
  #buffer = Buffer.allocUnsafeSlow(2 * PIECE_BYTES);

  *linesOf({ path, before, after }: Part): Generator<Buffer> {
    const fd = openSync(path, "r");
    try {
      // Bytes of an incomplete line, kept at the start of the buffer.
      let kept = 0;
      for (let at = before.bytes; at < after.bytes; ) {
        this.#reserve(kept + PIECE_BYTES);
        const wanted = Math.min(PIECE_BYTES, after.bytes - at);
        const read = readSync(fd, this.#buffer, kept, wanted, at);
        if (read === 0) return;
        at += read;
        const known = this.#buffer.subarray(0, kept + read);
        const whole = at < after.bytes ? known.lastIndexOf(LINE_END) + 1 : known.length;
        if (whole > 0) yield known.subarray(0, whole);
        known.copyWithin(0, whole);
        kept = known.length - whole;
      }
    } finally {
      closeSync(fd);
    }
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * bytes);
    this.#buffer.copy(larger);
    this.#buffer = larger;
  }
}

/** Counts bytes and elements of a part, and parses it if it has texts of hotels. */
function counted(part: Part, reader: LineReader): Fault | null {
  const found = new Map(Object.keys(part.counts).map((tag) => [tag, 0]));
  let sum = part.before;
  for (const lines of reader.linesOf(part)) {
    sum = sumOf(lines, sum);
    for (const [tag, count] of found) found.set(tag, count + occurrences(lines, tag));
    const fault = part.isForeign ? formOf(part, lines) : null;
    if (fault !== null) return fault;
  }
  for (const [tag, count] of found) {
    const expected = part.counts[tag]!;
    if (count === expected) continue;
    const detail = `${part.name} has ${count} ${tag}, ${expected} were written`;
    return { reason: "count_mismatch", detail };
  }
  return sum.crc === part.after.crc && sum.bytes === part.after.bytes ? null : differs(part);
}

function differs({ name }: Part): Fault {
  return { reason: "bytes_differ", detail: `${name} is not what was written` };
}

function occurrences(bytes: Buffer, tag: string): number {
  let count = 0;
  for (let at = bytes.indexOf(tag); at >= 0; at = bytes.indexOf(tag, at + tag.length)) count += 1;
  return count;
}

/** Parses lines as a document, adding the root tags that they lack. */
function formOf({ root, name }: Part, lines: Buffer): Fault | null {
  const text = lines.toString();
  const open = text.startsWith("<?xml") ? "" : `<${root}>`;
  const close = text.endsWith(`</${root}>\n`) ? "" : `</${root}>`;
  const found = XMLValidator.validate(open + text + close);
  if (found === true) return null;
  const { msg, line } = found.err;
  return { reason: "not_well_formed", detail: `${name}: ${msg} (line ${line} of a piece)` };
}

function parsed(part: Part, reader: LineReader, isTimeUp: () => boolean): Fault | null {
  for (const lines of reader.linesOf(part)) {
    const fault = formOf(part, lines);
    if (fault !== null || isTimeUp()) return fault;
  }
  return null;
}

/** Whether the compressed part has the same bytes. */
function inflated(part: Part): Fault | null {
  const { before, after, zippedPath, zippedFrom, zippedEnd } = part;
  if (after.bytes - before.bytes > INFLATED_BYTES_MAX) return null;
  const zipped = Buffer.alloc(zippedEnd - zippedFrom);
  const fd = openSync(zippedPath, "r");
  try {
    readSync(fd, zipped, 0, zipped.length, zippedFrom);
  } finally {
    closeSync(fd);
  }
  try {
    const bytes = inflateRawSync(zipped, { finishFlush: constants.Z_SYNC_FLUSH });
    return sumOf(bytes, before).crc === after.crc ? null : differs(part);
  } catch {
    return differs(part);
  }
}
