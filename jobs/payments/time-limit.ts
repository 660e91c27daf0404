/**
 * The time that a job may spend with the provider. It ends at the deadline or when the process
 * stops. An unfinished call then counts as unanswered; its result is read from the payment later.
 */
import type { ProviderFailure, ProviderReply } from "./provider.ts";

const TIMEOUT: ProviderFailure = { ok: false, error: "timeout" };

export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #stopping: AbortSignal;
  readonly #over: Promise<ProviderFailure>;
  readonly #end = () => this.#controller.abort();

  /** Starts now; `stopping` ends it early. */
  constructor(durationMs: number, stopping: AbortSignal) {
    this.#stopping = stopping;
    this.#timer = setTimeout(this.#end, durationMs);
    this.#over = new Promise((resolve) => {
      this.signal.addEventListener("abort", () => resolve(TIMEOUT), { once: true });
    });
    if (stopping.aborted) this.#end();
    else stopping.addEventListener("abort", this.#end, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.signal.aborted;
  }

  /** The reply to a call; `timeout` when the limit ends first. After the end no call is made. */
  ask<T>(call: () => Promise<ProviderReply<T>>): Promise<ProviderReply<T>> {
    return this.isOver ? this.#over : Promise.race([call(), this.#over]);
  }

  /** Waits, at most until the end of the limit. */
  async pause(durationMs: number): Promise<void> {
    await Promise.race([Bun.sleep(durationMs), this.#over]);
  }

  /** Frees the timer; call it when the job is done. */
  end(): void {
    clearTimeout(this.#timer);
    this.#stopping.removeEventListener("abort", this.#end);
  }
}
