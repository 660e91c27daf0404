/**
 * Tells the api processes that the control store has changed, so that a revocation takes effect in
 * all of them within milliseconds. A notice says nothing but "look": it may be lost or doubled, and
 * who misses it looks by itself twice a second.
 */
import type { Redis } from "ioredis";

export interface ControlNoticesOptions {
  /** Connection that sends; fails fast. */
  readonly producer: Redis;
  /** Connection that only subscribes. */
  readonly subscriber: Redis;
  readonly prefix: string;
  /** Called for every notice, those of this process too. */
  readonly onNotice: () => void;
  readonly onError: (error: unknown) => void;
}

export class ControlNotices {
  readonly #options: ControlNoticesOptions;
  readonly #channel: string;

  private constructor(options: ControlNoticesOptions) {
    this.#options = options;
    this.#channel = `${options.prefix}:control`;
  }

  /** Resolves when notices are heard. */
  static async open(options: ControlNoticesOptions): Promise<ControlNotices> {
    const notices = new ControlNotices(options);
    options.subscriber.on("message", (channel: string) => {
      if (channel === notices.#channel) options.onNotice();
    });
    await options.subscriber.subscribe(notices.#channel);
    return notices;
  }

  /** Sends a notice; resolves when Redis has passed it on, or cannot. */
  async publish(): Promise<void> {
    try {
      await this.#options.producer.publish(this.#channel, "changed");
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
