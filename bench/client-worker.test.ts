import { afterAll, expect, test } from "bun:test";
import { driveClient } from "./load.ts";

const GATHERED = 5;
const REFUSED_KEY = "k3";
const held = new Map<string, string>();
let waiting: (() => void)[] = [];

/** Answers only when five requests wait: a client that waits for its answers would never end. */
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const key = request.headers.get("idempotency-key") ?? "";
    const { quote_id } = (await request.json()) as { quote_id: string };
    held.set(key, quote_id);
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length < GATHERED) return;
      for (const answer of waiting) answer();
      waiting = [];
    });
    return new Response("{}", { status: key === REFUSED_KEY ? 409 : 201 });
  },
});
afterAll(() => server.stop(true));

test("holds are sent on schedule, whether or not earlier ones were answered", async () => {
  const result = await driveClient({
    ...{ kind: "steady", baseUrl: `http://127.0.0.1:${server.port}`, secret: "x", keyPrefix: "k" },
    ...{ quoteIds: ["a", "b", "c"], perSecond: 100, seconds: 0.1, warmupSeconds: 0.1 },
  });
  expect(held.size).toBe(20);
  expect([...held].slice(0, 4).map(([, quoteId]) => quoteId)).toEqual(["a", "b", "c", "a"]);
  expect(result.answers).toBe(10);
  expect(result.statusCounts).toEqual({ 201: 10 });
  expect(result.keys.toSorted()).toEqual(
    [...held.keys()].filter((key) => key !== REFUSED_KEY).toSorted(),
  );
  expect(result.p99Ms).toBeGreaterThanOrEqual(result.p50Ms);
});
