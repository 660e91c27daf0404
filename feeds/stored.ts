/**
 * Serves documents from the files of a run: an opening, the first part of a file, and a tail. Size
 * and tag are known without reading the files.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { combined, deflated, deflatedEnd, GZIP_HEADER, type Sum, sumOf } from "./gzip.ts";
import { LIST_TAIL, listRoot } from "./hotel-list.ts";
import type { FeedManifest, StoredText } from "./manifest.ts";
import type { Profile } from "./profiles/profile.ts";
import { TRANSACTION_TAIL, transactionId, transactionOpening } from "./transaction.ts";
import { DECLARATION } from "./xml.ts";

const READ_BYTES = 256 * 1024;
const NOTHING = Buffer.alloc(0);

export interface StoredDocument {
  readonly bytes: number;
  /** A strong tag with quotes. */
  readonly etag: string;
  /** @throws Error when the run's files were removed before it is read. */
  body(): ReadableStream<Uint8Array>;
}

/** The first bytes of a file between other bytes. */
interface Pieces {
  readonly before: Uint8Array;
  readonly path: string;
  readonly end: number;
  readonly after: Uint8Array;
}

async function* read({ before, path, end, after }: Pieces): AsyncGenerator<Uint8Array> {
  if (before.length > 0) yield before;
  const file = await open(path);
  try {
    for (let at = 0; at < end; ) {
      const { buffer, bytesRead } = await file.read({
        buffer: new Uint8Array(Math.min(READ_BYTES, end - at)),
        position: at,
      });
      if (bytesRead === 0) throw new Error(`${path} ends before byte ${end}`);
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
  if (after.length > 0) yield after;
}

function streamOf(pieces: Pieces): ReadableStream<Uint8Array> {
  const chunks = read(pieces);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

export type Encoding = "identity" | "gzip";

/** The first `parts` parts of a text between an opening and a tail. */
interface Slice {
  readonly text: StoredText;
  readonly parts: number;
  readonly opening: Uint8Array;
  readonly tail: Uint8Array;
}

function plainPieces({ text, parts, opening, tail }: Slice, directory: string): Pieces {
  const end = text.ends[parts - 1]!;
  return { before: opening, path: join(directory, text.file), end, after: tail };
}

function zippedPieces({ text, parts, opening, tail }: Slice, directory: string): Pieces {
  const middle: Sum = { crc: text.crcs[parts - 1]!, bytes: text.ends[parts - 1]! };
  const whole = sumOf(tail, combined(sumOf(opening), middle));
  return {
    before: opening.length > 0 ? Buffer.concat([GZIP_HEADER, deflated(opening)]) : GZIP_HEADER,
    path: join(directory, text.gzip_file),
    end: text.gzip_ends[parts - 1]!,
    after: deflatedEnd(tail, whole),
  };
}

function piecesOf(slice: Slice, directory: string, encoding: Encoding): Pieces {
  return encoding === "gzip" ? zippedPieces(slice, directory) : plainPieces(slice, directory);
}

function sizeOf({ before, end, after }: Pieces): number {
  return before.length + end + after.length;
}

/** Lazy: the size needs a compression, the tag, which most readers need, does not. */
function documentOf(etag: string, pieces: () => Pieces): StoredDocument {
  return {
    etag,
    get bytes() {
      return sizeOf(pieces());
    },
    body: () => streamOf(pieces()),
  };
}

/** A text that is a whole document. */
function wholeOf(text: StoredText): Slice {
  return { text, parts: 1, opening: NOTHING, tail: NOTHING };
}

/** Size of a whole document as gzip. */
export function gzipBytesOf(text: StoredText): number {
  return sizeOf(zippedPieces(wholeOf(text), ""));
}

/** `hotel-list.xml` of a run. */
export function storedList(
  directory: string,
  { list, run_id }: FeedManifest,
  encoding: Encoding,
): StoredDocument {
  const etag = `"${run_id}-list-${encoding}"`;
  return documentOf(etag, () => piecesOf(wholeOf(list), directory, encoding));
}

/**
 * `ari.xml` of a run for arrivals on the next days, from the first set with so many days; from the
 * last set, the longest document within the size limit.
 */
export function storedAri(
  directory: string,
  manifest: FeedManifest,
  days: number,
  encoding: Encoding,
): StoredDocument {
  const { ari, run_id, tenant_id } = manifest;
  const text = ari.sets.find(({ through_days }) => through_days >= days) ?? ari.sets.at(-1)!;
  const told = Math.min(days, text.through_days);
  return documentOf(`"${run_id}-d${told}-${encoding}"`, () => {
    const opening = transactionOpening(manifest, transactionId(tenant_id, manifest, told));
    const around = { opening: Buffer.from(opening), tail: Buffer.from(TRANSACTION_TAIL) };
    return piecesOf({ text, parts: told + 1, ...around }, directory, encoding);
  });
}

/** `hotel-list.xml` of a tenant without listable properties; importers refuse an empty list. */
export function emptyList(profile: Profile): string {
  return `${DECLARATION}${listRoot(profile)}${LIST_TAIL}`;
}

/** `ari.xml` of such a tenant. */
export function emptyAri(): string {
  return `${DECLARATION}<Transaction>\n${TRANSACTION_TAIL}`;
}
