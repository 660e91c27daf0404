/**
 * Writes the results of deliveries, many in one transaction. Results that cannot be written now
 * (disk full, file busy) are kept and written later. Meanwhile nothing more is taken for their
 * endpoint, so the kept results stay bounded.
 */
import type { Log } from "../../../src/lib/service.ts";
import { isBusy } from "../../../src/lib/store-file.ts";
import type { Claims, Ended } from "../store/claims.ts";

/** Results are gathered for this time to share a commit. */
const GATHER_MS = 3;
const BATCH_MAX = 200;
const BUSY_AGAIN_MS = 20;
const AGAIN_MS = 1_000;

export interface SettlerOptions {
  readonly claims: Pick<Claims, "settle">;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  /** Called after the transaction with the ids of the new dead letters. */
  readonly onSettled: (ended: readonly Ended[], dead: readonly string[]) => void;
  readonly log: Log;
}

export class Settler {
  readonly #options: SettlerOptions;
  #waiting: Ended[] = [];
  #timer: Timer | null = null;
  #lastError = "";

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  add(ended: Ended): void {
    this.#waiting.push(ended);
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  /** Writes the waiting results if possible. */
  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    while (this.#waiting.length > 0 && this.#writeBatch());
  }

  #flush(): void {
    const isWritten = this.#writeBatch();
    const isBusyOnly = this.#lastError === "";
    const inMs = isWritten ? 0 : isBusyOnly ? BUSY_AGAIN_MS : AGAIN_MS;
    this.#timer = this.#waiting.length > 0 ? setTimeout(() => this.#flush(), inMs) : null;
  }

  #writeBatch(): boolean {
    const { claims, now, onSettled, log } = this.#options;
    const batch = this.#waiting.slice(0, BATCH_MAX);
    let dead: readonly string[];
    try {
      dead = claims.settle(batch, now());
    } catch (error) {
      const text = isBusy(error) ? "" : String(error);
      const isNews = text !== "" && text !== this.#lastError;
      this.#lastError = text;
      if (isNews) log("error", "cannot write delivery results", { error: text });
      return false;
    }
    this.#lastError = "";
    this.#waiting = this.#waiting.slice(batch.length);
    onSettled(batch, dead);
    return true;
  }
}
