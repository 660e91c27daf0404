/**
 * Long polls and event streams. Their number is limited; they are woken by the replica, and end
 * when the caller disconnects or the process ends.
 */
import type { Replica } from "../../engine/log/replica.ts";
import type { Principal } from "../access/control/principal.ts";
import type { Service } from "../lib/service.ts";
import { OpenCallSlots } from "./open-call-slots.ts";

/** Per agent and process. */
const OPEN_CALLS_MAX = 16;
/** Per tenant, because a tenant can create agents freely. */
const OPEN_CALLS_TENANT_MAX = 128;
/** Each costs a socket and at most a page of events. */
const OPEN_CALLS_ALL_MAX = 512;

type Caller = Pick<Principal, "agent_id" | "tenant_id">;

export class Listeners implements Service {
  readonly id = "listeners";
  readonly #replica: Pick<Replica, "watch">;
  readonly #looks = new Set<() => void>();
  readonly #slots = new OpenCallSlots(OPEN_CALLS_ALL_MAX);
  #isEnding = false;
  #unwatch: () => void = () => {};

  constructor(replica: Pick<Replica, "watch">) {
    this.#replica = replica;
  }

  start(): void {
    this.#unwatch = this.#replica.watch(() => this.#look());
  }

  /** True once the process ends; open calls must end too. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Number of open calls. */
  get count(): number {
    return this.#slots.count;
  }

  /** Takes a slot; see `OpenCallSlots.take`. */
  enter({ agent_id, tenant_id }: Caller): (() => void) | number {
    return this.#slots.take([agent_id, OPEN_CALLS_MAX], [tenant_id, OPEN_CALLS_TENANT_MAX]);
  }

  /** Resolves when `isSo` holds, after `ms`, or when the caller hangs up or the process ends. */
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

  /** Ends all open calls. */
  drain(): void {
    this.#isEnding = true;
    this.#look();
  }

  /** Ends all calls and stops following the replica. */
  stop(): void {
    this.#unwatch();
    this.drain();
  }
}
