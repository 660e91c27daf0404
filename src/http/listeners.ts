/**
 * Calls that stay open until there is news: long polls and event streams. They are bounded in
 * number, woken by the replica and not by a clock, and end when the caller hangs up or the process
 * does.
 */
import type { Replica } from "../../engine/shell/replica.ts";
import type { Service } from "../../engine/shell/service.ts";

/** Of one agent in one process; with the bound below, nobody takes all places. */
export const OPEN_CALLS_MAX = 16;
/** Each costs a socket and at most a page of events. */
const OPEN_CALLS_ALL_MAX = 512;

export class Listeners implements Service {
  readonly id = "listeners";
  readonly #replica: Pick<Replica, "watch">;
  readonly #looks = new Set<() => void>();
  readonly #open = new Map<string, number>();
  #count = 0;
  #isEnding = false;
  #unwatch: () => void = () => {};

  constructor(replica: Pick<Replica, "watch">) {
    this.#replica = replica;
  }

  start(): void {
    this.#unwatch = this.#replica.watch(() => this.#look());
  }

  /** True once the process ends: whatever is open should. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** How many calls are open. */
  get count(): number {
    return this.#count;
  }

  /** Takes a place for a call that stays open; what is returned gives it back. Null: none left. */
  enter(agentId: string): (() => void) | null {
    const own = this.#open.get(agentId) ?? 0;
    if (own >= OPEN_CALLS_MAX || this.#count >= OPEN_CALLS_ALL_MAX) return null;
    this.#open.set(agentId, own + 1);
    this.#count += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#count -= 1;
      const left = this.#open.get(agentId)! - 1;
      if (left === 0) this.#open.delete(agentId);
      else this.#open.set(agentId, left);
    };
  }

  /** Resolves once it is so, after `ms`, when the caller hangs up or the process ends. */
  until(isSo: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#looks.delete(look);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const look = () => {
        if (this.#isEnding || signal.aborted || isSo()) end();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
      this.#looks.add(look);
      look();
    });
  }

  #look(): void {
    for (const look of this.#looks) look();
  }

  /** Ends whatever is open. */
  drain(): void {
    this.#isEnding = true;
    this.#look();
  }

  /** Follows the replica no longer. */
  stop(): void {
    this.#unwatch();
    this.drain();
  }
}
