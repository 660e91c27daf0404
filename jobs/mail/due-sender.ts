/**
 * Sends the due mails of a store at an interval. A mail is recorded as sent after its handover, so
 * after a crash in between it is sent again with the same Message-ID.
 *
 * Invariants: a running process hands a mail over once, however often its ticks find it due; a slow
 * mail holds up others only while as many as may be are under way.
 */
import { every, type Log, type Service } from "../../src/lib/service.ts";

/** Mails of a kind and their store. A throw of the store ends the run; the next one retries. */
export interface DueMails<M, F> {
  readonly id: string;
  /** Logged when the store fails. */
  readonly trouble: string;
  readonly runEveryMs: number;
  readonly atOnceMax: number;
  /** Limit for one mail, from the name look-up to the last answer. */
  readonly sendMsMax: number;
  /** Oldest first; those under way among them, because they are due until they are recorded. */
  readonly due: () => readonly M[];
  readonly keyOf: (mail: M) => string;
  /** Null when it was handed over. */
  readonly send: (mail: M, signal: AbortSignal) => Promise<F | null>;
  /** Records the handover. */
  readonly sent: (mail: M) => void;
  /** Plans the next try or gives up. */
  readonly failed: (mail: M, failure: F) => void;
  readonly log: Log;
}

export class DueSender<M, F> implements Service {
  readonly id: string;
  readonly #mails: DueMails<M, F>;
  readonly #stopping = new AbortController();
  readonly #timer;
  #waiting: M[] = [];
  readonly #underWay = new Map<string, Promise<void>>();
  /** Handed over but not recorded: must be recorded and not sent again. */
  readonly #unrecorded = new Set<M>();
  #hasFailed = false;

  constructor(mails: DueMails<M, F>) {
    this.#mails = mails;
    this.id = mails.id;
    this.#timer = every(mails.id, mails.runEveryMs, () => void this.run());
  }

  start(): void {
    this.#timer.start();
  }

  drain(): void {
    this.#timer.stop();
  }

  async stop(): Promise<void> {
    this.#timer.stop();
    this.#stopping.abort();
    await this.#settled();
  }

  /** Sends due mails, also during another run; resolves when none is under way. */
  async run(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { due, keyOf } = this.#mails;
    try {
      for (const mail of this.#unrecorded) this.#record(mail);
      this.#waiting = due().filter((mail) => !this.#underWay.has(keyOf(mail)));
      if (this.#waiting.length + this.#underWay.size === 0) this.#hasFailed = false;
      this.#fill();
    } catch (error) {
      this.#fail(error);
    }
    await this.#settled();
  }

  async #settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  #fill(): void {
    const { atOnceMax, keyOf } = this.#mails;
    while (!this.#stopping.signal.aborted && this.#underWay.size < atOnceMax) {
      const mail = this.#waiting.shift();
      if (mail === undefined) return;
      this.#underWay.set(keyOf(mail), this.#take(mail));
    }
  }

  async #take(mail: M): Promise<void> {
    try {
      await this.#handle(mail);
      this.#hasFailed = false;
    } catch (error) {
      this.#fail(error);
    }
    this.#underWay.delete(this.#mails.keyOf(mail));
    this.#fill();
  }

  async #handle(mail: M): Promise<void> {
    const { send, sendMsMax, failed } = this.#mails;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(sendMsMax)]);
    const failure = await send(mail, signal);
    if (failure === null) this.#record(mail);
    else if (!this.#stopping.signal.aborted) failed(mail, failure);
  }

  #record(mail: M): void {
    this.#unrecorded.add(mail);
    this.#mails.sent(mail);
    this.#unrecorded.delete(mail);
  }

  /** Probably a full disk: logged once, and retried by the next run. */
  #fail(error: unknown): void {
    const { log, trouble } = this.#mails;
    this.#waiting = [];
    if (!this.#hasFailed) log("error", trouble, { error: String(error) });
    this.#hasFailed = true;
  }
}
