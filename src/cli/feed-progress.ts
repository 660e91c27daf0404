/** How far the reading of a document is. */
import type { FeedSource } from "./feed-source.ts";
import { progressBar, type Terminal } from "./terminal.ts";

const MEGABYTE = 1_000_000;
/** A smaller document is read before anybody asks how far it is. */
const TELLING_BYTES = 8 * MEGABYTE;

/** Tells how far the reading of a source is, where that takes a while. */
export function readProgress(terminal: Terminal, { size }: FeedSource): (count: number) => void {
  if (size === null || size < TELLING_BYTES) return () => {};
  const tell = progressBar(terminal, { words: (done, of) => `${done} of ${of} MB` });
  const of = Math.floor(size / MEGABYTE);
  let bytes = 0;
  let told = -1;
  return (count) => {
    bytes += count;
    const done = bytes === size ? of : Math.min(of - 1, Math.floor(bytes / MEGABYTE));
    if (done > told) tell(done, of);
    told = done;
  };
}
