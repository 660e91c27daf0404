/**
 * When credentials were last used. Requests only note it in memory; once a minute, and at a stop,
 * it is written down for operators to see. What a crash takes is a minute of it.
 */
import { noteUses } from "./credentials.ts";
import type { ControlStore } from "./store.ts";

const WRITE_EVERY_MS = 60_000;

export class LastUsed {
  readonly #store: ControlStore;
  readonly #onError: (error: unknown) => void;
  readonly #timer: Timer;
  /** Epoch milliseconds by credential id. */
  #uses = new Map<string, number>();

  /** Writes to `store` until `close`; what cannot be written is kept for the next time. */
  constructor(store: ControlStore, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
    this.#timer = setInterval(() => this.write(), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  /** Notes a use, at `nowMs` in epoch milliseconds. */
  note(credentialId: string, nowMs: number): void {
    this.#uses.set(credentialId, nowMs);
  }

  /** Writes what was noted since the last time. */
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
  close(): void {
    clearInterval(this.#timer);
    this.write();
  }
}
