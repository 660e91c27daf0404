/**
 * When credentials were last used. Requests record it in memory; it is written once a minute and at
 * a stop. A crash loses at most a minute.
 */
import { every, type Service } from "../../lib/service.ts";
import { noteUses } from "./credentials.ts";
import type { ControlStore } from "./store.ts";

const WRITE_EVERY_MS = 60_000;

export class LastUsed implements Service {
  readonly id = "last used";
  readonly #store: ControlStore;
  readonly #onError: (error: unknown) => void;
  readonly #timer = every(this.id, WRITE_EVERY_MS, () => this.write());
  /** Epoch milliseconds by credential id. */
  #uses = new Map<string, number>();

  /** Writes to `store`; a failed write is retried the next time. */
  constructor(store: ControlStore, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  start(): void {
    this.#timer.start();
  }

  /** Records a use, at `nowMs` in epoch milliseconds. */
  note(credentialId: string, nowMs: number): void {
    this.#uses.set(credentialId, nowMs);
  }

  /** Writes the uses since the last write. */
  write(): void {
    if (this.#uses.size === 0) return;
    try {
      noteUses(this.#store, this.#uses);
      this.#uses = new Map();
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Writes a last time; the store must still be open. */
  stop(): void {
    this.#timer.stop();
    this.write();
  }
}
