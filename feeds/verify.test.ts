/** Faults of every kind in well-written files: each must be detected and named. */
import { expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BuiltFeed, liveState, oddHotels } from "../test/support/feeds.ts";
import { sumOf } from "./gzip.ts";
import type { FeedManifest, StoredText } from "./manifest.ts";

const STATE = liveState(oddHotels().slice(2));

function changed(feed: BuiltFeed, file: string, change: (bytes: Buffer) => void): void {
  const path = join(feed.directory, file);
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}

/** The manifest of a writer that is wrong about what it wrote, but not about the bytes. */
function resummed(feed: BuiltFeed): FeedManifest {
  const summed = <T extends StoredText>(text: T): T => {
    const bytes = readFileSync(join(feed.directory, text.file));
    return { ...text, crcs: text.ends.map((end) => sumOf(bytes.subarray(0, end)).crc) };
  };
  const { list, ari } = feed.manifest;
  return { ...feed.manifest, list: summed(list), ari: { ...ari, sets: ari.sets.map(summed) } };
}

test("undamaged files have no fault", () => {
  using feed = new BuiltFeed(STATE);
  expect(feed.verified()).toBeNull();
});

test("one flipped bit is detected anywhere, in the plain files and in the compressed ones", () => {
  using feed = new BuiltFeed(STATE);
  for (const file of ["hotel-list.xml", "ari-1.xml", "hotel-list.deflate", "ari-1.deflate"]) {
    const flip = (bytes: Buffer) => {
      const index = Math.floor(bytes.length * 0.6);
      bytes[index] = bytes[index]! ^ 2;
    };
    changed(feed, file, flip);
    expect({ file, fault: feed.verified()?.reason }).toEqual({ file, fault: "bytes_differ" });
    changed(feed, file, flip);
  }
});

test("truncated files are detected", () => {
  for (const file of ["hotel-list.xml", "ari-1.xml", "ari-1.deflate"]) {
    using feed = new BuiltFeed(STATE);
    const path = join(feed.directory, file);
    truncateSync(path, readFileSync(path).length - 40);
    expect(feed.verified()).not.toBeNull();
  }
});

test("a malformed document is detected although every byte is as it was written", () => {
  for (const [file, from, to] of [
    ["hotel-list.xml", "<name>", "<mane>"],
    ["ari-1.xml", "<PropertyDataSet><Property>", "<PropertyDataSet><Property "],
    ["ari-1.xml", "<Nights>1</Nights>", "<Nights>1</Nigths>"],
  ] as const) {
    using feed = new BuiltFeed(STATE);
    changed(feed, file, (bytes) => void bytes.write(to, bytes.indexOf(from)));
    expect(feed.verified(resummed(feed))).toMatchObject({ reason: "not_well_formed" });
  }
});

test("one element more or fewer than counted is detected", () => {
  using feed = new BuiltFeed(STATE);
  const { list, ari } = feed.manifest;
  const [set] = ari.sets;
  const more = (counts: readonly number[]) => counts.with(3, counts[3]! + 1);
  for (const [tag, over] of [
    ["<listing>", { list: { ...list, listings: list.listings + 1 } }],
    ["<PropertyDataSet>", { ari: { ...ari, properties: ari.properties - 1 } }],
    ["<Result>", { ari: { ...ari, sets: [{ ...set!, results: more(set!.results) }] } }],
    ["<RoomBundle>", { ari: { ...ari, sets: [{ ...set!, bundles: more(set!.bundles) }] } }],
  ] as const) {
    const fault = feed.verified({ ...feed.manifest, ...over });
    expect(fault?.reason).toBe("count_mismatch");
    expect(fault?.detail).toContain(`${tag}, `);
  }
});
