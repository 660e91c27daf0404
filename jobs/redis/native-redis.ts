/**
 * Bun's Redis client for the path of every write; a command costs a third of one by ioredis. It
 * behaves as ioredis did: commands fail at once while Redis is away, a silent Redis counts as away,
 * and it reconnects without end and subscribes again. Commands in flight when the connection breaks
 * are rejected and may have been executed. With sentinels each attempt asks them for the primary,
 * and a connection to a server that is no longer the primary is given up.
 */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BunRedisRawClient, createBunRedisClient, type IRedisClient } from "bullmq";
import type { Service } from "../../src/lib/service.ts";
import { findPrimary } from "./redis-check.ts";
import type { RedisTarget, SentinelTarget } from "./redis-target.ts";

const CONNECT_MS_MAX = 2_000;
const RETRY_MS = 20;
const RETRY_MS_MAX = 1_000;
/** Shorter than a client's own deadline. */
export const SILENCE_MS = 2_500;
/** Checks for an answer until a Redis counts as silent. */
const LOOKS = 5;

type Argument = string | Buffer;
type Listener = (text: string) => void;

export interface NativeRedisOptions {
  readonly target: RedisTarget;
  /** Time without an answer until Redis counts as away; default 2.5 s. */
  readonly silenceMs?: number;
  readonly onError: (error: Error) => void;
}

/** One connection for commands, subscriptions or both. */
export class NativeRedis implements Service {
  readonly id = "native redis";
  readonly #options: NativeRedisOptions;
  readonly #address: Address;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #timer: Timer;
  /** Channels subscribed on the current connection. */
  #heard = new Set<string>();
  /** Null before the first connection. */
  #client: Bun.RedisClient | null = null;
  #connecting: Promise<void>;
  #isClosed = false;
  /** Consecutive checks with a missing answer. */
  #silentLooks = 0;
  #forBullMq: IRedisClient | null = null;

  /** Starts to connect. */
  constructor(options: NativeRedisOptions) {
    this.#options = options;
    this.#address = addressOf(options.target);
    this.#connecting = this.#connect();
    this.#timer = setInterval(() => this.#watch(), this.#silenceMs / LOOKS);
  }

  /** Resolves when connected or closed. */
  ready(): Promise<void> {
    return this.#connecting;
  }

  /** Rejects at once while Redis is away. Commands of one turn of the loop are one write. */
  send<T = unknown>(command: string, args: readonly Argument[]): Promise<T> {
    if (this.#client === null) return Promise.reject(new Error("Connection is not open yet"));
    return this.#client.send(command, args as string[]) as Promise<T>;
  }

  /** Calls `listener` with each message of a channel; resolves when subscribed. */
  async subscribe(channel: string, listener: Listener): Promise<void> {
    const others = this.#listeners.get(channel);
    this.#listeners.set(channel, new Set([...(others ?? []), listener]));
    if (others !== undefined) return this.ready();
    await this.ready();
    // A reconnect has subscribed it already; a second subscription would deliver everything twice.
    const client = this.#client;
    if (client === null || this.#heard.has(channel)) return;
    try {
      this.#heard.add(channel);
      await client.subscribe(channel, this.#hear);
    } catch (error) {
      // The reconnect subscribes this channel too.
      if (client.connected) throw error;
      await this.ready();
    }
  }

  /** Removes a listener; the channel stays subscribed. */
  unsubscribe(channel: string, listener: Listener): void {
    this.#listeners.get(channel)?.delete(listener);
  }

  /**
   * The same connection for BullMQ's scripts. To BullMQ it always looks connected: BullMQ must
   * neither wait for Redis nor connect by itself.
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

  /** Another connection to the same Redis, for commands that block for up to `blocksMs`. */
  blockingCopy(blocksMs: number): NativeRedis {
    return new NativeRedis({ ...this.#options, silenceMs: this.#silenceMs + blocksMs });
  }

  stop(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#client?.close();
    this.#address.forget();
  }

  get #silenceMs(): number {
    return this.#options.silenceMs ?? SILENCE_MS;
  }

  readonly #hear = (text: string, channel: string) => {
    for (const listener of this.#listeners.get(channel) ?? []) listener(text);
  };

  async #connect(): Promise<void> {
    for (let attempt = 0; !this.#isClosed; attempt += 1) {
      try {
        return await this.#tryConnect();
      } catch (error) {
        this.#options.onError(error as Error);
        await Bun.sleep(Math.min(RETRY_MS * 2 ** Math.min(attempt, 6), RETRY_MS_MAX));
      }
    }
  }

  /** Uses a new client per attempt: a broken one would subscribe its channels again. */
  async #tryConnect(): Promise<void> {
    const client = new Bun.RedisClient(await this.#address.find(), {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: CONNECT_MS_MAX,
    });
    // Bun's limit covers only the handshake; Redis may fall silent after it.
    const late = setTimeout(() => client.close(), CONNECT_MS_MAX);
    try {
      await client.connect();
      if ("sentinels" in this.#options.target) await this.#look(client);
      const heard = new Set(this.#listeners.keys());
      for (const channel of heard) await client.subscribe(channel, this.#hear);
      if (!client.connected) throw new Error("redis closed the connection");
      if (this.#isClosed) return client.close();
      client.onclose = (error) => this.#lose(error);
      this.#client = client;
      this.#heard = heard;
      this.#silentLooks = 0;
    } catch (error) {
      client.close();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  #lose(error: Error): void {
    if (this.#isClosed) return;
    this.#options.onError(error);
    this.#connecting = this.#connect();
  }

  /**
   * Answers come in order, so an answer to PING means that no earlier one is missing. Checks are
   * counted instead of milliseconds: after a blocked loop the answer may have arrived unread.
   */
  #watch(): void {
    const client = this.#client;
    if (!client?.connected) return;
    if (this.#silentLooks === 0) {
      this.#silentLooks = 1;
      const answered = () => {
        if (this.#client === client) this.#silentLooks = 0;
      };
      this.#look(client).then(answered, () => {});
      return;
    }
    this.#silentLooks += 1;
    if (this.#silentLooks <= LOOKS) return;
    this.#options.onError(new Error(`redis was silent for ${this.#silenceMs} ms`));
    client.close();
  }

  /** Rejects at a former primary: to its clients it counts as silent. */
  async #look(client: Bun.RedisClient): Promise<void> {
    if (!("sentinels" in this.#options.target)) return client.send("PING", []);
    const [role] = (await client.send("ROLE", [])) as [string];
    if (role !== "master") throw new Error(`redis is not the primary, but a ${role}`);
  }
}

interface Address {
  /** The URL to connect to now. */
  readonly find: () => string | Promise<string>;
  readonly forget: () => void;
}

/**
 * Bun reads a socket's path like a URL, so a path with a space, a non-ASCII letter, `#` or `?`
 * would be another path. Such a socket is reached by a link in a temporary folder.
 */
function addressOf(target: RedisTarget): Address {
  if ("url" in target) return { find: () => target.url, forget: () => {} };
  if ("sentinels" in target) return { find: () => primaryOf(target), forget: () => {} };
  const { path } = target;
  const url = `redis+unix://${path}`;
  if (new URL(url).pathname === path) return { find: () => url, forget: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "innkeep-redis-"));
  const link = join(folder, "redis.sock");
  symlinkSync(path, link);
  return {
    find: () => `redis+unix://${link}`,
    forget: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function primaryOf(target: SentinelTarget): Promise<string> {
  const found = await findPrimary(target);
  if ("trouble" in found) throw new Error(`no primary of Redis: ${found.trouble.problem}`);
  return found.answer;
}
