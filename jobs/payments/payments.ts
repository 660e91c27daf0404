/** The payments part of a worker process: the way to the engine, the jobs and the sweeper. */
import { randomBytes } from "node:crypto";
import type { RecordReaderOn } from "../../engine/shell/record-store.ts";
import { type Role, roleOf } from "../../engine/shell/service.ts";
import type { Connections } from "../connections.ts";
import { DamageReports } from "../damage-reports.ts";
import type { MessageMacs } from "../message-macs.ts";
import { Submitter } from "../submitter.ts";
import { troubleTeller } from "../trouble.ts";
import type { Settling } from "./settling.ts";
import { Sweeper } from "./sweeper.ts";
import { PaymentsWorker } from "./worker.ts";

export interface PaymentsOptions extends Omit<Settling, "submitter" | "damage" | "stopping"> {
  readonly connections: Connections<"hot" | "subscriber">;
  readonly prefix: string;
  readonly macs: MessageMacs;
  /** Number of lanes; the engine's. */
  readonly lanes: number;
  readonly records: RecordReaderOn;
}

export interface Payments extends Role {
  readonly worker: PaymentsWorker;
  readonly sweeper: Sweeper;
}

/**
 * Settles payments and refunds from its start on. Provider and connections are the caller's, and
 * must outlive it; a payment without a verdict at the end is resumed by the next start.
 */
export function paymentsOf(options: PaymentsOptions): Payments {
  const { connections, prefix, macs, lanes, records, now, log } = options;
  const { hot, subscriber } = connections;
  const onError = troubleTeller(log, "Redis");
  const submitter = new Submitter({
    ...{ hot, subscriber, prefix, macs, lanes, now, onError },
    instance: `worker-${randomBytes(6).toString("hex")}`,
    // Results carry no key, so no outcome is ever waited for or looked up by one.
    byKey: null,
  });
  const damage = new DamageReports(submitter, log);
  const settling = { ...options, submitter, damage };
  const worker = new PaymentsWorker({ redis: hot, prefix, macs, settling, onError });
  const sweeper = new Sweeper({ records, worker, damage, now, log });
  return { ...roleOf("payments", [submitter, worker, sweeper], log), worker, sweeper };
}
