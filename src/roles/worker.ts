/**
 * The worker process: payments and refunds, and the snapshots of the journal. It reads the journal
 * and its projections and writes neither; what it finds out goes to the engine as commands.
 */
import { join } from "node:path";
import type { Payment } from "../../engine/core/records.ts";
import { Replica } from "../../engine/shell/replica.ts";
import { Snapshotter } from "../../engine/shell/snapshotter.ts";
import { Board } from "../../jobs/board.ts";
import { connect, whenReady } from "../../jobs/connections.ts";
import { startPayments } from "../../jobs/payments/payments.ts";
import { SandboxProvider } from "../../jobs/payments/sandbox.ts";
import { queuePrefix } from "../../jobs/queues.ts";
import { type Logger, logger } from "../base/log.ts";
import { memoryFamily } from "../base/metrics.ts";
import type { Config } from "../config.ts";
import { openFields } from "../privacy/personal-data.ts";
import type { Secrets } from "../privacy/secrets.ts";
import { type Service, STOP_BUDGETS_MS } from "../service.ts";

/** Writing the last snapshot may take a second; it is left out when less time is left. */
const SNAPSHOT_MS = 1_200;
const REDIS_READY_MS = 10_000;

/**
 * Starts the worker of this `DATA_DIR`.
 *
 * @throws Error when there is no journal yet or Redis does not answer.
 */
export async function start(config: Config, secrets: Secrets): Promise<Service> {
  const log = logger("worker", config.logLevel);
  const path = join(config.dataDir, "engine", "0.db");
  const replica = new Replica(path);
  const payments = await startPaymentsOf(config, secrets, { replica, log });
  const snapshotter = new Snapshotter({
    replica,
    journalPath: path,
    log: (level, message, fields) => log[level](message, { ...fields }),
  });
  const posts = connect(config.redis, "producer", (error) => {
    log.warn("redis", { error: String(error) });
  });
  await whenReady(posts, REDIS_READY_MS);
  const board = new Board(posts, queuePrefix(replica.journalId));
  board.post("worker", () => ({ families: [memoryFamily()] }));
  return {
    id: "worker",
    async stop() {
      const startedMs = performance.now();
      board.close();
      posts.disconnect();
      await payments?.stop();
      const leftMs = STOP_BUDGETS_MS.worker - (performance.now() - startedMs);
      snapshotter.stop(leftMs > SNAPSHOT_MS);
      replica.close();
    },
  };
}

interface Surroundings {
  readonly replica: Replica;
  readonly log: Logger;
}

async function startPaymentsOf(config: Config, secrets: Secrets, { replica, log }: Surroundings) {
  if (config.paymentProvider !== "sandbox") {
    log.warn("no payment is taken: this version has only the sandbox provider");
    return null;
  }
  const provider = new SandboxProvider({ path: join(config.dataDir, "sandbox-provider.db") });
  const payments = await startPayments({
    redis: config.redis,
    prefix: queuePrefix(replica.journalId),
    partitions: config.partitions,
    records: replica.records,
    provider,
    openToken: tokenOpener(Buffer.from(secrets.master_key, "base64url"), replica),
    now: Date.now,
    log: (level, message, fields) => log[level](message, { ...fields }),
  });
  return {
    async stop() {
      await payments.stop();
      provider.close();
    },
  };
}

/** Opens a payment's provider token; null when the guest was erased or the key is another one. */
function tokenOpener(masterKey: Uint8Array, replica: Replica) {
  return (payment: Payment): string | null => {
    const wrappedKey = replica.records.wrappedKey(payment.booking_id);
    if (wrappedKey === null) return null;
    const binding = { tenant_id: payment.tenant_id, command: payment.key };
    try {
      return openFields(masterKey, binding, payment.sealed, wrappedKey).provider_token ?? null;
    } catch {
      // The cause could only say what the caller logs anyway: this token cannot be opened.
      return null;
    }
  };
}
