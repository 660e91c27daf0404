/**
 * Quotes in Redis. A quote is a price, not a reservation, so losing Redis breaks no promise (a lost
 * but authentic id answers `quote_not_found` or `quote_expired`). Quotes are immutable, so each
 * process caches them. Each has a MAC bound to its key, which protects its price.
 */

import { GenerationalCache } from "../../engine/core/generational-cache.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import { quoteText } from "../../engine/core/price/quote-codec.ts";
import type { Mode } from "../../engine/core/supply.ts";
import { every, type Service } from "../../src/lib/service.ts";
import type { MessageMacs } from "../redis/message-macs.ts";
import type { NativeRedis } from "../redis/native-redis.ts";
import { NoOutcome } from "./submitter.ts";

/** The body is kept this long after the quote expires. */
const GRACE_MS = 3_600_000;
const CACHED_MAX = 50_000;
/** Quote writes stop above this share of `maxmemory`, so that quotes never block inventory. */
const MEMORY_SHARE_MAX = 0.7;
const MEMORY_CHECK_MS = 1_000;

/** KEYS: quote, open set. ARGV: body, ttl ms, id, now, expires, cap. Returns 0 over the cap. */
const PUT_CAPPED = `
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[4])
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[6]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1`;

/** A quote to write. */
interface Sent {
  readonly key: string;
  /** The quote's text with its MAC. */
  readonly message: string;
  readonly ttlMs: number;
  /** The agent's set of open quotes; null without a limit. */
  readonly counted: { readonly set: string; readonly args: readonly (string | number)[] } | null;
  /** False when the agent has its maximum of open quotes. */
  readonly resolve: (isKept: boolean) => void;
  readonly reject: (error: NoOutcome) => void;
}

interface Asked {
  readonly key: string;
  readonly resolve: (text: string | null) => void;
  readonly reject: (error: NoOutcome) => void;
}

/** The quotes of an installation. */
export class QuoteStore implements Service {
  readonly id = "quote store";
  readonly #redis: NativeRedis;
  readonly #prefix: string;
  readonly #macs: MessageMacs;
  readonly #cache = new GenerationalCache<string, string>(CACHED_MAX / 2);
  readonly #timer = every(this.id, MEMORY_CHECK_MS, () => void this.#checkMemory());
  /** Look-ups that are waiting for the next MGET. */
  #asked: Asked[] = [];
  #isAsking = false;
  /** Quotes of this turn of the loop, sent in one write because a write is most of the cost. */
  #sent: Sent[] = [];
  #isMemoryShort = false;

  constructor(redis: NativeRedis, prefix: string, macs: MessageMacs) {
    this.#redis = redis;
    this.#macs = macs;
    this.#prefix = prefix;
  }

  /** Starts to watch Redis' memory. */
  start(): void {
    this.#timer.start();
  }

  stop(): void {
    this.#timer.stop();
  }

  /**
   * Stores a new quote. Returns false when the agent already has `openMax` open ones. `nowMs` is
   * engine time.
   *
   * @throws NoOutcome when Redis is down or short of memory.
   */
  async put(quote: FrozenQuote, nowMs: number, openMax: number | null): Promise<boolean> {
    if (this.#isMemoryShort) throw new NoOutcome("redis", "redis is short of memory");
    const { tenant_id, mode, quote_id, agent_id, created_at, expires_at } = quote;
    // Its own instants may be those of a test clock.
    const openMs = expires_at - created_at;
    const key = this.#key(tenant_id, mode, quote_id);
    const text = quoteText(quote);
    const message = this.#macs.write("quotes", key, text);
    const counted =
      openMax === null
        ? null
        : {
            set: `${this.#prefix}:open-quotes:${agent_id}`,
            args: [quote_id, nowMs, nowMs + openMs, openMax],
          };
    const isKept = await new Promise<boolean>((resolve, reject) => {
      if (this.#sent.length === 0) setImmediate(() => this.#write());
      const ttlMs = openMs + GRACE_MS;
      this.#sent.push({ key, message, ttlMs, counted, resolve, reject });
    });
    if (isKept) this.#cache.set(key, text);
    return isKept;
  }

  #write(): void {
    const sent = this.#sent;
    this.#sent = [];
    for (const { key, message, ttlMs, counted, resolve, reject } of sent) {
      const ttl = String(ttlMs);
      const args = counted && ["2", key, counted.set, message, ttl, ...counted.args.map(String)];
      const writing =
        args === null
          ? this.#redis.send("SET", [key, message, "PX", ttl])
          : this.#redis.send("EVAL", [PUT_CAPPED, ...args]);
      const failed = (error: unknown) => reject(new NoOutcome("redis", String(error)));
      writing.then((answer) => resolve(answer !== 0), failed);
    }
  }

  /**
   * The text of a tenant's quote (see `quote-codec.ts`); null when it is missing or has a wrong
   * MAC.
   *
   * @throws NoOutcome when Redis is down and the quote is not cached.
   */
  get(tenantId: string, mode: Mode, quoteId: string): Promise<string | null> {
    const key = this.#key(tenantId, mode, quoteId);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return Promise.resolve(cached);
    return new Promise((resolve, reject) => {
      this.#asked.push({ key, resolve, reject });
      if (!this.#isAsking) this.#askSoon();
    });
  }

  #askSoon(): void {
    this.#isAsking = true;
    setImmediate(() => void this.#answerAsked());
  }

  async #answerAsked(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const keys = asked.map(({ key }) => key);
      const found = await this.#redis.send<readonly (string | null)[]>("MGET", keys);
      for (const [i, { key, resolve }] of asked.entries()) {
        const message = found[i] ?? null;
        const text = message === null ? null : this.#macs.read("quotes", key, message);
        if (text !== null) this.#cache.set(key, text);
        resolve(text);
      }
    } catch (error) {
      for (const { reject } of asked) reject(new NoOutcome("redis", String(error)));
    }
    this.#isAsking = false;
    if (this.#asked.length > 0) this.#askSoon();
  }

  #key(tenantId: string, mode: Mode, quoteId: string): string {
    return `${this.#prefix}:quote:${tenantId}:${mode}:${quoteId}`;
  }

  async #checkMemory(): Promise<void> {
    try {
      const info = await this.#redis.send<string>("INFO", ["memory"]);
      const value = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1]);
      const limit = value("maxmemory");
      this.#isMemoryShort = limit > 0 && value("used_memory") > limit * MEMORY_SHARE_MAX;
    } catch {
      // Redis is down: writes fail on their own.
    }
  }
}
