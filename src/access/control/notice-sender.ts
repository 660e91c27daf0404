/**
 * Sends the outbox of notices to the engine, in every api process. A notice sent twice is one keyed
 * command, journaled once.
 */
import { canonicalJson } from "../../../engine/core/canonical.ts";
import type { Packed } from "../../../jobs/lanes/queues.ts";
import { NoOutcome, type Submitter } from "../../../jobs/lanes/submitter.ts";
import { every, type Service } from "../../lib/service.ts";
import { bodyHash, commandId } from "../privacy/personal-data.ts";
import { forgetNotice, type PendingNotice, pendingNotices } from "./notices.ts";
import type { ControlStore } from "./store.ts";

/** Finds what another process or an outage has left. */
const SWEEP_EVERY_MS = 1_000;
const SUBMIT_MS_MAX = 10_000;

export interface NoticeSenderOptions {
  readonly store: ControlStore;
  readonly submitter: Pick<Submitter, "submit">;
  readonly hmac: Uint8Array;
  /** Base of `docs_url`, which every command carries. */
  readonly docs: string;
  readonly onError: (error: unknown) => void;
}

/** Sends the outbox, in order. */
export class NoticeSender implements Service {
  readonly id = "notice sender";
  readonly #options: NoticeSenderOptions;
  readonly #timer = every(this.id, SWEEP_EVERY_MS, () => this.nudge());
  #isSending = false;

  constructor(options: NoticeSenderOptions) {
    this.#options = options;
  }

  /** Sends now and on every sweep. */
  start(): void {
    this.#timer.start();
  }

  /** Unsent notices stay in the outbox. */
  stop(): void {
    this.#timer.stop();
  }

  /** Sends pending notices unless a send is under way. */
  nudge(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    this.#sendAll()
      .catch(this.#options.onError)
      .finally(() => {
        this.#isSending = false;
      });
  }

  /** In order, so that the journal has changes in sequence; stops at the first failure. */
  async #sendAll(): Promise<void> {
    const { store, submitter } = this.#options;
    for (const pending of pendingNotices(store)) {
      try {
        const deadlineMs = SUBMIT_MS_MAX;
        const { outcome } = await submitter.submit(this.#commandOf(pending), { deadlineMs });
        if (!outcome.ok) throw new Error(`notice ${pending.notice_id}: ${outcome.code}`);
      } catch (error) {
        // Engine or Redis is unavailable; the next sweep continues.
        if (error instanceof NoOutcome) return;
        throw error;
      }
      forgetNotice(store, pending.notice_id);
    }
  }

  #commandOf({ notice_id, notice, ...cause }: PendingNotice): Packed {
    const { hmac, docs } = this.#options;
    return {
      ...cause,
      type: "RecordNotice",
      notice,
      docs,
      random: notice_id.replaceAll("-", ""),
      key: commandId(hmac, cause.tenant_id, `${cause.mode} notice`, notice_id),
      body_hash: bodyHash(hmac, canonicalJson(notice)),
    };
  }
}
