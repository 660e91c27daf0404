import { afterAll, expect, test } from "bun:test";
import { assertAllGood, bodyIndex, drive, type LoadResult } from "./load.ts";

const bodies = Array.from({ length: 100 }, (_, i) => JSON.stringify({ quote_id: `qé${i}` }));
const seen = new Map<string, string>();
const repeated: string[] = [];
const REFUSED = 7;

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const key = request.headers.get("idempotency-key") ?? "";
    if (seen.has(key)) repeated.push(key);
    seen.set(key, await request.text());
    return new Response("{}", { status: key === `key-${REFUSED}` ? 409 : 201 });
  },
});
afterAll(() => server.stop(true));

let result: LoadResult;

test("every request has its own key and the body that belongs to it", async () => {
  result = await drive({
    url: `${server.url}v1/holds`,
    method: "POST",
    connections: 4,
    seconds: 0.2,
    warmupRequests: 50,
    headers: { authorization: "Bearer x" },
    bodies,
    keyPrefix: "key-",
  });
  expect(seen.size).toBeGreaterThan(100);
  expect(repeated).toEqual([]);
  const wrong = [...seen].filter(([key, body]) => {
    const n = Number(key.slice("key-".length));
    return !(n < result.sent) || body !== bodies[bodyIndex(n, bodies.length)];
  });
  expect(wrong).toEqual([]);
});

test("every request sent and not listed as unacknowledged was answered with 2xx", () => {
  const open = new Set(result.unacknowledged);
  expect(open.has(REFUSED)).toBe(true);
  // Each of the 4 connections is cut off in the middle of one request, twice.
  expect(open.size).toBeLessThanOrEqual(1 + 4 * 2);
  const sent = Array.from({ length: result.sent }, (_, n) => n);
  expect(sent.filter((n) => !open.has(n) && !seen.has(`key-${n}`))).toEqual([]);
});

test("the figures of a run are consistent", () => {
  const { requestsPerSecond, p50Ms, p99Ms, p999Ms } = result;
  expect(requestsPerSecond).toBeGreaterThan(0);
  expect(p50Ms).toBeGreaterThan(0);
  expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
  expect(p999Ms).toBeGreaterThanOrEqual(p99Ms);
  expect(result.generatorCpuMicros).toBeGreaterThan(0);
  expect(result.errors).toBe(0);
  const answered = Object.values(result.statusCounts).reduce((sum, count) => sum + count, 0);
  expect(answered).toBeLessThanOrEqual(result.sent);
});

test("a GET has no body, and the warm-up is a number of requests, not a duration", async () => {
  const WARMUP = 151;
  const gets = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const isBare = request.method === "GET" && request.headers.get("content-length") === null;
      return new Response("{}", { status: isBare ? 200 : 400 });
    },
  });
  let hasStarted = false;
  const load = { method: "GET", connections: 2, headers: {}, bodies: [] } as const;
  const timing = { seconds: 0.2, warmupRequests: WARMUP };
  const got = await drive({ url: `${gets.url}v1/x`, ...load, ...timing }, () => {
    hasStarted = true;
  });
  await gets.stop(true);
  expect(Object.keys(got.statusCounts)).toEqual(["200"]);
  expect(hasStarted).toBe(true);
  // Beside the warm-up, what no answer counts for is one that each connection had under way.
  expect(got.sent - got.answers).toBeWithin(WARMUP, WARMUP + load.connections + 1);
  expect(() => assertAllGood("gets", got)).not.toThrow();
});

test("an answer that is not 2xx is not good", () => {
  const refused = { ...result, statusCounts: { "201": 8, "409": 1 } };
  expect(() => assertAllGood("holds", refused)).toThrow("409");
});
