/**
 * Signals to the api processes that the control store has changed, so that a revocation takes
 * effect within milliseconds. The text says "look", or what is denied although it could not be
 * stored. Signals may be lost or doubled; each process also looks twice a second.
 */
import type { Redis } from "ioredis";
import type { Service } from "../../src/lib/service.ts";
import type { NativeRedis } from "./native-redis.ts";

export interface ControlSignalOptions {
  /** Sends signals; fails fast. */
  readonly producer: Redis;
  readonly subscriber: Pick<NativeRedis, "subscribe" | "unsubscribe">;
  readonly prefix: string;
  /** Called with the text of every signal, own ones included. */
  readonly onSignal: (text: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Sends and receives the signal. */
export class ControlSignal implements Service {
  readonly id = "control signal";
  readonly #options: ControlSignalOptions;
  readonly #channel: string;

  constructor(options: ControlSignalOptions) {
    this.#options = options;
    this.#channel = `${options.prefix}:control`;
  }

  /** Resolves when signals can be received. */
  async start(): Promise<void> {
    const { subscriber, onSignal } = this.#options;
    await subscriber.subscribe(this.#channel, onSignal);
  }

  stop(): void {
    const { subscriber, onSignal } = this.#options;
    subscriber.unsubscribe(this.#channel, onSignal);
  }

  /** Signals; resolves when Redis has passed it on or failed. */
  async raise(text = "changed"): Promise<void> {
    try {
      await this.#options.producer.publish(this.#channel, text);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
