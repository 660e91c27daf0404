/** Bodies streamed line by line. */
import { BrokenOff } from "./body.ts";

/** Per line; a property's tree, or an update, must fit an envelope. */
export const LINE_BYTES_MAX = 512 * 1024;
/** Of the whole stream. */
export const STREAM_BYTES_MAX = 256 * 1024 * 1024;

/** A line, or why it cannot be read. */
type Read = { readonly text: string } | "line_too_long" | "not_utf8" | "stream_too_long";

/** Numbered from 1. */
export interface Line {
  readonly line: number;
  readonly read: Read;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });
const NEWLINE = 10;

/** The bytes of the current line, dropped once it is over the limit. */
class LineBuffer {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  add(part: Uint8Array): void {
    this.#bytes += part.byteLength;
    if (this.#bytes <= LINE_BYTES_MAX) this.#parts.push(part);
    else this.#parts = [];
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Returns the line and starts a new one. */
  take(): Read {
    const isTooLong = this.#bytes > LINE_BYTES_MAX;
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    if (isTooLong) return "line_too_long";
    try {
      return { text: UTF8.decode(bytes) };
    } catch {
      return "not_utf8";
    }
  }
}

/**
 * The non-empty lines of a stream, in one pass over its bytes; over the limit the last item says
 * so.
 */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const buffer = new LineBuffer();
  let line = 1;
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.byteLength;
    if (total > STREAM_BYTES_MAX) {
      yield { line, read: "stream_too_long" };
      return;
    }
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      if (end > from) buffer.add(chunk.subarray(from, end));
      if (!buffer.isEmpty) yield { line, read: buffer.take() };
      line += 1;
      from = end + 1;
    }
    if (from < chunk.length) buffer.add(chunk.subarray(from));
  }
  if (!buffer.isEmpty) yield { line, read: buffer.take() };
}

/** The client's bytes; throws `BrokenOff` when incomplete. */
export async function* received(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    throw new BrokenOff("the stream broke off", { cause });
  }
}

/** The stream is over its limit. */
export class StreamTooLong extends Error {}

/** Passes bytes up to the limit of the stream, then throws. */
export async function* limited(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > STREAM_BYTES_MAX) throw new StreamTooLong();
    yield chunk;
  }
}
