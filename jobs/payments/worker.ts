/**
 * Settles payments and refunds that are due. A job is only a nudge (see `queue.ts`): it may come
 * twice, late or for something long settled, and dropping one costs a sweep. So a job is over as
 * soon as it was heard; what a worker that dies had in work is found by state.
 *
 * Maintained invariants: this process works on a payment or refund at most once at a time; one
 * tenant never has more than a quarter of the places, so a slow provider account of one cannot
 * stop the bookings of the others.
 */
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { Service } from "../../engine/shell/service.ts";
import { Lane } from "../lane.ts";
import type { Taken } from "../lane-queue.ts";
import type { MessageMacs } from "../message-macs.ts";
import type { NativeRedis } from "../native-redis.ts";
import { dueIn, type PaymentWork, paymentsLane } from "./queue.ts";
import { settlePayment } from "./settle-payment.ts";
import { settleRefund } from "./settle-refund.ts";
import type { Settling } from "./settling.ts";

const PLACES = 200;
const PER_TENANT_MAX = PLACES / 4;
const SET_ASIDE_MS = 600_000;

/** For results that are on their way when the process stops. */
const LAST_RESULTS_MS = 1_000;

export interface PaymentsWorkerOptions {
  readonly redis: NativeRedis;
  readonly prefix: string;
  readonly macs: MessageMacs;
  readonly settling: Omit<Settling, "stopping">;
  readonly onError: (error: unknown) => void;
}

/** The worker of all payments and refunds. */
export class PaymentsWorker implements Service {
  readonly id = "payments worker";
  readonly #settling: Settling;
  readonly #stopping = new AbortController();
  readonly #lane: Lane;
  /** Payments and refunds being worked on. */
  readonly #active = new Set<string>();
  readonly #perTenant = new Map<string, number>();
  /** Payments and refunds that need a damaged record, and until when they are left alone. */
  readonly #asideUntilMs = new Map<string, number>();
  #whenIdle: (() => void)[] = [];

  constructor({ redis, prefix, macs, settling, onError }: PaymentsWorkerOptions) {
    this.#settling = { ...settling, stopping: this.#stopping.signal };
    const handle = async ({ data }: Taken) => {
      for (const work of dueIn(data, prefix, macs)) void this.settle(work);
    };
    this.#lane = new Lane({ queue: paymentsLane(redis, prefix), redis, handle, onError });
  }

  /** Takes jobs from now on. */
  async start(): Promise<void> {
    await this.#lane.start();
  }

  /** True while work on it would come to nothing: it is worked on, or set aside as damaged. */
  wouldDrop(id: string): boolean {
    if (this.#active.has(id)) return true;
    const untilMs = this.#asideUntilMs.get(id);
    if (untilMs === undefined || performance.now() < untilMs) return untilMs !== undefined;
    this.#asideUntilMs.delete(id);
    return false;
  }

  /** Whether more of a tenant would be taken now. */
  hasPlace(tenantId: string): boolean {
    const taken = this.#perTenant.get(tenantId) ?? 0;
    return taken < PER_TENANT_MAX && this.#active.size < PLACES;
  }

  /** Resolves when nothing is being worked on. */
  idle(): Promise<void> {
    if (this.#active.size === 0) return Promise.resolve();
    return new Promise((resolve) => void this.#whenIdle.push(resolve));
  }

  /**
   * Ends the waits for the provider and gives the results that are known a second to be recorded;
   * a payment without a verdict is resumed by the next start, by its state.
   */
  async drain(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.idle(), Bun.sleep(LAST_RESULTS_MS)]);
  }

  /** Leaves the queue without waiting for jobs. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#lane.stop();
  }

  /** Works on it unless that would come to nothing; never rejects. */
  async settle({ kind, id, deadline_ms }: PaymentWork): Promise<void> {
    const { records, stopping, log } = this.#settling;
    if (stopping.aborted) return;
    if (this.wouldDrop(id)) return;
    let tenantId: string | null = null;
    try {
      const due = kind === "payment" ? records.payment(id) : records.refund(id);
      if (!due || !this.hasPlace(due.tenant_id)) return;
      tenantId = due.tenant_id;
      this.#take(id, tenantId);
      if ("attempt" in due) await settlePayment(due, deadline_ms, this.#settling);
      else await settleRefund(due, this.#settling);
    } catch (error) {
      if (error instanceof RecordDamaged) this.#setAside(id, error);
      else if (!stopping.aborted) log("error", "settling threw", { id, error: String(error) });
    } finally {
      if (tenantId !== null) this.#release(id, tenantId);
    }
  }

  /** Nothing but a rebuild mends a record; until then the job is tried now and then. */
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
