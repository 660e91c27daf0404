/**
 * The queue of payments and refunds. A job is only a hint: due work is found by state in the
 * projections, so a lost job costs a sweep, never a payment.
 */
import type { DueWork } from "../../engine/core/due/due-work.ts";
import { JobQueue } from "../lanes/job-queue.ts";
import { PAYMENTS_QUEUE, queueAddress } from "../lanes/queues.ts";
import type { MessageMacs } from "../redis/message-macs.ts";
import type { NativeRedis } from "../redis/native-redis.ts";

/**
 * Work by id; of a dispute the provider's. `deadline_ms` is the engine time until which the client
 * of a booking waits; absent for refunds and for work found by a sweep or hinted by the provider.
 */
export interface PaymentWork extends Pick<DueWork, "id"> {
  readonly kind: DueWork["kind"] | "dispute";
  readonly deadline_ms?: number;
}

/** All that one group made due: one job, because its cost does not depend on its size. */
interface PaymentJob {
  readonly due: readonly PaymentWork[];
}

/** The work of a job; none when its MAC is wrong. */
export function dueIn(data: string, prefix: string, macs: MessageMacs): readonly PaymentWork[] {
  const text = macs.read("payments", queueAddress(prefix, PAYMENTS_QUEUE), data);
  return text === null ? [] : (JSON.parse(text) as PaymentJob).due;
}

/** The queue, for both ends. */
export function paymentsJobs(redis: NativeRedis, prefix: string): JobQueue {
  return new JobQueue({ redis, prefix, name: PAYMENTS_QUEUE });
}

/** The sending end; the engine uses it right after a commit, the api for hints. */
export class PaymentsQueue {
  readonly #jobs: JobQueue;
  readonly #address: string;
  readonly #macs: MessageMacs;

  constructor(redis: NativeRedis, prefix: string, macs: MessageMacs) {
    this.#jobs = paymentsJobs(redis, prefix);
    this.#address = queueAddress(prefix, PAYMENTS_QUEUE);
    this.#macs = macs;
  }

  /**
   * Sends due work to the worker; clients wait for payments until `deadlineMs`.
   *
   * @throws Error when Redis is down; the next sweep finds the work.
   */
  async nudge(due: readonly DueWork[], deadlineMs: number): Promise<void> {
    const works = due.map(({ kind, id }) =>
      kind === "payment" ? { kind, id, deadline_ms: deadlineMs } : { kind, id },
    );
    await this.#send({ due: works });
  }

  /**
   * Sends work that may be due, because the provider says so: its state is read from there.
   *
   * @throws Error when Redis is down.
   */
  hint(work: PaymentWork): Promise<void> {
    return this.#send({ due: [work] });
  }

  async #send(job: PaymentJob): Promise<void> {
    await this.#jobs.add(this.#macs.write("payments", this.#address, JSON.stringify(job)));
  }
}
