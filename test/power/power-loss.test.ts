/**
 * Goal: after a power loss or a flipped bit no acknowledged row is missing or different without an
 * error. Method: one recorded history per seed; images of its files as a disk may hold them; a real
 * engine is started on each.
 *
 * `POWER_IMAGES` (default 200) is the number of images, `POWER_SEED` the first seed.
 */
import { expect, test } from "bun:test";
import { crashImage, flippedImage, type Image } from "./image.ts";
import { judge, type Verdict } from "./judge.ts";
import { Random } from "./random.ts";
import { record } from "./recording.ts";

const IMAGES = Number(process.env.POWER_IMAGES ?? 200);
const SEED = Number(process.env.POWER_SEED ?? Date.now() % 1_000_000);
const ROWS = 300;
const random = new Random(SEED + 1);
const recording = record(SEED, ROWS);

/** Judges a share of the images: how often each verdict came. Names the seed when one fails. */
function judged(share: number, image: () => Image): Map<Verdict, number> {
  const verdicts = new Map<Verdict, number>();
  for (let count = Math.ceil(IMAGES * share); count > 0; count -= 1) {
    try {
      const verdict = judge(image(), recording);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    } catch (error) {
      throw new Error(`POWER_SEED=${SEED}: ${error}`, { cause: error });
    }
  }
  return verdicts;
}

function flips(kind: RegExp, count: number): () => Image {
  return () => flippedImage(recording, random, kind, count);
}

test("the history is varied enough for the proof", () => {
  const kinds = new Set(recording.steps.map((step) => step.kind));
  expect(kinds).toEqual(new Set(["group", "checkpoint", "snapshot", "seal", "leave"]));
  const told = recording.lines.join("\n");
  const types = "booking.confirmed booking.cancelled payment.pending payment.failed hold.expired";
  for (const type of types.split(" ")) expect(told).toContain(`"${type}"`);
});

test("after a power loss the state is the acknowledged one, or one whole group more", () => {
  const verdicts = judged(0.5, () => crashImage(recording, random));
  expect([...verdicts.keys()].sort()).toEqual(["exact", "exact and one group more"]);
});

test("the same images catch an engine that answers before its fsync", () => {
  const early = (): Image => {
    const image = crashImage(recording, random);
    const rows = [...recording.expected.keys()].sort((a, b) => a - b);
    return { ...image, ackedRow: rows.find((row) => row > image.ackedRow) ?? image.ackedRow };
  };
  const all = () => Array.from({ length: 20 }, () => judge(early(), recording));
  expect(all).toThrow("acknowledged rows are gone");
});

test("flipped bits of the database or SQLite's log are refused by name or change nothing", () => {
  const verdicts = [
    judged(0.12, flips(/^0\.db$/, 1)),
    judged(0.12, flips(/^0\.db$/, 8)),
    judged(0.12, flips(/-wal$/, 1)),
  ];
  const names = new Set(verdicts.flatMap((counts) => [...counts.keys()]));
  // Free space is flipped without harm; rows, pages and frames are not.
  expect([...names]).toContain("exact");
  expect(names.size).toBeGreaterThan(1);
});

test("the same images catch rows removed before their segment was durable", () => {
  const left = recording.steps.filter(({ kind }) => kind === "leave");
  for (const { ackedRow, after } of left) {
    const files = new Map([...after].filter(([name]) => !name.endsWith(".segment")));
    expect(judge({ ackedRow, files, story: "no segment" }, recording)).toBe("segment_missing");
  }
});

test("a flipped bit of a segment is refused by name or changes nothing", () => {
  const verdicts = [...judged(0.1, flips(/\.segment$/, 1)).keys()];
  const named = new Set<Verdict>(["exact", "segment_damaged"]);
  expect(verdicts.filter((verdict) => !named.has(verdict))).toEqual([]);
  expect(verdicts).toContain("segment_damaged");
});

test.each([
  ["snapshot", /\.snapshot-/],
  ["head file", /\.head$/],
])("one flipped bit of a %s changes nothing: the file is skipped", (_name, kind) => {
  expect([...judged(0.07, flips(kind, 1)).keys()]).toEqual(["exact"]);
});
