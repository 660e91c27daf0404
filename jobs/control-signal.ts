/**
 * Tells the api processes that the control store has changed, so that a revocation takes effect in
 * all of them within milliseconds. The signal says nothing but "look": it may be lost or doubled,
 * and who misses it looks by itself twice a second.
 */
import type { Redis } from "ioredis";
import type { Service } from "../engine/shell/service.ts";

export interface ControlSignalOptions {
  /** Connection that sends; fails fast. */
  readonly producer: Redis;
  /** Connection that only subscribes. */
  readonly subscriber: Redis;
  readonly prefix: string;
  /** Called for every signal, those of this process too. */
  readonly onSignal: () => void;
  readonly onError: (error: unknown) => void;
}

/** Sends the signal and hears it. */
export class ControlSignal implements Service {
  readonly id = "control signal";
  readonly #options: ControlSignalOptions;
  readonly #channel: string;
  readonly #onMessage = (channel: string) => {
    if (channel === this.#channel) this.#options.onSignal();
  };

  constructor(options: ControlSignalOptions) {
    this.#options = options;
    this.#channel = `${options.prefix}:control`;
  }

  /** Resolves when signals are heard. */
  async start(): Promise<void> {
    const { subscriber } = this.#options;
    subscriber.on("message", this.#onMessage);
    await subscriber.subscribe(this.#channel);
  }

  stop(): void {
    this.#options.subscriber.off("message", this.#onMessage);
  }

  /** Signals; resolves when Redis has passed it on, or cannot. */
  async raise(): Promise<void> {
    try {
      await this.#options.producer.publish(this.#channel, "changed");
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
