import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleOf } from "./sample.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sample-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A file of which each day has results of these many bytes of filling. */
function fileOf(...days: readonly (readonly number[])[]) {
  let text = "<Transaction><PropertyDataSet>é</PropertyDataSet>";
  const ends = [Buffer.byteLength(text)];
  days.forEach((sizes, day) => {
    text += sizes.map((size, i) => `<Result>${day}.${i} ${"x".repeat(size)}</Result>`).join("");
    ends.push(Buffer.byteLength(text));
  });
  const path = join(folder, "ari.xml");
  writeFileSync(path, `${text}</Transaction>`);
  return { path, ends };
}

const nameOf = (xml: string) => /^<Result>(\S+) x*<\/Result>$/.exec(xml)?.[1];

test("every result is sampled eventually, each whole and once", async () => {
  const file = fileOf([300, 17_000, 300], [], [100_000], [1, 1, 1, 1]);
  const found = await sampleOf(file, 2_000, 7);
  const all = ["0.0", "0.1", "0.2", "2.0", "3.0", "3.1", "3.2", "3.3"];
  expect(found.map(nameOf).sort()).toEqual(all);
});

test("equal seeds give equal results, other seeds others", async () => {
  const days = Array.from({ length: 90 }, () => Array.from({ length: 20 }, () => 50));
  const file = fileOf(...days);
  const first = await sampleOf(file, 100, 1);
  expect(first.length).toBeGreaterThan(90);
  expect(await sampleOf(file, 100, 1)).toEqual(first);
  expect(await sampleOf(file, 100, 2)).not.toEqual(first);
  const drawn = new Set(first.map((xml) => nameOf(xml)?.split(".")[0]));
  expect(drawn.size).toBeGreaterThan(45);
});

test("a document without results gives none, and a missing one is reported", async () => {
  expect(await sampleOf(fileOf([], []), 10, 1)).toEqual([]);
  const gone = { path: join(folder, "gone.xml"), ends: [0, 10] };
  await expect(sampleOf(gone, 1, 1)).rejects.toThrow("ENOENT");
});
