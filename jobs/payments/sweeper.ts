/**
 * Finds what is to be done by state and enqueues it again: jobs that were lost with Redis, dropped
 * by a full worker, cut off by a crash, or left without a verdict.
 *
 * How often depends on age: every second at first, because a guest may be waiting, then every 5 s,
 * then once a minute for what a provider keeps undecided.
 */
import type { RecordReaderOn } from "../../engine/shell/record-store.ts";
import { every, type Service } from "../../engine/shell/service.ts";
import type { PaymentJob, PaymentsQueue } from "./queue.ts";
import type { PaymentsWorker } from "./worker.ts";

const SWEEP_EVERY_MS = 1_000;
/** The engine's own job, sent right after the commit, gets this long before anybody doubts it. */
const GRACE_MS = 2_000;

/** Until this age, one slot per `everyMs`; later ages fall into the last row. */
const SLOTS = [
  { untilMs: 15_000, everyMs: 1_000 },
  { untilMs: 300_000, everyMs: 5_000 },
  { untilMs: Number.POSITIVE_INFINITY, everyMs: 60_000 },
] as const;

export interface SweeperOptions {
  readonly queue: Pick<PaymentsQueue, "enqueue">;
  readonly records: Pick<RecordReaderOn, "duePayments" | "dueRefunds">;
  readonly worker: Pick<PaymentsWorker, "isWorkingOn" | "freePlaces">;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Number of the time slot that an age falls into; a new slot is a new try. */
export function slotOf(ageMs: number): number {
  let slot = 0;
  let fromMs = 0;
  for (const { untilMs, everyMs } of SLOTS) {
    if (ageMs < untilMs) return slot + Math.floor((ageMs - fromMs) / everyMs);
    slot += (untilMs - fromMs) / everyMs;
    fromMs = untilMs;
  }
  return slot;
}

interface Due extends Pick<PaymentJob, "kind" | "id"> {
  readonly tenant_id: string;
  readonly created_at: number;
}

/** Sweeps at the start and then every second. */
export class Sweeper implements Service {
  readonly id = "payments sweeper";
  readonly #options: SweeperOptions;
  readonly #timer = every(this.id, SWEEP_EVERY_MS, () => {
    this.sweep().catch(this.#options.onError);
  });
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer.start();
  }

  drain(): void {
    this.#timer.stop();
  }

  stop(): void {
    this.#timer.stop();
  }

  /**
   * Enqueues everything whose slot has changed since the last sweep and that nobody works on.
   *
   * @throws Error when Redis is down; nothing is lost by it.
   */
  async sweep(): Promise<void> {
    const { queue, worker, now } = this.#options;
    const nowMs = now();
    const lastMs = this.#lastMs;
    this.#lastMs = nowMs;
    const planned = new Map<string, number>();
    const adding: Promise<void>[] = [];
    for (const { kind, id, tenant_id, created_at } of this.#due()) {
      const ageMs = nowMs - created_at;
      const slot = slotOf(ageMs);
      const isOfLastSweep = slot === slotOf(lastMs - created_at);
      if (ageMs < GRACE_MS || isOfLastSweep || worker.isWorkingOn(id)) continue;
      const count = (planned.get(tenant_id) ?? 0) + 1;
      if (count > worker.freePlaces(tenant_id)) continue;
      planned.set(tenant_id, count);
      adding.push(queue.enqueue({ kind, id }, slot));
    }
    await Promise.all(adding);
  }

  *#due(): Iterable<Due> {
    const { records } = this.#options;
    for (const payment of records.duePayments()) {
      const { payment_id: id, tenant_id, created_at } = payment;
      yield { kind: "payment", id, tenant_id, created_at };
    }
    for (const refund of records.dueRefunds()) {
      const { refund_id: id, tenant_id, created_at } = refund;
      yield { kind: "refund", id, tenant_id, created_at };
    }
  }
}
