/**
 * A whole engine in the test's own process, served through a private Redis: lanes, replies and the
 * payments queue, wired as the engine role wires them. Payment jobs can be lost on purpose.
 */
import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import type { BeginBooking, Command, PlaceHold } from "../../engine/core/commands.ts";
import type { Payment } from "../../engine/core/records.ts";
import type { Group } from "../../engine/shell/group.ts";
import { type ConnectionUse, connect, whenReady } from "../../jobs/connections.ts";
import { type Lanes, publishSettled, startLanes } from "../../jobs/inventory-worker.ts";
import { type Payments, startPayments } from "../../jobs/payments/payments.ts";
import type { PaymentProvider } from "../../jobs/payments/provider.ts";
import { PaymentsQueue } from "../../jobs/payments/queue.ts";
import { pack, queuePrefix } from "../../jobs/queues.ts";
import { type Settled, Submitter } from "../../jobs/submitter.ts";
import { openFields, sealFields } from "../../src/personal-data.ts";
import { type RedisProcess, startRedis } from "../../src/redis-server.ts";
import { beginBooking } from "./builders.ts";
import { LoneEngine, RIG_PARTITIONS } from "./lone-engine.ts";

const TICK_EVERY_MS = 50;
/** Longer than any test may take: what is missing shows as the test's own timeout. */
const PATIENCE_MS = 60_000;

/** Holds of one millisecond get different ids only from bytes that really differ. */
export function randomHex(): string {
  return randomBytes(16).toString("hex");
}

type Connections = Readonly<Record<"producer" | "blocking" | "subscriber", Redis>>;

export class EngineRig {
  /** The engine itself; its `dataDir` serves the roles too. */
  readonly lone: LoneEngine;
  readonly redis: RedisProcess;
  readonly prefix: string;
  readonly submitter: Submitter;
  readonly paymentsQueue: PaymentsQueue;
  /** How long a booking's client waits: the deadline of the job that the engine sends. */
  paymentBudgetMs = 10_000;
  /** While true, the engine's payment jobs are lost on their way. */
  losesJobs = false;
  readonly #connections: Connections;
  readonly #lanes: Lanes;
  readonly #ticker: ReturnType<typeof setInterval>;
  readonly #masterKey: Uint8Array;

  private constructor(
    lone: LoneEngine,
    redis: RedisProcess,
    connections: Connections,
    submitter: Submitter,
  ) {
    const { blocking, producer } = connections;
    this.lone = lone;
    this.redis = redis;
    this.submitter = submitter;
    this.prefix = queuePrefix(lone.journal.id);
    this.#connections = connections;
    this.#masterKey = Buffer.from(lone.secrets.master_key, "base64url");
    this.paymentsQueue = new PaymentsQueue(producer, this.prefix, this.#onError);
    this.#lanes = startLanes({
      connection: blocking,
      publisher: producer,
      prefix: this.prefix,
      partitions: RIG_PARTITIONS,
      submit: (submission) => lone.engine.submit(submission),
      onError: this.#onError,
    });
    this.#ticker = setInterval(() => lone.engine.tick(), TICK_EVERY_MS);
    lone.onCommitted = (group) => this.#announce(group);
  }

  /** Starts Redis and serves the lanes of a new journal. */
  static async start(): Promise<EngineRig> {
    const lone = new LoneEngine();
    const { dataDir, journal, logger } = lone;
    const redis = await startRedis({ dataDir, maxMemoryMb: 64, log: logger });
    const onError = (error: Error) => logger.warn("redis", { error });
    const open = async (use: ConnectionUse) => {
      const connection = connect({ path: redis.path }, use, onError);
      await whenReady(connection, PATIENCE_MS);
      return connection;
    };
    const connections = {
      producer: await open("producer"),
      blocking: await open("worker"),
      subscriber: await open("worker"),
    };
    const submitter = await Submitter.open({
      producer: connections.producer,
      subscriber: connections.subscriber,
      prefix: queuePrefix(journal.id),
      partitions: RIG_PARTITIONS,
      instance: "rig",
      byKey: (key) => journal.byKey(key),
      onError: (error) => logger.warn("redis", { error }),
    });
    return new EngineRig(lone, redis, connections, submitter);
  }

  /** Sends a command as an api does; resolves with the final outcome. */
  submit(command: Command): Promise<Settled> {
    return this.submitter.submit(pack(command), { deadlineMs: PATIENCE_MS });
  }

  /** Places a hold under random ids. Throws when the engine refuses it. */
  async hold(command: PlaceHold): Promise<{ hold_id: string; quote_id: string }> {
    const { outcome } = await this.submit({ ...command, random: randomHex() });
    const isHold = outcome.ok && outcome.kind === "hold";
    if (!isHold) throw new Error(`no hold: ${JSON.stringify(outcome)}`);
    return { hold_id: outcome.data.hold_id, quote_id: command.quote_id };
  }

  /** The command that books a hold with a provider token, sealed as an api seals it. */
  booking(
    hold: { readonly hold_id: string; readonly quote_id: string },
    token: string,
    over: Partial<BeginBooking> = {},
  ): BeginBooking {
    const command = beginBooking(hold, { random: randomHex(), ...over });
    const binding = { tenant_id: command.tenant_id, command: command.key ?? "" };
    const fields = { provider_token: token, full_name: "Ada Lovelace" };
    return { ...command, ...sealFields(this.#masterKey, binding, fields) };
  }

  /** The payment that a hold waits for or had last, or null. */
  paymentOf(holdId: string): Payment | null {
    const { engine, records } = this.lone;
    const hold = engine.state.holds.get(holdId) ?? records.hold(holdId);
    return records.payment(hold?.payment_id ?? "");
  }

  /** Starts a payments worker on this engine; stop it before the rig. */
  startPayments(provider: PaymentProvider): Promise<Payments> {
    const { records, now, log } = this.lone;
    return startPayments({
      redis: { path: this.redis.path },
      prefix: this.prefix,
      partitions: RIG_PARTITIONS,
      records,
      provider,
      openToken: (payment) => {
        const wrappedKey = records.wrappedKey(payment.booking_id) ?? "";
        const binding = { tenant_id: payment.tenant_id, command: payment.key };
        const opened = openFields(this.#masterKey, binding, payment.sealed, wrappedKey);
        return opened.provider_token ?? null;
      },
      now,
      log,
    });
  }

  /** Ends everything and removes the directory. */
  async stop(): Promise<void> {
    clearInterval(this.#ticker);
    await this.submitter.close();
    await this.#lanes.stop();
    await this.paymentsQueue.close();
    for (const connection of Object.values(this.#connections)) connection.disconnect();
    await this.redis.stop();
    this.lone.close();
  }

  readonly #onError = (error: unknown): void => this.lone.logger.warn("redis", { error });

  #announce(group: Group): void {
    const { producer } = this.#connections;
    if (group.settled.length > 0) {
      publishSettled(producer, this.prefix, group.settled, this.#onError);
    }
    if (this.losesJobs) return;
    const deadline_ms = this.lone.now() + this.paymentBudgetMs;
    for (const work of group.due) {
      const job = work.kind === "payment" ? { ...work, deadline_ms } : work;
      this.paymentsQueue.enqueue(job, 0).catch(this.#onError);
    }
  }
}
