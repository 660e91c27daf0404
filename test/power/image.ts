/**
 * What a disk may hold after a loss of power: everything that was synced, and any part of what was
 * not, in any order, torn at any sector.
 *
 * The head file is never synced, so any older one of it may come back. An image with flipped bits
 * keeps the newest, though: a flip and a lost witness at once are two independent faults.
 */
import type { Random } from "./random.ts";
import type { Recording, Step } from "./recording.ts";

export interface Image {
  readonly ackedRow: number;
  readonly files: ReadonlyMap<string, Buffer>;
  /** What was done to it, for the message of a failing test. */
  readonly story: string;
}

const HEAD = "0.head";
const WAL_HEADER_BYTES = 32;

/** An image of a crash during a random step, without any flipped bit. */
export function crashImage(recording: Recording, random: Random): Image {
  const { steps } = recording;
  const at = random.below(steps.length);
  const step = steps[at]!;
  const mode = random.pick(["none", "prefix", "subset", "torn", "complete"] as const);
  const files = new Map(step.before);
  for (const [name, after] of step.after) {
    if (name === HEAD || step.before.get(name) === after) continue;
    if (name.includes(".snapshot-") || name.endsWith(".segment")) {
      // Renamed only once it is synced: under its own name it is whole.
      const landed = landedPart(Buffer.alloc(0), after, random, mode);
      files.set(mode === "complete" ? name : `${name}.tmp`, landed);
    } else {
      const before = step.before.get(name) ?? Buffer.alloc(0);
      const isTorn = name.endsWith("-wal") && mode !== "complete";
      const synced = isTorn ? restarted(before, after, random) : before;
      files.set(name, synced ? landedPart(synced, after, random, mode) : before);
    }
  }
  for (const name of step.before.keys()) {
    if (!step.after.has(name) && mode === "complete" && random.chance(0.5)) files.delete(name);
  }
  const isSeen = mode === "complete" && random.chance(0.5);
  const head = isSeen ? step.after.get(HEAD) : olderHead(steps, at, random);
  if (head) files.set(HEAD, head);
  const story = `step ${at} (${step.kind}, ${mode}) after row ${step.ackedRow}`;
  return { ackedRow: step.ackedRow, files, story };
}

/** The state right after a random step, with `flips` bits of one kind of file turned over. */
export function flippedImage(
  recording: Recording,
  random: Random,
  kind: RegExp,
  flips: number,
): Image {
  const candidates = recording.steps.filter(({ after }) =>
    [...after].some(([name, content]) => kind.test(name) && content.length > 0),
  );
  const step = random.pick(candidates);
  const names = [...step.after.keys()].filter((name) => kind.test(name));
  return flipped(step, random, random.pick(names), flips);
}

function flipped(step: Step, random: Random, name: string, flips: number): Image {
  const files = new Map<string, Buffer>(step.after);
  const content = Buffer.from(step.after.get(name)!);
  const places: string[] = [];
  for (let i = 0; i < flips && content.length > 0; i += 1) {
    const [byte, bit] = [random.below(content.length), random.below(8)];
    content[byte]! ^= 1 << bit;
    places.push(`${byte}.${bit}`);
  }
  files.set(name, content);
  const ackedRow = lastRowOf(step);
  return { ackedRow, files, story: `${name} flipped at ${places.join(" ")}, row ${ackedRow}` };
}

/** The head file names the last acknowledged row of the step. */
function lastRowOf(step: Step): number {
  return Number(step.after.get(HEAD)?.toString().split(" ")[1] ?? step.ackedRow);
}

function olderHead(steps: readonly Step[], at: number, random: Random): Buffer | undefined {
  const from = random.chance(0.5) ? at : random.below(at + 1);
  return steps[from]!.before.get(HEAD);
}

type Mode = "none" | "prefix" | "subset" | "torn" | "complete";

/** The old content with some of the changed sectors written over it. */
function landedPart(before: Buffer, after: Buffer, random: Random, mode: Mode): Buffer {
  if (mode === "none") return before;
  if (mode === "complete") return after;
  const sectorBytes = random.pick([512, 4096]);
  const sectors = changedSectors(before, after, sectorBytes);
  const some = random.below(sectors.length + 1);
  const landed =
    mode === "subset" ? sectors.filter(() => random.chance(0.5)) : sectors.slice(0, some);
  const longest = Math.max(before.length, ...landed.map((at) => at + sectorBytes));
  // A file may have grown before the data came: the gap reads as zeros.
  const isGrown = random.chance(0.5);
  const length = isGrown ? Math.max(after.length, longest) : Math.min(after.length, longest);
  const image = Buffer.alloc(Math.max(length, before.length));
  before.copy(image);
  for (const at of landed) after.copy(image, at, at, at + sectorBytes);
  const next = sectors[some];
  if (mode === "torn" && next !== undefined) {
    after.copy(image, next, next, next + 1 + random.below(sectorBytes - 1));
  }
  return image;
}

/**
 * SQLite's log when its first frames of this step are written. A log that starts anew has a new
 * header, and SQLite syncs that before any frame (`sqlite3WalFrames`, wal.c): without this, frames
 * of the former round would count again. Null when the power went before the header was synced.
 */
function restarted(before: Buffer, after: Buffer, random: Random): Buffer | null {
  const header = after.subarray(0, WAL_HEADER_BYTES);
  if (before.length === 0 || before.subarray(0, WAL_HEADER_BYTES).equals(header)) return before;
  if (random.chance(0.2)) return null;
  const image = Buffer.from(before);
  header.copy(image);
  return image;
}

function changedSectors(before: Buffer, after: Buffer, sectorBytes: number): number[] {
  const changed: number[] = [];
  for (let at = 0; at < after.length; at += sectorBytes) {
    const old = before.subarray(at, at + sectorBytes);
    if (!old.equals(after.subarray(at, at + sectorBytes))) changed.push(at);
  }
  return changed;
}
