/** Commands that wait for a group, in two queues: supply changes wait behind all others. */
import { type Command, isBulk } from "../core/commands.ts";
import type { Reply } from "./group.ts";

export interface Submission {
  readonly command: Command;
  /** The caller's deadline passed before the engine saw the command. */
  readonly isLapsed: boolean;
  /** Called after the commit, in the order of the group. */
  readonly send: (reply: Reply) => void;
}

export class Waiting {
  readonly normal = new Fifo<Submission>();
  readonly bulk = new Fifo<Submission>();

  get size(): number {
    return this.normal.size + this.bulk.size;
  }

  push(submission: Submission): void {
    (isBulk(submission.command) ? this.bulk : this.normal).push(submission);
  }

  takeAll(): readonly Submission[] {
    return [...this.normal.takeAll(), ...this.bulk.takeAll()];
  }
}

/** First in, first out; taking is O(1) for any length. */
export class Fifo<T> {
  #items: T[] = [];
  #taken = 0;

  get size(): number {
    return this.#items.length - this.#taken;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Removes and returns the first; undefined when empty. */
  take(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#taken];
    this.#taken += 1;
    if (this.size === 0 || this.#taken > 4_096) this.#compact();
    return item;
  }

  takeAll(): readonly T[] {
    const all = this.#items.slice(this.#taken);
    this.#items = [];
    this.#taken = 0;
    return all;
  }

  /** Puts items before all others, in their order. */
  putBack(items: readonly T[]): void {
    if (items.length === 0) return;
    this.#items = [...items, ...this.#items.slice(this.#taken)];
    this.#taken = 0;
  }

  #compact(): void {
    this.#items = this.#items.slice(this.#taken);
    this.#taken = 0;
  }
}
