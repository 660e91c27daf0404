/**
 * Finds open payments and refunds by state and has them settled: after a lost job, a full worker, a
 * crash, or a provider without a verdict.
 *
 * The interval depends on age: every second at first, because a guest may be waiting, then every
 * 5 s, then once a minute. A sweep costs what is due, not what is open: it reads new work from the
 * projections and keeps the rest by the time of its next try.
 */
import type { DueWork } from "../../engine/core/due/due-work.ts";
import { timeDigits } from "../../engine/core/ids.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { Payment, Refund } from "../../engine/core/records.ts";
import { ExpiryHeap } from "../../engine/core/state/expiry-heap.ts";
import type { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { every, type Log, type Service } from "../../src/lib/service.ts";
import type { DamageReports } from "../lanes/damage-reports.ts";
import type { PaymentsWorker } from "./worker.ts";

const SWEEP_EVERY_MS = 1_000;
/** Time for the job that the engine sends after its commit. */
const GRACE_MS = 2_000;
/** How often all open work is listed again. */
const RELIST_EVERY_MS = 60_000;

/** Up to age `untilMs` one try per `everyMs`; older work uses the last entry. */
const INTERVALS = [
  { untilMs: 15_000, everyMs: 1_000 },
  { untilMs: 300_000, everyMs: 5_000 },
  { untilMs: Number.POSITIVE_INFINITY, everyMs: 60_000 },
] as const;

export interface SweeperOptions {
  readonly records: Pick<RecordReaderOn, "open" | "payment" | "refund">;
  readonly worker: Pick<PaymentsWorker, "wouldDrop" | "hasSlot" | "settle">;
  readonly damage: Pick<DamageReports, "report">;
  /** Engine time, epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** The age at which the interval of `ageMs` ends; each interval has one try. */
export function intervalEndOf(ageMs: number): number {
  let fromMs = 0;
  for (const { untilMs, everyMs } of INTERVALS) {
    const slot = Math.floor((ageMs - fromMs) / everyMs);
    if (ageMs < untilMs) return fromMs + (slot + 1) * everyMs;
    fromMs = untilMs;
  }
  throw new RangeError(`no slot for an age of ${ageMs} ms`);
}

interface Open extends DueWork {
  /** Unique in this process. */
  readonly number: number;
  readonly tenant_id: string;
  /** On the sweeper's clock, so that ages only grow. */
  readonly bornMs: number;
}

/** Sweeps at the start and then every second. */
export class Sweeper implements Service {
  readonly id = "payments sweeper";
  readonly #options: SweeperOptions;
  readonly #timer = every(this.id, SWEEP_EVERY_MS, () => {
    try {
      this.sweep();
    } catch (error) {
      this.#options.log("error", "cannot sweep payments", { error: String(error) });
    }
  });
  /** Open work by id, and by its number in the heap of next tries. */
  readonly #open = new Map<string, Open>();
  readonly #byNumber = new Map<number, Open>();
  readonly #tries = new ExpiryHeap();
  readonly #fromId = { payment: "", refund: "" };
  #lastNumber = 0;
  #relistAtMs = 0;
  /** Follows `now` but never goes back, so that a corrected clock does not stop the sweeps. */
  #timeMs = 0;
  #lastNowMs = Number.POSITIVE_INFINITY;

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

  /** Settles all due work that is not in work. */
  sweep(): void {
    const { worker, now } = this.#options;
    const nowMs = now();
    this.#timeMs += Math.max(0, nowMs - this.#lastNowMs);
    this.#lastNowMs = nowMs;
    this.#learn("payment", nowMs);
    this.#learn("refund", nowMs);
    if (this.#timeMs >= this.#relistAtMs) this.#relistAtMs = this.#timeMs + RELIST_EVERY_MS;
    while (this.#tries.earliest <= this.#timeMs) {
      const open = this.#byNumber.get(this.#tries.pop()!)!;
      const { kind, id, number, tenant_id, bornMs } = open;
      const isTried = worker.hasSlot(tenant_id) && !worker.wouldDrop(id);
      if (isTried && !this.#isOpen(open)) {
        this.#open.delete(id);
        this.#byNumber.delete(number);
        continue;
      }
      this.#tries.push(bornMs + intervalEndOf(this.#timeMs - bornMs), number);
      if (isTried) void worker.settle({ kind, id });
    }
  }

  /** Reads new work; at the start and once a minute all of it. */
  #learn(kind: Open["kind"], nowMs: number): void {
    const fromId = this.#timeMs >= this.#relistAtMs ? "" : this.#fromId[kind];
    for (const id of this.#options.records.open(kind, fromId)) {
      if (this.#open.has(id)) continue;
      const record = this.#read(kind, id);
      if (!record) continue;
      const { tenant_id, created_at } = record;
      const bornMs = this.#timeMs - Math.max(0, nowMs - created_at);
      this.#lastNumber += 1;
      const open = { kind, id, number: this.#lastNumber, tenant_id, bornMs };
      this.#open.set(id, open);
      this.#byNumber.set(open.number, open);
      this.#tries.push(bornMs + GRACE_MS, open.number);
      // Ids of one millisecond are not in order.
      const sameMs = `${id.slice(0, id.indexOf("_") + 1)}${timeDigits(created_at)}`;
      if (sameMs > this.#fromId[kind]) this.#fromId[kind] = sameMs;
    }
  }

  #isOpen({ kind, id }: Open): boolean {
    const state = this.#read(kind, id)?.state;
    return state === "pending" || (kind === "payment" && state === "unknown");
  }

  /** Null for a damaged record, which is reported and tried at the next full listing. */
  #read(kind: Open["kind"], id: string): Payment | Refund | null {
    try {
      return this.#options.records[kind](id);
    } catch (error) {
      if (!(error instanceof RecordDamaged)) throw error;
      this.#options.damage.report(error);
      return null;
    }
  }
}
