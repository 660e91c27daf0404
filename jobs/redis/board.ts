/**
 * The status board: each process posts once a second that it is alive, with a report. Only
 * readiness and metrics use it.
 */
import { hostname } from "node:os";
import type { Redis } from "ioredis";
import { every, type Service } from "../../src/lib/service.ts";
import type { MessageMacs } from "./message-macs.ts";

const POST_EVERY_MS = 1_000;
/** An older post is of a process that is gone or stuck. */
const STALE_AFTER_MS = 5_000;

/** The role of who keeps a machine's copy of the journal at its head. */
export const MIRROR_ROLE = "mirror";

/** This machine, in its posts. */
export const THIS_HOST = hostname();

export interface Post {
  readonly role: string;
  readonly host: string;
  readonly pid: number;
  /** Redis's clock, because clocks of machines differ; epoch milliseconds. */
  readonly at: number;
  /** The process's report; JSON. */
  readonly report: unknown;
}

/** The board that all processes share. */
export class Board {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #macs: MessageMacs;

  constructor(redis: Redis, prefix: string, macs: MessageMacs) {
    this.#redis = redis;
    this.#macs = macs;
    this.#key = `${prefix}:board`;
  }

  /** Posts `report()` every second. A failed post is ignored: Redis is down. */
  poster(role: string, report: () => unknown): Service {
    return every("board", POST_EVERY_MS, () => {
      this.#post(role, report()).catch(() => {});
    });
  }

  async #post(role: string, report: unknown): Promise<void> {
    const at = msOf(await this.#redis.time());
    const post: Post = { role, host: THIS_HOST, pid: process.pid, at, report };
    const field = `${role}:${post.host}:${post.pid}`;
    const message = this.#macs.write("board", this.#placeOf(field), JSON.stringify(post));
    await this.#redis.hset(this.#key, field, message);
  }

  /**
   * Fresh posts of all processes. Removes stale posts and posts without a valid MAC.
   *
   * @throws Error when Redis is down.
   */
  async read(): Promise<Post[]> {
    const all = await this.#redis.hgetall(this.#key);
    const nowMs = msOf(await this.#redis.time());
    const fresh: Post[] = [];
    for (const [field, message] of Object.entries(all)) {
      const text = this.#macs.read("board", this.#placeOf(field), message);
      const post = text === null ? null : (JSON.parse(text) as Post);
      // A negative age: Redis's clock was set back.
      const ageMs = post === null ? -1 : nowMs - post.at;
      if (post !== null && ageMs >= 0 && ageMs <= STALE_AFTER_MS) fresh.push(post);
      else await this.#redis.hdel(this.#key, field);
    }
    return fresh;
  }

  #placeOf(field: string): string {
    return `${this.#key}:${field}`;
  }
}

/** Of Redis's `TIME`: seconds and microseconds. */
function msOf([seconds, microseconds]: readonly (string | number)[]): number {
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
}
