/**
 * Quotes live in Redis: a quote is a price, not a reservation, so losing Redis loses nothing that
 * was promised (an authentic but lost quote id answers `quote_not_found` or `quote_expired`).
 * They are immutable, so each process keeps those it has seen lately.
 */
import type { Redis } from "ioredis";
import type { FrozenQuote } from "../engine/core/quote.ts";
import { NoOutcome } from "./submitter.ts";

/** The body is kept this long past the quote's expiry (rules §6). */
const GRACE_MS = 3_600_000;
const CACHED_MAX = 50_000;
/** Quote writes stop above this share of `maxmemory`, so that quotes never stop inventory. */
const MEMORY_SHARE_MAX = 0.7;
const MEMORY_CHECK_MS = 1_000;

/** KEYS: quote, open set. ARGV: body, ttl ms, id, now, expires, cap. 0 when over the cap. */
const PUT_CAPPED = `
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[4])
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[6]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1`;

export class QuoteStore {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #cache = new Map<string, FrozenQuote>();
  readonly #timer: ReturnType<typeof setInterval>;
  #isMemoryShort = false;

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#timer = setInterval(() => void this.#checkMemory(), MEMORY_CHECK_MS);
  }

  /**
   * Stores a quote. Returns false when the agent already has `openMax` open ones.
   *
   * @throws NoOutcome when Redis is down or short of memory.
   */
  async put(quote: FrozenQuote, nowMs: number, openMax: number | null): Promise<boolean> {
    if (this.#isMemoryShort) throw new NoOutcome("redis", "redis is short of memory");
    const ttlMs = quote.expires_at - nowMs + GRACE_MS;
    const body = JSON.stringify(quote);
    const key = this.#key(quote.quote_id);
    try {
      if (openMax === null) await this.#redis.set(key, body, "PX", ttlMs);
      else {
        const open = `${this.#prefix}:open-quotes:${quote.agent_id}`;
        const args = [body, ttlMs, quote.quote_id, nowMs, quote.expires_at, openMax];
        if ((await this.#redis.eval(PUT_CAPPED, 2, key, open, ...args)) === 0) return false;
      }
    } catch (error) {
      throw new NoOutcome("redis", String(error));
    }
    this.#remember(quote);
    return true;
  }

  /**
   * A stored quote, or null.
   *
   * @throws NoOutcome when Redis is down and the quote is not at hand.
   */
  async get(quoteId: string): Promise<FrozenQuote | null> {
    const cached = this.#cache.get(quoteId);
    if (cached) return cached;
    let body: string | null;
    try {
      body = await this.#redis.get(this.#key(quoteId));
    } catch (error) {
      throw new NoOutcome("redis", String(error));
    }
    if (body === null) return null;
    const quote = JSON.parse(body) as FrozenQuote;
    this.#remember(quote);
    return quote;
  }

  /** A quote this process has seen lately; answers at once, so the hot path need not wait. */
  cached(quoteId: string): FrozenQuote | undefined {
    return this.#cache.get(quoteId);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #key(quoteId: string): string {
    return `${this.#prefix}:quote:${quoteId}`;
  }

  #remember(quote: FrozenQuote): void {
    if (this.#cache.size >= CACHED_MAX) {
      const oldest = this.#cache.keys().next().value;
      if (oldest !== undefined) this.#cache.delete(oldest);
    }
    this.#cache.set(quote.quote_id, quote);
  }

  async #checkMemory(): Promise<void> {
    try {
      const info = await this.#redis.info("memory");
      const value = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1]);
      const limit = value("maxmemory");
      this.#isMemoryShort = limit > 0 && value("used_memory") > limit * MEMORY_SHARE_MAX;
    } catch {
      // Down: writes fail on their own.
    }
  }
}
