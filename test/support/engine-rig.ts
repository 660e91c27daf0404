/**
 * A whole engine in the test's own process, served through a private Redis: lanes, replies and the
 * payments queue, wired as the engine role wires them. Payment jobs can be lost on purpose.
 */
import { randomBytes } from "node:crypto";
import type { BeginBooking, Command, PlaceHold } from "../../engine/core/commands.ts";
import { quoteText } from "../../engine/core/price/quote-codec.ts";
import type { Payment } from "../../engine/core/records.ts";
import type { Group } from "../../engine/writer/group.ts";
import { InventoryLanes, publishAnswered } from "../../jobs/lanes/inventory-lanes.ts";
import { type Packed, queuePrefix } from "../../jobs/lanes/queues.ts";
import { type Answered, Submitter } from "../../jobs/lanes/submitter.ts";
import { type Payments, paymentsOf } from "../../jobs/payments/payments.ts";
import type { PaymentProvider } from "../../jobs/payments/provider.ts";
import { PaymentsQueue } from "../../jobs/payments/queue.ts";
import { type Connections, openConnections } from "../../jobs/redis/connections.ts";
import { MessageMacs } from "../../jobs/redis/message-macs.ts";
import type { NativeRedis } from "../../jobs/redis/native-redis.ts";
import type { KeyVersions } from "../../src/access/privacy/key-versions.ts";
import { keyVersionsOf } from "../../src/access/privacy/keychain.ts";
import { decryptFields, encryptFields } from "../../src/access/privacy/personal-data.ts";
import { endWithin, every, type Role, roleOf } from "../../src/lib/service.ts";
import { type RedisProcess, startRedis } from "../../src/ops/supervisor/redis-server.ts";
import { beginBooking } from "./builders.ts";
import { LoneEngine, RIG_LANES } from "./lone-engine.ts";

const TICK_EVERY_MS = 50;
/** Longer than any test may take: what is missing shows as the test's own timeout. */
const PATIENCE_MS = 60_000;

/** Holds of one millisecond get different ids only from bytes that really differ. */
export function randomHex(): string {
  return randomBytes(16).toString("hex");
}

const USES = ["producer", "hot", "subscriber"] as const;

/** A hold's quote travels as its text. */
export function pack(command: Command): Packed {
  if (command.type !== "PlaceHold") return command;
  return { ...command, quote: command.quote && quoteText(command.quote) };
}

/** A payments worker on the rig's engine; `end` drains and stops it. */
export interface RigPayments extends Pick<Payments, "worker" | "sweeper"> {
  readonly end: () => Promise<boolean>;
}

export class EngineRig {
  /** The engine itself; its `dataDir` serves the roles too. */
  readonly lone: LoneEngine;
  readonly redis: RedisProcess;
  readonly prefix: string;
  readonly submitter: Submitter;
  readonly paymentsQueue: PaymentsQueue;
  /** Those of this engine; a payments worker and a second submitter share them. */
  readonly macs: MessageMacs;
  /** How long a booking's client waits: the deadline of the job that the engine sends. */
  paymentBudgetMs = 10_000;
  /** While true, the engine's payment jobs are lost on their way. */
  losesJobs = false;
  readonly #hot: NativeRedis;
  readonly #role: Role;
  readonly #masters: KeyVersions;

  private constructor(
    lone: LoneEngine,
    redis: RedisProcess,
    connections: Connections<(typeof USES)[number]>,
  ) {
    const { producer, hot, subscriber } = connections;
    const { journal, log } = lone;
    const { installationId } = lone;
    const prefix = queuePrefix(installationId, journal.id);
    const onError = this.#onError;
    const { now } = lone;
    const macs = new MessageMacs(keyVersionsOf(lone.secrets, "quotes"), log);
    const common = { producer, hot, prefix, macs, lanes: RIG_LANES, now, onError, log };
    this.macs = macs;
    this.lone = lone;
    this.redis = redis;
    this.prefix = prefix;
    this.#hot = hot;
    this.#masters = keyVersionsOf(lone.secrets, "encryption");
    this.submitter = new Submitter({
      ...{ ...common, subscriber, instance: "rig" },
      byKey: (key) => journal.byKey(key),
    });
    this.paymentsQueue = new PaymentsQueue(hot, prefix, macs);
    const submit = lone.engine.submit.bind(lone.engine);
    const parts = [
      connections,
      every("tick", TICK_EVERY_MS, () => lone.engine.tick()),
      new InventoryLanes({ ...common, submit }),
      this.submitter,
    ];
    this.#role = roleOf("rig", parts, log);
    lone.onCommitted = (group) => this.#announce(group);
  }

  /** Starts Redis and serves the lanes of a new journal. */
  static async start(): Promise<EngineRig> {
    const lone = new LoneEngine();
    const { dataDir, logger } = lone;
    const redis = await startRedis({ dataDir, maxMemoryMb: 64, log: logger });
    const onError = (error: Error) => logger.warn("redis", { error });
    const rig = new EngineRig(lone, redis, await openConnections(redis, USES, onError));
    await rig.#role.start();
    return rig;
  }

  /** Sends a command as an api does; resolves with the final outcome. */
  submit(command: Command): Promise<Answered> {
    return this.submitter.submit(pack(command), { deadlineMs: PATIENCE_MS });
  }

  /** Places a hold under random ids. Throws when the engine refuses it. */
  async hold(command: PlaceHold): Promise<{ hold_id: string; quote_id: string }> {
    const { outcome } = await this.submit({ ...command, random: randomHex() });
    const isHold = outcome.ok && outcome.kind === "hold";
    if (!isHold) throw new Error(`no hold: ${JSON.stringify(outcome)}`);
    return { hold_id: outcome.data.hold_id, quote_id: command.quote_id };
  }

  /** The command that books a hold with a provider token, encrypted as an api encrypts it. */
  booking(
    hold: { readonly hold_id: string; readonly quote_id: string },
    token: string,
    over: Partial<BeginBooking> = {},
  ): BeginBooking {
    const command = beginBooking(hold, { random: randomHex(), ...over });
    const binding = { tenant_id: command.tenant_id, command: command.key ?? "" };
    const fields = { provider_token: token, full_name: "Ada Lovelace" };
    return { ...command, ...encryptFields(this.#masters, binding, fields) };
  }

  /** The payment that a hold waits for or had last, or null. */
  paymentOf(holdId: string): Payment | null {
    const { engine, records } = this.lone;
    const hold = engine.state.holds.get(holdId) ?? records.hold(holdId);
    return records.payment(hold?.payment_id ?? "");
  }

  /** Starts a payments worker on this engine; end it before the rig. */
  async startPayments(provider: PaymentProvider): Promise<RigPayments> {
    const { records, now, log } = this.lone;
    const connections = await openConnections(this.redis, USES, this.#onError);
    const payments = paymentsOf({
      connections,
      prefix: this.prefix,
      macs: this.macs,
      lanes: RIG_LANES,
      records,
      provider,
      openToken: (payment) => {
        const wrappedKey = records.wrappedKey(payment.booking_id) ?? "";
        const binding = { tenant_id: payment.tenant_id, command: payment.key };
        const opened = decryptFields(this.#masters, binding, payment.encrypted, wrappedKey);
        return opened.provider_token ?? null;
      },
      now,
      log,
    });
    const role = roleOf("payments", [connections, payments], log);
    await role.start();
    const { worker, sweeper } = payments;
    return { worker, sweeper, end: () => endWithin(role, PATIENCE_MS) };
  }

  /** Ends everything and removes the directory. */
  async stop(): Promise<void> {
    await endWithin(this.#role, PATIENCE_MS);
    await this.redis.stop();
    this.lone.close();
  }

  readonly #onError = (error: unknown): void => this.lone.logger.warn("redis", { error });

  #announce(group: Group): void {
    if (group.answered.length > 0) {
      const { prefix, macs, lone } = this;
      const options = { hot: this.#hot, prefix, macs, now: lone.now, onError: this.#onError };
      publishAnswered(group.answered, options);
    }
    if (this.losesJobs) return;
    if (group.due.length === 0) return;
    const deadlineMs = this.lone.now() + this.paymentBudgetMs;
    this.paymentsQueue.nudge(group.due, deadlineMs).catch(this.#onError);
  }
}
