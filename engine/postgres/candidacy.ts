/**
 * Takes the lead of a shared journal when it is free: given up, this machine's own before a
 * restart, or without a sign of life for `TAKEOVER_MS` by the steady clock of who looks.
 *
 * Maintained invariant: the lead is taken from exactly the epoch and beat that were seen. A leader
 * that gave a sign of life in between keeps it, and of several candidates one gets it.
 */
import type { Mirror } from "./mirror.ts";
import { TAKEOVER_MS } from "./postgres-journal.ts";
import type { Leadership, SharedJournal, Taken } from "./shared-journal.ts";

const LOOK_EVERY_MS = 50;

export interface CandidacyOptions {
  readonly shared: SharedJournal;
  readonly mirror: Mirror;
  /** The name of this machine, the same after a restart. */
  readonly me: string;
  /** Whether this machine could serve now. */
  readonly mayLead: () => boolean;
  /** Called once; the mirror is at the head then and stays there. */
  readonly onTaken: (taken: Taken) => Promise<void>;
  /** The process must end. */
  readonly onFatal: (error: unknown) => void;
}

export class Candidacy {
  readonly id = "candidacy";
  readonly #options: CandidacyOptions;
  #seen: Leadership | null = null;
  /** `performance.now()` when the leader's last sign of life was first seen. */
  #seenAtMs = 0;
  #isStopped = false;
  #following: Promise<void> = Promise.resolve();

  constructor(options: CandidacyOptions) {
    this.#options = options;
  }

  /** Resolves when the copy is at the head, and the lead is taken if it was free. */
  async start(): Promise<void> {
    if (await this.#look()) return;
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

  /** Brings the copy to the head; true when this machine leads now. */
  async #look(): Promise<boolean> {
    const { shared, mirror, me, mayLead, onTaken } = this.#options;
    await mirror.catchUp();
    const seen = await shared.leadership();
    if (!this.#isFree(seen) || !mayLead() || this.#isStopped) return false;
    const taken = await shared.take(me, seen);
    if (taken === null) return false;
    await mirror.reach(taken.head);
    await onTaken(taken);
    return true;
  }

  #isFree(found: Leadership): boolean {
    const { me } = this.#options;
    const nowMs = performance.now();
    const isAlive = found.epoch !== this.#seen?.epoch || found.beat !== this.#seen.beat;
    if (isAlive) this.#seenAtMs = nowMs;
    this.#seen = found;
    const isOurs = found.owner === me || (found.owner === null && (found.heir ?? me) === me);
    return isOurs || nowMs - this.#seenAtMs >= TAKEOVER_MS;
  }
}
