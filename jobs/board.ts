/**
 * The board: where each process says, once a second, that it is alive and how it is doing.
 * Readiness and metrics read it; nothing else depends on it.
 */
import type { Redis } from "ioredis";
import { every, type Service } from "../engine/shell/service.ts";
import { SYSTEM_TIME } from "../engine/shell/system-time.ts";
import type { MessageMacs } from "./message-macs.ts";

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
  readonly #macs: MessageMacs;

  constructor(redis: Redis, prefix: string, macs: MessageMacs) {
    this.#redis = redis;
    this.#macs = macs;
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
      const message = this.#macs.write("board", this.#placeOf(field), JSON.stringify(post));
      this.#redis.hset(this.#key, field, message).catch(() => {});
    });
  }

  /**
   * Fresh posts of all processes; those that are stale or not of a process of ours are taken down.
   *
   * @throws Error when Redis is down.
   */
  async read(): Promise<Post[]> {
    const all = await this.#redis.hgetall(this.#key);
    const fresh: Post[] = [];
    for (const [field, message] of Object.entries(all)) {
      const text = this.#macs.read("board", this.#placeOf(field), message);
      const post = text === null ? null : (JSON.parse(text) as Post);
      // Below nothing: posted before the machine was booted.
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
