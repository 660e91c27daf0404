/**
 * The payments part of a worker process: connections, the way to the engine, the jobs and the
 * sweeper, started and stopped in the right order.
 */
import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import type { RecordReaderOn } from "../../engine/shell/record-store.ts";
import { connect, type RedisTarget, whenReady } from "../connections.ts";
import { Submitter } from "../submitter.ts";
import { PaymentsQueue } from "./queue.ts";
import type { Settling } from "./settling.ts";
import { Sweeper } from "./sweeper.ts";
import { PaymentsWorker } from "./worker.ts";

const READY_MS_MAX = 10_000;
/** For results that are on their way when the process stops. */
const LAST_RESULTS_MS = 1_000;
const CLOSE_MS_MAX = 500;

export interface PaymentsOptions extends Omit<Settling, "submitter" | "stopping"> {
  readonly redis: RedisTarget;
  readonly prefix: string;
  /** Number of lanes; the engine's. */
  readonly partitions: number;
  readonly records: RecordReaderOn;
}

export interface Payments {
  readonly worker: PaymentsWorker;
  readonly sweeper: Sweeper;
  /**
   * Ends within 2 s; payments without a verdict are resumed by the next start. The provider stays
   * open.
   */
  stop(): Promise<void>;
}

/**
 * Starts settling payments and refunds.
 *
 * @throws Error when Redis is not ready within 10 s.
 */
export async function startPayments(options: PaymentsOptions): Promise<Payments> {
  const { redis, prefix, partitions, log } = options;
  const onError = (error: unknown) => log("warn", "redis", { error: String(error) });
  const producer = connect(redis, "producer", onError);
  const subscriber = connect(redis, "worker", onError);
  const connection = connect(redis, "worker", onError);
  const connections = [producer, subscriber, connection];
  try {
    await Promise.all(connections.map((each) => whenReady(each, READY_MS_MAX)));
  } catch (error) {
    disconnect(connections);
    throw error;
  }
  const instance = `worker-${randomBytes(6).toString("hex")}`;
  // Results carry no key, so no outcome is ever looked up by one.
  const byKey = () => null;
  const submitting = { producer, subscriber, prefix, partitions, instance, byKey, onError };
  const submitter = await Submitter.open(submitting);
  const stopping = new AbortController();
  const settling: Settling = { ...options, submitter, stopping: stopping.signal };
  const worker = new PaymentsWorker({ connection, prefix, settling, onError });
  const queue = new PaymentsQueue(producer, prefix, onError);
  const { records, now } = options;
  const sweeper = new Sweeper({ queue, records, worker, now, onError });
  return {
    worker,
    sweeper,
    async stop() {
      sweeper.stop();
      stopping.abort();
      await Promise.race([worker.idle(), Bun.sleep(LAST_RESULTS_MS)]);
      const closing = [worker.stop(), queue.close(), submitter.close()];
      await Promise.race([Promise.allSettled(closing), Bun.sleep(CLOSE_MS_MAX)]);
      disconnect(connections);
    },
  };
}

function disconnect(connections: readonly Redis[]): void {
  for (const connection of connections) connection.disconnect();
}
