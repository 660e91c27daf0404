/**
 * Notices that PostgreSQL does not answer any more. An append may wait for a standby without limit,
 * and a connection to a machine that is gone looks the same: only another statement tells them
 * apart.
 */
import type { Session } from "./session.ts";

const ASK_EVERY_MS = 1_000;
const ANSWER_MS_MAX = 3_000;

export class Watch {
  readonly id = "watch of PostgreSQL";
  readonly #session: Session;
  readonly #onSilent: (error: Error) => void;
  #timer: Timer | undefined;

  /** `session` is used for nothing else that could wait. */
  constructor(session: Session, onSilent: (error: Error) => void) {
    this.#session = session;
    this.#onSilent = onSilent;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#ask(), ASK_EVERY_MS);
  }

  async #ask(): Promise<void> {
    const late = setTimeout(() => {
      this.#end(new Error(`PostgreSQL did not answer for ${ANSWER_MS_MAX} ms`));
    }, ANSWER_MS_MAX);
    try {
      await this.#session.query("SELECT 1");
    } catch (error) {
      this.#end(error as Error);
    } finally {
      clearTimeout(late);
    }
  }

  #end(error: Error): void {
    if (this.#timer === undefined) return;
    this.stop();
    this.#onSilent(error);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
