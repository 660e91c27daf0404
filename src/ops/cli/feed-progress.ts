/** Progress of reading a document. */
import type { FeedSource } from "./feed-source.ts";
import { progressBar, type Terminal } from "./terminal.ts";

const MEGABYTE = 1_000_000;
/** Smaller documents show no progress. */
const SHOWN_BYTES_MIN = 8 * MEGABYTE;

/** Returns a function that counts the bytes read and shows progress for large documents. */
export function readProgress(terminal: Terminal, { size }: FeedSource): (count: number) => void {
  if (size === null || size < SHOWN_BYTES_MIN) return () => {};
  const showProgress = progressBar(terminal, { words: (done, of) => `${done} of ${of} MB` });
  const of = Math.floor(size / MEGABYTE);
  let bytes = 0;
  let shown = -1;
  return (count) => {
    bytes += count;
    const done = bytes === size ? of : Math.min(of - 1, Math.floor(bytes / MEGABYTE));
    if (done > shown) showProgress(done, of);
    shown = done;
  };
}
