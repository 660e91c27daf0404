/**
 * Settles due payments and refunds. A job is only a hint (see `queue.ts`): it may come twice, late
 * or after the settlement, and a dropped one costs a sweep. So a job ends as soon as it is
 * received; the unfinished work of a dead worker is found by state.
 *
 * Invariants: this process works on a payment or refund once at a time. A tenant has at most a
 * quarter of the slots, so its slow provider account cannot delay the bookings of others.
 */
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { Service } from "../../src/lib/service.ts";
import type { Taken } from "../lanes/job-queue.ts";
import { QueueConsumer } from "../lanes/queue-consumer.ts";
import type { MessageMacs } from "../redis/message-macs.ts";
import type { NativeRedis } from "../redis/native-redis.ts";
import { dueIn, type PaymentWork, paymentsJobs } from "./queue.ts";
import { settleDispute } from "./settle-dispute.ts";
import { settlePayment } from "./settle-payment.ts";
import { settleRefund } from "./settle-refund.ts";
import type { Settling } from "./settling.ts";

const SLOTS_MAX = 200;
const PER_TENANT_MAX = SLOTS_MAX / 4;
const SET_ASIDE_MS = 600_000;

/** Time for results in flight when the process stops. */
const LAST_RESULTS_MS = 1_000;

/** Only the provider knows whose a dispute is. */
const DISPUTE = { tenant_id: "" };

export interface PaymentsWorkerOptions {
  readonly redis: NativeRedis;
  readonly prefix: string;
  readonly macs: MessageMacs;
  readonly settling: Omit<Settling, "stopping">;
  readonly onError: (error: unknown) => void;
}

/** Settles all payments and refunds. */
export class PaymentsWorker implements Service {
  readonly id = "payments worker";
  readonly #settling: Settling;
  readonly #stopping = new AbortController();
  readonly #consumer: QueueConsumer;
  /** Payments and refunds in work. */
  readonly #active = new Set<string>();
  readonly #perTenant = new Map<string, number>();
  /** Payments and refunds that need a damaged record, and when each is tried again. */
  readonly #asideUntilMs = new Map<string, number>();
  #whenIdle: (() => void)[] = [];

  constructor({ redis, prefix, macs, settling, onError }: PaymentsWorkerOptions) {
    this.#settling = { ...settling, stopping: this.#stopping.signal };
    const handle = async ({ data }: Taken) => {
      for (const work of dueIn(data, prefix, macs)) void this.settle(work);
    };
    this.#consumer = new QueueConsumer({
      queue: paymentsJobs(redis, prefix),
      redis,
      handle,
      onError,
    });
  }

  /** Starts to take jobs. */
  async start(): Promise<void> {
    await this.#consumer.start();
  }

  /** True when `settle` would do nothing: it is in work, or set aside because of damage. */
  wouldDrop(id: string): boolean {
    if (this.#active.has(id)) return true;
    const untilMs = this.#asideUntilMs.get(id);
    if (untilMs === undefined || performance.now() < untilMs) return untilMs !== undefined;
    this.#asideUntilMs.delete(id);
    return false;
  }

  /** Whether a slot is free for the tenant. */
  hasSlot(tenantId: string): boolean {
    const taken = this.#perTenant.get(tenantId) ?? 0;
    return taken < PER_TENANT_MAX && this.#active.size < SLOTS_MAX;
  }

  /** Resolves when nothing is in work. */
  idle(): Promise<void> {
    if (this.#active.size === 0) return Promise.resolve();
    return new Promise((resolve) => void this.#whenIdle.push(resolve));
  }

  /**
   * Ends the waits for the provider and gives known results a second to be recorded. The next start
   * finds payments without a verdict by state.
   */
  async drain(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.idle(), Bun.sleep(LAST_RESULTS_MS)]);
  }

  /** Leaves the queue without waiting for jobs. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#consumer.stop();
  }

  /** Settles it unless `wouldDrop`; never rejects. */
  async settle({ kind, id, deadline_ms }: PaymentWork): Promise<void> {
    const { records, stopping, log } = this.#settling;
    if (stopping.aborted) return;
    if (this.wouldDrop(id)) return;
    let tenantId: string | null = null;
    try {
      const due = kind === "dispute" ? DISPUTE : records[kind](id);
      if (!due || !this.hasSlot(due.tenant_id)) return;
      tenantId = due.tenant_id;
      this.#take(id, tenantId);
      if (!("amount" in due)) await settleDispute(id, this.#settling);
      else if ("attempt" in due) await settlePayment(due, deadline_ms, this.#settling);
      else await settleRefund(due, this.#settling);
    } catch (error) {
      if (error instanceof RecordDamaged) this.#setAside(id, error);
      else if (!stopping.aborted) log("error", "cannot settle", { id, error: String(error) });
    } finally {
      if (tenantId !== null) this.#release(id, tenantId);
    }
  }

  /** Only a rebuild repairs a record; until then it is tried now and then. */
  #setAside(id: string, damage: RecordDamaged): void {
    this.#asideUntilMs.set(id, performance.now() + SET_ASIDE_MS);
    this.#settling.damage.report(damage);
  }

  #take(id: string, tenantId: string): void {
    this.#active.add(id);
    this.#perTenant.set(tenantId, (this.#perTenant.get(tenantId) ?? 0) + 1);
  }

  #release(id: string, tenantId: string): void {
    this.#active.delete(id);
    const left = (this.#perTenant.get(tenantId) ?? 1) - 1;
    if (left > 0) this.#perTenant.set(tenantId, left);
    else this.#perTenant.delete(tenantId);
    if (this.#active.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}
