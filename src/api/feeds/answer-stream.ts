/** Bodies of answers to partners' queries: made no faster than they are read. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { QueryAnswer } from "../../../feeds/query.ts";
import type { Encoding } from "../../http/answer.ts";

/** Pieces are joined into chunks of this size; single pieces would cost more. */
const CHUNK_CHARACTERS = 64 * 1024;
/** Time before other requests get a turn. */
const SLICE_MS = 5;
/** What a compressor takes. */
type Bytes = ArrayBufferView<ArrayBuffer> | ArrayBuffer;

/**
 * The pieces in chunks, so that an unread large answer holds a few of them, not itself. `leave` is
 * called once they have ended, one could not be made, or the client has gone.
 */
export function streamOf(
  pieces: QueryAnswer["pieces"],
  encoding: Encoding,
  leave: () => void,
): ReadableStream<Bytes> {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Bytes>({
    async pull(controller) {
      try {
        const { text, isLast } = nextChunk(pieces);
        if (text !== "") controller.enqueue(encoder.encode(text));
        if (!isLast) return nextTurn();
      } catch (error) {
        leave();
        throw error;
      }
      leave();
      controller.close();
    },
    // The client has gone, or the connection was ended because it read nothing.
    cancel: leave,
  });
  return encoding === "gzip" ? stream.pipeThrough(new CompressionStream("gzip")) : stream;
}

/**
 * Never empty but at the end, however late it is: who pulls nothing is not asked to pull again, and
 * the answer would stand still until its connection is idle for too long.
 */
function nextChunk(pieces: QueryAnswer["pieces"]): { text: string; isLast: boolean } {
  const endMs = performance.now() + SLICE_MS;
  let text = "";
  do {
    const next = pieces.next();
    if (next.done) return { text, isLast: true };
    text += next.value;
  } while (text === "" || (text.length < CHUNK_CHARACTERS && performance.now() < endMs));
  return { text, isLast: false };
}
