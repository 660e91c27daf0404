/**
 * Calls that wait for events: long polls and event streams. They are bounded in number, woken by
 * the replica, and end when the caller disconnects or the process ends.
 */
import type { Replica } from "../../engine/log/replica.ts";
import type { Principal } from "../access/control/principal.ts";
import type { Service } from "../lib/service.ts";
import { Places } from "./places.ts";

/** Of one agent in one process. */
const OPEN_CALLS_MAX = 16;
/** Per tenant, because a tenant can create agents freely. */
const OPEN_CALLS_TENANT_MAX = 128;
/** Each costs a socket and at most a page of events. */
const OPEN_CALLS_ALL_MAX = 512;

/** Who takes a place. */
type Caller = Pick<Principal, "agent_id" | "tenant_id">;

export class Listeners implements Service {
  readonly id = "listeners";
  readonly #replica: Pick<Replica, "watch">;
  readonly #looks = new Set<() => void>();
  readonly #places = new Places(OPEN_CALLS_ALL_MAX);
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
    return this.#places.count;
  }

  /** Takes a place for a call that stays open, as `Places` gives it. */
  enter({ agent_id, tenant_id }: Caller): (() => void) | number {
    return this.#places.take([agent_id, OPEN_CALLS_MAX], [tenant_id, OPEN_CALLS_TENANT_MAX]);
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
