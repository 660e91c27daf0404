/**
 * Tells the api processes that the control store has changed, so that a revocation takes effect in
 * all of them within milliseconds. The signal says nothing but "look": it may be lost or doubled,
 * and who misses it looks by itself twice a second.
 */
import type { Redis } from "ioredis";

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

export class ControlSignal {
  readonly #options: ControlSignalOptions;
  readonly #channel: string;

  private constructor(options: ControlSignalOptions) {
    this.#options = options;
    this.#channel = `${options.prefix}:control`;
  }

  /** Resolves when signals are heard. */
  static async open(options: ControlSignalOptions): Promise<ControlSignal> {
    const signal = new ControlSignal(options);
    options.subscriber.on("message", (channel: string) => {
      if (channel === signal.#channel) options.onSignal();
    });
    await options.subscriber.subscribe(signal.#channel);
    return signal;
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
