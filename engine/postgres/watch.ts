/**
 * Notices that PostgreSQL does not answer any more. An append may wait for a standby without limit,
 * and a connection to a machine that is gone looks the same: only another statement tells them
 * apart.
 */
import type { Session } from "./session.ts";

const ASK_EVERY_MS = 1_000;
const ANSWER_MS_MAX = 3_000;

/** Idle: it has answered; none: it has ended. */
const STATE = "SELECT state FROM pg_stat_activity WHERE pid = $1";

export class Watch {
  readonly id = "watch of PostgreSQL";
  readonly #session: Session;
  readonly #other: Session | null;
  readonly #onSilent: (error: Error) => void;
  #timer: Timer | undefined;
  #wasLost = false;

  /**
   * `session` is used for nothing else that could wait. `other`: one whose connection may be lost
   * alone, without a word.
   */
  constructor(session: Session, onSilent: (error: Error) => void, other: Session | null = null) {
    this.#session = session;
    this.#other = other;
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
      const { pid = 0, ms = 0 } = this.#other?.busy ?? {};
      const [found] = await this.#session.query<{ state: string }>(STATE, [pid]);
      const isLost = ms > ANSWER_MS_MAX && found?.state !== "active";
      // Once, the answer may be on its way.
      if (isLost && this.#wasLost)
        this.#end(new Error("PostgreSQL has answered, and nothing has come"));
      this.#wasLost = isLost;
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
