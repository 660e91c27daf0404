/**
 * A lease on a Redis prefix: only its holder serves the lanes. Without it, two directories with the
 * same installation id (a cloned disk) would take each other's commands. Within one directory the
 * journal's epoch is the fence, so its next engine takes the lease at once. An engine of another
 * directory waits until the lease expires, or is refused if it is renewed.
 */
import { realpathSync } from "node:fs";
import { hostname } from "node:os";
import type { Redis } from "ioredis";
import { instantIso } from "../../engine/core/calendar.ts";
import { Fenced } from "../../engine/log/care/damage.ts";
import { bootId, SYSTEM_TIME } from "../../engine/log/system-time.ts";
import { every, type Service } from "../../src/lib/service.ts";

const LEASE_MS = 15_000;
const RENEWALS = 3;
const LOOK_EVERY_MS = 100;

/** The holder of a lease; `place` is the same for a directory until the next reboot. */
interface Holder {
  readonly token: string;
  readonly place: string;
  readonly host: string;
  readonly data_dir: string;
  readonly pid: number;
  readonly since: string;
}

/** KEYS: owner. ARGV: own text, own place, ms. Returns the holder's text and remaining ms. */
const TAKE = `
local held = redis.call('GET', KEYS[1])
if held and cjson.decode(held).place ~= ARGV[2] then
  return {held, redis.call('PTTL', KEYS[1])}
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return {}`;

/** KEYS: owner. ARGV: own text, ms. Returns the text of another holder, if there is one. */
const RENEW = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false`;

/** KEYS: owner. ARGV: own text. */
const GIVE_BACK = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/** Another directory serves this prefix; the message names it and the remedy. */
export class PrefixInUse extends Error {
  override readonly name = "PrefixInUse";

  constructor({ host, pid, data_dir, since }: Holder) {
    super(
      `redis_prefix_in_use: process ${pid} on ${host} serves this installation from ${data_dir} ` +
        `since ${since}: stop it; or, if this directory is a copy of that one, remove its ` +
        "installation.json, which makes it another installation",
    );
  }
}

export interface LeaseOptions {
  readonly producer: Redis;
  readonly prefix: string;
  readonly dataDir: string;
  /** Duration without renewal, 15 s by default; renewed three times in that time. */
  readonly leaseMs?: number;
  /** Another process holds the lease: take nothing more from the lanes. */
  readonly onLost: (fence: Fenced) => void;
  readonly onError: (error: unknown) => void;
}

/** The lease on a prefix, held from start to stop. */
export class Lease implements Service {
  readonly id = "lease";
  readonly #options: LeaseOptions;
  readonly #key: string;
  readonly #place: string;
  readonly #text: string;
  readonly #leaseMs: number;
  readonly #timer;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#timer = every(this.id, this.#leaseMs / RENEWALS, () => void this.#renew());
    this.#key = `${options.prefix}:owner`;
    const data_dir = realpathSync(options.dataDir);
    const host = hostname();
    this.#place = `${bootId() ?? ""} ${host} ${data_dir}`;
    const about = { place: this.#place, host, data_dir, pid: process.pid };
    const holder: Holder = {
      ...about,
      token: crypto.randomUUID(),
      since: instantIso(SYSTEM_TIME.wallMs()),
    };
    this.#text = JSON.stringify(holder);
  }

  /**
   * Resolves when the lease is held: at once, or after the lease of an ended process expires.
   *
   * @throws PrefixInUse when its holder renews it.
   */
  async start(): Promise<void> {
    for (let leftMs = Number.POSITIVE_INFINITY; ; await Bun.sleep(LOOK_EVERY_MS)) {
      const held = await this.#take();
      if (held === null) break;
      if (held.leftMs > leftMs) throw new PrefixInUse(held.holder);
      leftMs = held.leftMs;
    }
    this.#timer.start();
  }

  async stop(): Promise<void> {
    this.#timer.stop();
    const { producer, onError } = this.#options;
    await producer.eval(GIVE_BACK, 1, this.#key, this.#text).catch(onError);
  }

  async #take(): Promise<{ readonly holder: Holder; readonly leftMs: number } | null> {
    const args = [this.#text, this.#place, this.#leaseMs];
    const found = await this.#options.producer.eval(TAKE, 1, this.#key, ...args);
    const [text, leftMs] = found as [string?, number?];
    if (text === undefined) return null;
    return { holder: JSON.parse(text) as Holder, leftMs: leftMs ?? 0 };
  }

  async #renew(): Promise<void> {
    const { producer, onLost, onError } = this.#options;
    try {
      const held = await producer.eval(RENEW, 1, this.#key, this.#text, this.#leaseMs);
      if (held === null) return;
      const { host, pid, since } = JSON.parse(String(held)) as Holder;
      onLost(new Fenced(`process ${pid} on ${host} has the lease on Redis since ${since}`));
    } catch (error) {
      // Without Redis no commands arrive either; afterwards it is renewed or lost.
      onError(error);
    }
  }
}
