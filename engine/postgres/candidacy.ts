/**
 * Takes a lease when it is free: given up, this machine's own before a restart, or without a sign
 * of life for a time by the steady clock of who looks.
 *
 * Maintained invariant: the lease is taken from exactly the epoch and beat that were seen. A holder
 * that gave a sign of life in between keeps it, and of several candidates one gets it.
 */
import type { Leadership } from "./shared-journal.ts";

const LOOK_EVERY_MS = 50;

/** Something that one machine has at a time. */
export interface Lease<Taken> {
  /** Who has it now. */
  leadership(): Promise<Leadership>;
  /** Takes it from exactly this one, in a new epoch; null when anything happened since. */
  take(owner: string, seen: Leadership): Promise<Taken | null>;
}

export interface CandidacyOptions<Taken> {
  readonly id: string;
  readonly lease: Lease<Taken>;
  /** The name of this machine, the same after a restart. */
  readonly me: string;
  /** Without a sign of life for this long the lease is free. */
  readonly silentMs: number;
  /** Called before each decision; `isOurs`: this machine had the lease last. */
  readonly follow: (isOurs: boolean) => Promise<void>;
  /** Whether this machine could serve now. */
  readonly mayTake: () => boolean;
  /** Called once; nothing is followed any more. */
  readonly onTaken: (taken: Taken) => Promise<void>;
  /** The process must end. */
  readonly onFatal: (error: unknown) => void;
}

export class Candidacy<Taken> {
  readonly id: string;
  readonly #options: CandidacyOptions<Taken>;
  #seen: Leadership | null = null;
  /** `performance.now()` when the holder's last sign of life was first seen. */
  #seenAtMs = 0;
  #isStopped = false;
  #following: Promise<void> = Promise.resolve();

  constructor(options: CandidacyOptions<Taken>) {
    this.id = options.id;
    this.#options = options;
  }

  /** Resolves when this machine has followed once, and has the lease if it was free. */
  async start(): Promise<void> {
    const first = this.#look();
    this.#following = first.then(
      () => {},
      () => {},
    );
    if (await first) return;
    this.#following = this.#follow().catch(this.#options.onFatal);
  }

  /** Resolves when no statement is under way any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#following;
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      if (await this.#look()) return;
      await Bun.sleep(LOOK_EVERY_MS);
    }
  }

  /** True when this machine has the lease now. */
  async #look(): Promise<boolean> {
    const { lease, me, follow, mayTake, onTaken } = this.#options;
    const seen = await lease.leadership();
    await follow(seen.owner === me);
    if (!this.#isFree(seen) || !mayTake() || this.#isStopped) return false;
    const taken = await lease.take(me, seen);
    if (taken === null) return false;
    await onTaken(taken);
    return true;
  }

  #isFree(found: Leadership): boolean {
    const { me, silentMs } = this.#options;
    const nowMs = performance.now();
    const isAlive = found.epoch !== this.#seen?.epoch || found.beat !== this.#seen.beat;
    if (isAlive) this.#seenAtMs = nowMs;
    this.#seen = found;
    return (found.owner ?? me) === me || nowMs - this.#seenAtMs >= silentMs;
  }
}
