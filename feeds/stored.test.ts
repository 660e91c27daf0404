/** Documents read from intact and from damaged files. */
import { expect, test } from "bun:test";
import { readdirSync, readlinkSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { BuiltFeed, liveState, oddHotels } from "../test/support/feeds.ts";

const STATE = liveState(oddHotels().slice(2));

const read = (body: ReadableStream<Uint8Array>) => new Response(body).arrayBuffer();

/** Files below a directory that this process has open. */
function openIn(directory: string): string[] {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(directory);
    } catch {
      return false;
    }
  });
}

test("an abandoned read closes the file of the document", async () => {
  using feed = new BuiltFeed(STATE);
  const reader = feed.stored(90).body().getReader();
  await reader.read();
  await reader.read();
  expect(openIn(feed.directory)).toHaveLength(1);
  await reader.cancel();
  expect(openIn(feed.directory)).toEqual([]);
  await read(feed.stored(90).body());
  expect(openIn(feed.directory)).toEqual([]);
});

test("a begun read continues after its run is removed, and a later one fails", async () => {
  using feed = new BuiltFeed(STATE);
  const whole = await feed.text(90);
  const reader = feed.stored(90).body().getReader();
  const [first, second] = [await reader.read(), await reader.read()];
  rmSync(feed.directory, { recursive: true });
  const chunks = [first.value!, second.value!];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
  }
  expect(Buffer.concat(chunks).toString()).toBe(whole);
  await expect(read(feed.stored(90).body())).rejects.toThrow("ENOENT");
});

test("a shortened file never looks like a whole document", async () => {
  using feed = new BuiltFeed(STATE);
  const { list } = feed.manifest;
  truncateSync(join(feed.directory, list.file), list.bytes - 1);
  await expect(read(feed.stored("list").body())).rejects.toThrow(`ends before byte ${list.bytes}`);
});

test("a request for more days than a run has gets the days it has", () => {
  using feed = new BuiltFeed(STATE);
  expect(feed.stored(400).etag).toBe(feed.stored(90).etag);
});
