/**
 * The quotes that are held again and again. They go straight into Redis instead of through 100,000
 * requests, frozen and stored by the code that the api uses.
 */

import { freezeQuote, type QuoteMaking } from "../engine/core/availability/quoting.ts";
import type { FrozenQuote } from "../engine/core/price/quote.ts";
import { findOffer, type State } from "../engine/core/state/state.ts";
import { Replica } from "../engine/log/replica.ts";
import { queuePrefix } from "../jobs/lanes/queues.ts";
import { QuoteStore } from "../jobs/lanes/quote-store.ts";
import { openConnections } from "../jobs/redis/connections.ts";
import { MessageMacs } from "../jobs/redis/message-macs.ts";
import type { KeyVersions } from "../src/access/privacy/key-versions.ts";
import { keyVersionsOf } from "../src/access/privacy/keychain.ts";
import { loadSecrets } from "../src/access/privacy/secrets.ts";
import { newQuoteId } from "../src/api/quotes/quote-id.ts";
import { journalPath, privateSocketPath } from "../src/config.ts";
import { installationOf } from "../src/lib/installation.ts";
import type { DemoFile } from "../src/ops/demo/demo-file.ts";
import { QUOTES } from "./baselines/peer2-seed.ts";
import { type Crowd, requestOf } from "./tenant.ts";

const QUOTE_TTL_MS = 86_400_000;
const PUTS_AT_ONCE = 1_000;

/** Everything of a quote's making but its id. */
export type Making = Omit<QuoteMaking, "quote_id" | "nowMs" | "ttlMs" | "sha256">;

/**
 * Freezes `count` quotes on the supply of `state`.
 *
 * @throws Error when the benchmark's supply is not in the state.
 */
export function freezeQuotes(
  state: State,
  making: Making,
  { crowd, count, keys }: { crowd: Crowd; count: number; keys: KeyVersions },
): FrozenQuote[] {
  const nowMs = Date.now();
  return Array.from({ length: count }, (_, i) => {
    const request = requestOf(i, crowd);
    const property = state.property(making, request.hotel_id);
    const offer = property && findOffer(property, request.room_type_id, request.rate_plan_id);
    if (!offer || typeof offer === "string") throw new Error("the supply is not seeded");
    const quote = freezeQuote(offer, request, {
      ...making,
      quote_id: newQuoteId(keys, making.tenant_id, nowMs),
      nowMs,
      ttlMs: QUOTE_TTL_MS,
      sha256: (text) => Bun.SHA256.hash(text, "hex") as string,
    });
    if (typeof quote === "string") throw new Error(quote);
    return quote;
  });
}

/** The demo agent's quotes on an installation's supply; nothing is stored yet. */
export function quotesFor(dataDir: string, demo: DemoFile, crowd: Crowd): FrozenQuote[] {
  const replica = new Replica(journalPath(dataDir));
  try {
    const { tenant_id, agent } = demo;
    const making: Making = { tenant_id, mode: "live", agent_id: agent.agent_id };
    const keys = keyVersionsOf(loadSecrets(dataDir, {}), "quotes");
    return freezeQuotes(replica.state, making, { crowd, count: QUOTES, keys });
  } finally {
    replica.close();
  }
}

/** Stores the quotes in the running installation of `dataDir`. Throws when Redis refuses one. */
export async function storeQuotes(
  dataDir: string,
  journalId: string,
  quotes: readonly FrozenQuote[],
): Promise<void> {
  const target = { path: privateSocketPath(dataDir) };
  const redis = await openConnections(target, ["hot"], () => {});
  const prefix = queuePrefix(installationOf(dataDir), journalId);
  const secret = keyVersionsOf(loadSecrets(dataDir, {}), "quotes");
  const store = new QuoteStore(redis.hot, prefix, new MessageMacs(secret, () => {}));
  store.start();
  try {
    for (let from = 0; from < quotes.length; from += PUTS_AT_ONCE) {
      const page = quotes.slice(from, from + PUTS_AT_ONCE);
      await Promise.all(page.map((quote) => store.put(quote, quote.created_at, null)));
    }
  } finally {
    store.stop();
    await redis.stop();
  }
}
