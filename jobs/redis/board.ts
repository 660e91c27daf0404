/**
 * The status board: each process posts once a second that it is alive, with a report. Only
 * readiness and metrics use it.
 */
import type { Redis } from "ioredis";
import { SYSTEM_TIME } from "../../engine/log/system-time.ts";
import { every, type Service } from "../../src/lib/service.ts";
import type { MessageMacs } from "./message-macs.ts";

const POST_EVERY_MS = 1_000;
/** An older post is of a process that is gone or stuck. */
const STALE_AFTER_MS = 5_000;

export interface Post {
  readonly role: string;
  readonly pid: number;
  /** The machine's steady clock. */
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
      const post: Post = {
        role,
        pid: process.pid,
        at: SYSTEM_TIME.monotonicMs(),
        report: report(),
      };
      const field = `${role}:${process.pid}`;
      const message = this.#macs.write("board", this.#placeOf(field), JSON.stringify(post));
      this.#redis.hset(this.#key, field, message).catch(() => {});
    });
  }

  /**
   * Fresh posts of all processes. Removes stale posts and posts without a valid MAC.
   *
   * @throws Error when Redis is down.
   */
  async read(): Promise<Post[]> {
    const all = await this.#redis.hgetall(this.#key);
    const fresh: Post[] = [];
    for (const [field, message] of Object.entries(all)) {
      const text = this.#macs.read("board", this.#placeOf(field), message);
      const post = text === null ? null : (JSON.parse(text) as Post);
      // A negative age: posted before the machine was rebooted.
      const ageMs = post === null ? -1 : SYSTEM_TIME.monotonicMs() - post.at;
      if (post !== null && ageMs >= 0 && ageMs <= STALE_AFTER_MS) fresh.push(post);
      else await this.#redis.hdel(this.#key, field);
    }
    return fresh;
  }

  #placeOf(field: string): string {
    return `${this.#key}:${field}`;
  }
}
