/** Goal: quotes written together are judged one by one. Method: a real Redis. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import { quoteText } from "../../engine/core/price/quote-codec.ts";
import { logger } from "../../src/lib/log.ts";
import { type RedisProcess, startRedis } from "../../src/ops/supervisor/redis-server.ts";
import { frozenQuote, NOON, propertyTree, QUOTE_TTL_MS } from "../../test/support/builders.ts";
import { macsOf } from "../../test/support/macs.ts";
import { openConnections } from "../redis/connections.ts";
import { QuoteStore } from "./quote-store.ts";
import { NoOutcome } from "./submitter.ts";

const TREE = propertyTree();
const MACS = macsOf();
const dataDir = mkdtempSync(join(tmpdir(), "quote-store-"));
let redis: RedisProcess;
beforeAll(async () => {
  redis = await startRedis({
    dataDir,
    maxMemoryMb: 32,
    log: logger("test", { logLevel: "error" }),
  });
});
afterAll(async () => {
  await redis.stop();
  rmSync(dataDir, { recursive: true });
});

test("each of several simultaneous quotes is kept or refused by its own agent's limit", async () => {
  const { producer, hot, stop } = await openConnections(redis, ["producer", "hot"], () => {});
  const store = new QuoteStore(hot, "test", MACS);
  const of = (agent_id: string) => frozenQuote(TREE, { agent_id });
  const quotes = [of("ann"), of("bob"), of("ann"), of("free"), of("ann"), of("bob"), of("free")];
  const limits: Readonly<Record<string, number | null>> = { ann: 2, bob: 1, free: null };
  const kept = await Promise.all(
    quotes.map((quote) => store.put(quote, NOON, limits[quote.agent_id]!)),
  );
  expect(kept).toEqual([true, true, true, true, false, false, true]);
  const other = new QuoteStore(hot, "test", MACS);
  const found = quotes.map(({ tenant_id, mode, quote_id }) => other.get(tenant_id, mode, quote_id));
  const texts = quotes.map((quote, i) => (kept[i] ? quoteText(quote) : null));
  expect(await Promise.all(found)).toEqual(texts);
  const own = quotes.map(({ tenant_id, mode, quote_id }) => store.get(tenant_id, mode, quote_id));
  expect(await Promise.all(own)).toEqual(texts);
  // A quote that is over is told from one that never was for an hour.
  for (const key of (await producer.keys("test:quote:*")).slice(0, 2)) {
    expect(await producer.pttl(key)).toBeWithin(QUOTE_TTL_MS + 3_590_000, QUOTE_TTL_MS + 3_600_001);
  }
  // A place is free again once a quote has expired.
  const late = frozenQuote(TREE, { agent_id: "bob", created_at: quotes[1]!.expires_at });
  expect(await store.put(late, late.created_at, 1)).toBe(true);
  stop();
});

test("look-ups wait for the one in progress and share the next one", async () => {
  const { producer, hot, stop } = await openConnections(redis, ["producer", "hot"], () => {});
  const store = new QuoteStore(hot, "test", MACS);
  const quotes = Array.from({ length: 6 }, () => frozenQuote(TREE));
  for (const quote of quotes) await store.put(quote, NOON, null);
  const fresh = new QuoteStore(hot, "test", MACS);
  const calls = async () =>
    Number(/cmdstat_mget:calls=(\d+)/.exec(await producer.info("commandstats"))?.[1] ?? 0);
  const before = await calls();
  redis.kill("SIGSTOP");
  const found: Promise<string | null>[] = [];
  for (const { tenant_id, mode, quote_id } of quotes) {
    found.push(fresh.get(tenant_id, mode, quote_id));
    await Bun.sleep(2);
  }
  redis.kill("SIGCONT");
  expect(await Promise.all(found)).toEqual(quotes.map((quote) => quoteText(quote)));
  expect((await calls()) - before).toBe(2);
  await stop();
});

test("a quote that others wrote, altered or moved is rejected and counted", async () => {
  const { producer, hot, stop } = await openConnections(redis, ["producer", "hot"], () => {});
  const [quote, dearer] = [frozenQuote(TREE), frozenQuote(TREE)];
  const { tenant_id, mode, quote_id } = quote;
  const keyOf = (of: FrozenQuote) => `test:quote:${of.tenant_id}:${of.mode}:${of.quote_id}`;
  await new QuoteStore(hot, "test", MACS).put(quote, NOON, null);
  await new QuoteStore(hot, "test", MACS).put(dearer, NOON, null);
  const message = (await producer.get(keyOf(quote)))!;
  const macs = macsOf();
  const read = async (stored: string) => {
    await producer.set(keyOf(quote), stored);
    return new QuoteStore(hot, "test", macs).get(tenant_id, mode, quote_id);
  };
  expect(await read(message)).toBe(quoteText(quote));
  const altered = message.replace(`|${quote.total}|`, `|${quote.total - 1}|`);
  expect(altered).not.toBe(message);
  const bad = ["", "garbage", "..", quoteText(quote), message.slice(0, -1), altered];
  const moved = (await producer.get(keyOf(dearer)))!;
  const others = macsOf(2).write("quotes", keyOf(quote), quoteText(quote));
  const asCommands = macs.write("commands", keyOf(quote), quoteText(quote));
  for (const stored of [...bad, moved, others, asCommands]) {
    expect([stored, await read(stored)]).toEqual([stored, null]);
  }
  const refused = { kind: "quotes", count: bad.length + 3, isRecent: true };
  expect(macs.refused()).toContainEqual(expect.objectContaining(refused));
  await stop();
});

test("without Redis each quote is refused and none is stored", async () => {
  const { hot, stop } = await openConnections(redis, ["hot"], () => {});
  const store = new QuoteStore(hot, "test", MACS);
  await redis.stop();
  const quotes = [frozenQuote(TREE), frozenQuote(TREE)];
  const told = quotes.map((quote, i) => store.put(quote, NOON, i === 0 ? null : 1));
  for (const { status, reason } of (await Promise.allSettled(told)) as PromiseRejectedResult[]) {
    expect([status, reason]).toEqual(["rejected", expect.any(NoOutcome)]);
  }
  const { tenant_id, mode, quote_id } = quotes[0]!;
  await expect(store.get(tenant_id, mode, quote_id)).rejects.toBeInstanceOf(NoOutcome);
  stop();
});
