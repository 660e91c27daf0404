/**
 * Random itineraries of a published document, read directly at their positions: a few kilobytes
 * each. The same seed selects the same ones.
 */
import { type FileHandle, open } from "node:fs/promises";

/** Ends of the results of each check-in day; the first number is where today's start. */
export interface SampledFile {
  readonly path: string;
  readonly ends: readonly number[];
}

const OPENING = Buffer.from("<Result>");
const CLOSING = Buffer.from("</Result>");
/** Enough for most results. */
const READ_BYTES = 16 * 1024;
/** Larger than any realistic result. */
const READ_BYTES_MAX = 4 * 1024 * 1024;

/**
 * At most `count` different results as in the file. Days are equally likely; within a day a result
 * is as likely as its predecessor is large.
 *
 * @throws Error when the file cannot be read, as after its replacement.
 */
export async function sampleOf(
  { path, ends }: SampledFile,
  count: number,
  seed: number,
): Promise<string[]> {
  const random = randomFrom(seed);
  const days: (readonly [from: number, to: number])[] = [];
  for (let day = 1; day < ends.length; day += 1) {
    if (ends[day]! > ends[day - 1]!) days.push([ends[day - 1]!, ends[day]!]);
  }
  const found = new Map<number, string>();
  if (days.length === 0) return [];
  const file = await open(path, "r");
  try {
    for (let draw = 0; draw < count; draw += 1) {
      const [from, to] = days[Math.floor(random() * days.length)]!;
      const at = from + Math.floor(random() * (to - from));
      const result = (await resultAfter(file, at, to)) ?? (await resultAfter(file, from, to));
      if (result) found.set(result.at, result.xml);
    }
  } finally {
    await file.close();
  }
  return [...found.values()];
}

/** The first result that starts at `from` or later and ends at `to` or before. */
async function resultAfter(file: FileHandle, from: number, to: number) {
  for (let bytes = READ_BYTES; bytes <= READ_BYTES_MAX; bytes *= 4) {
    const chunk = Buffer.allocUnsafe(Math.min(bytes, to - from));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, from);
    const read = chunk.subarray(0, bytesRead);
    const start = read.indexOf(OPENING);
    const end = start < 0 ? -1 : read.indexOf(CLOSING, start);
    if (end >= 0) {
      const xml = read.toString("utf8", start, end + CLOSING.length);
      return { at: from + start, xml };
    }
    if (bytes >= to - from) return null;
  }
  return null;
}

/** mulberry32, in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}
