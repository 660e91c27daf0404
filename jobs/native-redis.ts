/**
 * Bun's own Redis client, for the path of every write: a command costs about a third of what it
 * costs by ioredis. It keeps what ioredis gave: who sends while Redis is away is refused at once, a
 * Redis that is silent counts as away, and it connects again for ever and then hears its channels
 * again. What was under way when the connection broke is rejected and may have been executed.
 */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BunRedisRawClient, createBunRedisClient, type IRedisClient } from "bullmq";
import type { Service } from "../engine/shell/service.ts";

/** Where Redis listens: a unix socket, or a `redis://` or `rediss://` address. */
export type RedisTarget = { readonly path: string } | { readonly url: string };

const CONNECT_MS_MAX = 2_000;
const RETRY_MS = 20;
const RETRY_MS_MAX = 1_000;
/** A Redis that is silent, not gone, must not keep a client waiting past its own deadline. */
const SILENCE_MS = 2_500;
/** Looks for an answer until a Redis counts as silent. */
const LOOKS = 5;

type Argument = string | Buffer;
type Listener = (text: string) => void;

export interface NativeRedisOptions {
  readonly target: RedisTarget;
  /** After so long without an answer it counts as away; 2.5 s unless given. */
  readonly silenceMs?: number;
  readonly onError: (error: Error) => void;
}

/** One connection that takes commands or hears channels, or both. */
export class NativeRedis implements Service {
  readonly id = "native redis";
  readonly #options: NativeRedisOptions;
  readonly #address: Address;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #timer: Timer;
  /** What the present connection was asked to hear. */
  #heard = new Set<string>();
  #client: Bun.RedisClient;
  #connecting: Promise<void>;
  #isClosed = false;
  /** Looks in a row at which an answer was still missing; 0 when none is. */
  #silentLooks = 0;
  #forBullMq: IRedisClient | null = null;

  /** Begins to connect. */
  constructor(options: NativeRedisOptions) {
    this.#options = options;
    this.#address = addressOf(options.target);
    this.#client = this.#newClient();
    this.#connecting = this.#connect();
    this.#timer = setInterval(() => this.#watch(), this.#silenceMs / LOOKS);
  }

  /** Resolves when it is connected, or closed. */
  ready(): Promise<void> {
    return this.#connecting;
  }

  /** Rejects at once while Redis is away. Commands of one turn of the loop are one write. */
  send<T = unknown>(command: string, args: readonly Argument[]): Promise<T> {
    return this.#client.send(command, args as string[]) as Promise<T>;
  }

  /** Calls `listener` with what is published on a channel; resolves when it is heard. */
  async subscribe(channel: string, listener: Listener): Promise<void> {
    const others = this.#listeners.get(channel);
    this.#listeners.set(channel, new Set([...(others ?? []), listener]));
    if (others !== undefined) return this.ready();
    await this.ready();
    // Connected only now, it hears the channel already: asked twice, it would tell all twice.
    if (this.#heard.has(channel)) return;
    const client = this.#client;
    try {
      this.#heard.add(channel);
      await client.subscribe(channel, this.#hear);
    } catch (error) {
      // Whoever connects again also hears this channel.
      if (client.connected) throw error;
      await this.ready();
    }
  }

  /** Calls `listener` no more; the channel itself is heard until the end. */
  unsubscribe(channel: string, listener: Listener): void {
    this.#listeners.get(channel)?.delete(listener);
  }

  /**
   * The same connection for BullMQ's scripts. To BullMQ it is always there: it must neither wait
   * for Redis nor connect by itself.
   */
  get forBullMq(): IRedisClient {
    if (this.#forBullMq !== null) return this.#forBullMq;
    const raw: BunRedisRawClient = {
      connected: true,
      connect: () => Promise.resolve(),
      close: () => {},
      send: (command, args) => this.send(command, args),
      get: (key) => this.send("GET", [key]),
      smembers: (key) => this.send("SMEMBERS", [key]),
      incr: (key) => this.send("INCR", [key]),
    };
    this.#forBullMq = createBunRedisClient(raw);
    return this.#forBullMq;
  }

  /** Another connection to the same Redis, for commands that may block for so long. */
  blockingCopy(blocksMs: number): NativeRedis {
    return new NativeRedis({ ...this.#options, silenceMs: this.#silenceMs + blocksMs });
  }

  stop(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#client.close();
    this.#address.forget();
  }

  get #silenceMs(): number {
    return this.#options.silenceMs ?? SILENCE_MS;
  }

  readonly #hear = (text: string, channel: string) => {
    for (const listener of this.#listeners.get(channel) ?? []) listener(text);
  };

  #newClient(): Bun.RedisClient {
    return new Bun.RedisClient(this.#address.url, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: CONNECT_MS_MAX,
    });
  }

  /** A new client for each attempt: one that broke still has its subscriptions, twice after. */
  async #connect(): Promise<void> {
    for (let attempt = 0; !this.#isClosed; attempt += 1) {
      const client = this.#newClient();
      // Bun's own limit ends with the greeting; a Redis may fall silent after it.
      const late = setTimeout(() => client.close(), CONNECT_MS_MAX);
      try {
        await client.connect();
        const heard = new Set(this.#listeners.keys());
        for (const channel of heard) await client.subscribe(channel, this.#hear);
        if (!client.connected) throw new Error("redis closed the connection");
        if (this.#isClosed) return client.close();
        client.onclose = (error) => this.#lose(error);
        this.#client = client;
        this.#heard = heard;
        this.#silentLooks = 0;
        return;
      } catch (error) {
        client.close();
        this.#options.onError(error as Error);
        await Bun.sleep(Math.min(RETRY_MS * 2 ** Math.min(attempt, 6), RETRY_MS_MAX));
      } finally {
        clearTimeout(late);
      }
    }
  }

  #lose(error: Error): void {
    if (this.#isClosed) return;
    this.#options.onError(error);
    this.#connecting = this.#connect();
  }

  /**
   * Answers come in order, so one to a PING says that nothing before it is missing. Looks are
   * counted, not milliseconds: after a loop that stood still the answer is there, only unread.
   */
  #watch(): void {
    const client = this.#client;
    if (!client.connected) return;
    if (this.#silentLooks === 0) {
      this.#silentLooks = 1;
      const answered = () => {
        if (this.#client === client) this.#silentLooks = 0;
      };
      client.send("PING", []).then(answered, () => {});
      return;
    }
    this.#silentLooks += 1;
    if (this.#silentLooks <= LOOKS) return;
    this.#options.onError(new Error(`redis was silent for ${this.#silenceMs} ms`));
    client.close();
  }
}

interface Address {
  readonly url: string;
  readonly forget: () => void;
}

/**
 * Bun takes a socket's path as a URL writes it, so one with a space, a letter beyond ASCII, `#` or
 * `?` would be another path: it is reached by a link in a folder of our own.
 */
function addressOf(target: RedisTarget): Address {
  if ("url" in target) return { url: target.url, forget: () => {} };
  const { path } = target;
  const url = `redis+unix://${path}`;
  if (new URL(url).pathname === path) return { url, forget: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "innkeep-redis-"));
  const link = join(folder, "redis.sock");
  symlinkSync(path, link);
  return {
    url: `redis+unix://${link}`,
    forget: () => rmSync(folder, { recursive: true, force: true }),
  };
}
