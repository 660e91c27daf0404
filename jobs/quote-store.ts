/**
 * Quotes live in Redis: a quote is a price, not a reservation, so losing Redis loses nothing that
 * was promised (an authentic but lost quote id answers `quote_not_found` or `quote_expired`).
 * They are immutable, so each process keeps those it has seen lately.
 */
import type { Redis } from "ioredis";
import type { FrozenQuote } from "../engine/core/quote.ts";
import { quoteText } from "../engine/core/quote-codec.ts";
import type { Mode } from "../engine/core/supply.ts";
import { every, type Service } from "../engine/shell/service.ts";
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

interface Asked {
  readonly key: string;
  readonly resolve: (text: string | null) => void;
  readonly reject: (error: NoOutcome) => void;
}

/** The quotes of an installation. */
export class QuoteStore implements Service {
  readonly id = "quote store";
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #cache = new Map<string, string>();
  readonly #timer = every(this.id, MEMORY_CHECK_MS, () => void this.#checkMemory());
  /** Look-ups of this turn of the loop, answered by one MGET. */
  #asked: Asked[] = [];
  #isMemoryShort = false;

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /** From now on it knows how full Redis is. */
  start(): void {
    this.#timer.start();
  }

  stop(): void {
    this.#timer.stop();
  }

  /**
   * Stores a quote. Returns false when the agent already has `openMax` open ones.
   *
   * @throws NoOutcome when Redis is down or short of memory.
   */
  async put(quote: FrozenQuote, nowMs: number, openMax: number | null): Promise<boolean> {
    if (this.#isMemoryShort) throw new NoOutcome("redis", "redis is short of memory");
    const ttlMs = quote.expires_at - nowMs + GRACE_MS;
    const text = quoteText(quote);
    const key = this.#key(quote.tenant_id, quote.mode, quote.quote_id);
    try {
      if (openMax === null) await this.#redis.set(key, text, "PX", ttlMs);
      else {
        const open = `${this.#prefix}:open-quotes:${quote.agent_id}`;
        const args = [text, ttlMs, quote.quote_id, nowMs, quote.expires_at, openMax];
        if ((await this.#redis.eval(PUT_CAPPED, 2, key, open, ...args)) === 0) return false;
      }
    } catch (error) {
      throw new NoOutcome("redis", String(error));
    }
    this.#remember(key, text);
    return true;
  }

  /**
   * The text of a tenant's quote (see `quote-codec.ts`), or null.
   *
   * @throws NoOutcome when Redis is down and the quote is not at hand.
   */
  async get(tenantId: string, mode: Mode, quoteId: string): Promise<string | null> {
    const key = this.#key(tenantId, mode, quoteId);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    return new Promise((resolve, reject) => {
      if (this.#asked.length === 0) setImmediate(() => void this.#answerAsked());
      this.#asked.push({ key, resolve, reject });
    });
  }

  async #answerAsked(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const found = await this.#redis.mget(asked.map(({ key }) => key));
      for (const [i, { key, resolve }] of asked.entries()) {
        const text = found[i] ?? null;
        if (text !== null) this.#remember(key, text);
        resolve(text);
      }
    } catch (error) {
      for (const { reject } of asked) reject(new NoOutcome("redis", String(error)));
    }
  }

  #key(tenantId: string, mode: Mode, quoteId: string): string {
    return `${this.#prefix}:quote:${tenantId}:${mode}:${quoteId}`;
  }

  #remember(key: string, text: string): void {
    if (this.#cache.size >= CACHED_MAX) {
      const oldest = this.#cache.keys().next().value;
      if (oldest !== undefined) this.#cache.delete(oldest);
    }
    this.#cache.set(key, text);
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
