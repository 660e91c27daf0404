/** The payments of a worker process: access to the engine, the jobs and the sweeper. */
import { randomBytes } from "node:crypto";
import type { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { type Role, roleOf } from "../../src/lib/service.ts";
import { DamageReports } from "../lanes/damage-reports.ts";
import { Submitter } from "../lanes/submitter.ts";
import type { Connections } from "../redis/connections.ts";
import type { MessageMacs } from "../redis/message-macs.ts";
import { throttledWarnings } from "../redis/throttled-warnings.ts";
import type { Settling } from "./settling.ts";
import { Sweeper } from "./sweeper.ts";
import { PaymentsWorker } from "./worker.ts";

export interface PaymentsOptions extends Omit<Settling, "submitter" | "damage" | "stopping"> {
  readonly connections: Connections<"hot" | "subscriber">;
  readonly prefix: string;
  readonly macs: MessageMacs;
  /** Number of lanes, as in the engine. */
  readonly lanes: number;
  readonly records: RecordReaderOn;
}

export interface Payments extends Role {
  readonly worker: PaymentsWorker;
  readonly sweeper: Sweeper;
}

/**
 * Settles payments and refunds after its start. Provider and connections must outlive it. The next
 * start finds payments without a verdict.
 */
export function paymentsOf(options: PaymentsOptions): Payments {
  const { connections, prefix, macs, lanes, records, now, log } = options;
  const { hot, subscriber } = connections;
  const onError = throttledWarnings(log, "Redis");
  const submitter = new Submitter({
    ...{ hot, subscriber, prefix, macs, lanes, now, onError },
    instance: `worker-${randomBytes(6).toString("hex")}`,
    // Results have no key.
    byKey: null,
  });
  const damage = new DamageReports(submitter, log);
  const settling = { ...options, submitter, damage };
  const worker = new PaymentsWorker({ redis: hot, prefix, macs, settling, onError });
  const sweeper = new Sweeper({ records, worker, damage, now, log });
  return { ...roleOf("payments", [submitter, worker, sweeper], log), worker, sweeper };
}
