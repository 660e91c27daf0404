/**
 * Calls that stay open until there is news: long polls and event streams. They are bounded in
 * number, woken by the replica and not by a clock, and end when the caller hangs up or the process
 * does.
 */
import type { Replica } from "../../engine/shell/replica.ts";
import type { Service } from "../../engine/shell/service.ts";
import type { Principal } from "../control/principal.ts";

/** Of one agent in one process. */
const OPEN_CALLS_MAX = 16;
/** Of one tenant: agents cost it nothing, and the places of others are not its to take. */
const OPEN_CALLS_TENANT_MAX = 128;
/** Each costs a socket and at most a page of events. */
const OPEN_CALLS_ALL_MAX = 512;

/** Who takes a place. */
type Caller = Pick<Principal, "agent_id" | "tenant_id">;

export class Listeners implements Service {
  readonly id = "listeners";
  readonly #replica: Pick<Replica, "watch">;
  readonly #looks = new Set<() => void>();
  /** By agent and by tenant. */
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

  /**
   * Takes a place for a call that stays open; what is returned gives it back. Where none is left it
   * is the number of places that there are for whoever has taken them.
   */
  enter({ agent_id, tenant_id }: Caller): (() => void) | number {
    if (this.#openOf(agent_id) >= OPEN_CALLS_MAX) return OPEN_CALLS_MAX;
    if (this.#openOf(tenant_id) >= OPEN_CALLS_TENANT_MAX) return OPEN_CALLS_TENANT_MAX;
    if (this.#count >= OPEN_CALLS_ALL_MAX) return OPEN_CALLS_ALL_MAX;
    this.#add([agent_id, tenant_id], 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#add([agent_id, tenant_id], -1);
      isOpen = false;
    };
  }

  #openOf(id: string): number {
    return this.#open.get(id) ?? 0;
  }

  #add(ids: readonly string[], by: number): void {
    this.#count += by;
    for (const id of ids) {
      const open = this.#openOf(id) + by;
      if (open === 0) this.#open.delete(id);
      else this.#open.set(id, open);
    }
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
