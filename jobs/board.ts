/**
 * The board: where each process says, once a second, that it is alive and how it is doing.
 * Readiness and metrics read it; nothing else depends on it.
 */
import type { Redis } from "ioredis";
import { every, type Service } from "../engine/shell/service.ts";
import { SYSTEM_TIME } from "../engine/shell/system-time.ts";

const POST_EVERY_MS = 1_000;
/** A post older than this is of a process that is gone or stuck. */
const STALE_AFTER_MS = 5_000;

export interface Post {
  readonly role: string;
  readonly pid: number;
  /** The machine's steady clock. */
  readonly at: number;
  /** What the process has to say; JSON. */
  readonly report: unknown;
}

/** The board, as all processes see it. */
export class Board {
  readonly #redis: Redis;
  readonly #key: string;

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#key = `${prefix}:board`;
  }

  /** Posts `report()` every second. A failed post is not an event: Redis is down. */
  poster(role: string, report: () => unknown): Service {
    return every("board", POST_EVERY_MS, () => {
      const post: Post = {
        role,
        pid: process.pid,
        at: SYSTEM_TIME.monotonicMs(),
        report: report(),
      };
      const field = `${role}:${process.pid}`;
      this.#redis.hset(this.#key, field, JSON.stringify(post)).catch(() => {});
    });
  }

  /**
   * Fresh posts of all processes; stale ones are taken down.
   *
   * @throws Error when Redis is down.
   */
  async read(): Promise<Post[]> {
    const all = await this.#redis.hgetall(this.#key);
    const fresh: Post[] = [];
    for (const [field, text] of Object.entries(all)) {
      const post = JSON.parse(text) as Post;
      const ageMs = SYSTEM_TIME.monotonicMs() - post.at;
      // Below nothing: posted before the machine was booted.
      if (ageMs >= 0 && ageMs <= STALE_AFTER_MS) fresh.push(post);
      else await this.#redis.hdel(this.#key, field);
    }
    return fresh;
  }
}
