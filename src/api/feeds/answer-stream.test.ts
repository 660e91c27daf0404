/** Goal: an answer comes whole, whatever a piece takes. Method: pieces that take their time. */
import { expect, test } from "bun:test";
import { streamOf } from "./answer-stream.ts";

/** Longer than the time before other requests get a turn. */
const LONG_MS = 8;
const LIMIT_MS = 10_000;

function* slowly(pieces: readonly string[]): Generator<string, void> {
  for (const piece of pieces) {
    Bun.sleepSync(LONG_MS);
    yield piece;
  }
}

for (const encoding of ["identity", "gzip"] as const) {
  test(`slow and empty pieces come to their end, ${encoding}`, async () => {
    let left = 0;
    const pieces = ["<a>", "", "", "</a>", "", ""];
    const body = streamOf(slowly(pieces), encoding, () => left++);
    const late = Bun.sleep(LIMIT_MS).then(() => [Buffer.from("stands still")]);
    const read = await Promise.race([Array.fromAsync(body), late]);
    const sent = Buffer.concat(read as Uint8Array[]);
    const text = encoding === "gzip" ? Bun.gunzipSync(sent) : sent;
    expect(new TextDecoder().decode(text)).toBe("<a></a>");
    expect(left).toBe(1);
  });
}

test("an answer that nobody reads is not made, and one that breaks leaves its place", async () => {
  let made = 0;
  let left = 0;
  function* endless(): Generator<string, void> {
    for (; made < 1_000; made += 1) yield "x".repeat(100_000);
    throw new Error("broken");
  }
  const stream = streamOf(endless(), "identity", () => left++);
  await Bun.sleep(0);
  expect(made).toBeLessThan(4);
  expect(left).toBe(0);
  const reading = new Response(stream).bytes();
  expect(await reading.catch((error: unknown) => error)).toEqual(new Error("broken"));
  expect(left).toBe(1);
});
