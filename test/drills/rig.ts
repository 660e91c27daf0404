/**
 * What a drill is done on: two machines over three nodes of PostgreSQL and one Redis, with clients
 * that book, cancel and hold. Each machine reaches each node through a line of its own, which can
 * be cut, silent or slow.
 */
import { loadSecrets } from "../../src/access/privacy/secrets.ts";
import { commandIdOf } from "../crash/audit-deeds.ts";
import { journalPathOf, logged, pidOf } from "../crash/faults.ts";
import { type Deed, Load } from "../crash/load.ts";
import { auditCopies, commandIdsIn, leadsOn, OtherMachine, SETTINGS } from "../crash/machines.ts";
import { takeSnapshot, verdict } from "../crash/verdict.ts";
import { Service } from "../support/service.ts";
import { SharedRedis } from "../support/shared-redis.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";
import { Cluster, NODES, type Node } from "./cluster.ts";
import { Probe } from "./probe.ts";

/** `service` runs all parts; `other` an engine alone. */
export type MachineName = "service" | "other";
export const MACHINES: readonly MachineName[] = ["service", "other"];

type Fault = "kill" | "suspend" | "end";
const SIGNALS = { kill: "SIGKILL", suspend: "SIGSTOP", end: "SIGTERM" } as const;

const AGAIN_MS = 200;

export class Rig {
  readonly cluster: Cluster;
  readonly service: Service;
  readonly other: OtherMachine;
  readonly load: Load;
  readonly #probe: Probe;
  readonly #lines: Lines;
  readonly #redis: SharedRedis;
  readonly #stop: () => Promise<void>;
  /** Resolves when the other machine's engine, which a drill has failed, runs again. */
  #isBack: Promise<void> = Promise.resolve();
  #isEnding = false;

  private constructor(parts: Parts, load: Load, probe: Probe, stop: () => Promise<void>) {
    ({ cluster: this.cluster, service: this.service, other: this.other } = parts);
    this.#lines = parts.lines;
    this.#redis = parts.redis;
    this.load = load;
    this.#probe = probe;
    this.#stop = stop;
    void this.#superviseOther();
  }

  /** Starts all of it; `seed` is that of the clients. */
  static async start(seed: number): Promise<Rig> {
    const ends: (() => unknown)[] = [];
    const stop = async () => {
      for (const end of ends.splice(0).toReversed()) await end();
    };
    try {
      const parts = await startParts(ends);
      const { service } = parts;
      const load = await Load.start({ service, seed, fastClients: 3, slowClients: 1 });
      return new Rig(parts, load, await Probe.start(service, load), stop);
    } catch (error) {
      await stop();
      throw error;
    }
  }

  /** Milliseconds from an instant to the first acknowledgement of a hold that began after it. */
  async firstHoldMs(sinceMs: number): Promise<number> {
    return (await this.load.firstAfter("hold", sinceMs)).endedMs - sinceMs;
  }

  /** Holds that were acknowledged, by the clock of `performance.now()`. */
  get acknowledgedHolds(): readonly Deed[] {
    return this.load.deeds.filter(({ kind, answer }) => kind === "hold" && answer.status === 201);
  }

  /** Which machine's engine leads. Throws when it is none of ours. */
  async leader(): Promise<MachineName> {
    const { primary } = this.cluster;
    for (const name of MACHINES) if (await leadsOn(primary, this[name].dataDir)) return name;
    throw new Error("neither machine leads");
  }

  /**
   * Fails the engine of a machine, and what would start it again; resolves to what brings both
   * back. A suspended engine must be refused when it wakes.
   */
  failEngine(name: MachineName, fault: Fault): () => Promise<void> {
    return name === "service" ? this.#failOwn(fault) : this.#failOther(fault);
  }

  #failOwn(fault: Fault): () => Promise<void> {
    const { service } = this;
    const [engine, supervisor] = [pidOf(service, "engine"), pidOf(service, "supervisor")];
    if (fault !== "end") process.kill(supervisor, "SIGSTOP");
    process.kill(engine, SIGNALS[fault]);
    let from = service.log.length;
    return async () => {
      if (fault !== "end") from = service.log.length;
      if (fault === "suspend") {
        process.kill(engine, "SIGCONT");
        await logged(service, ({ pid, error }) => pid === engine && isFenced(error), from);
      }
      process.kill(supervisor, "SIGCONT");
      await logged(service, ({ msg, role }) => role === "engine" && msg === "ready", from);
    };
  }

  #failOther(fault: Fault): () => Promise<void> {
    const { other } = this;
    const away = Promise.withResolvers<void>();
    this.#isBack = away.promise;
    other.send(SIGNALS[fault]);
    const from = other.log.length;
    return async () => {
      if (fault === "suspend") other.send("SIGCONT");
      await other.ended();
      if (fault === "suspend" && !isFenced(other.log.slice(from))) {
        throw new Error("an engine that slept was not refused");
      }
      await other.start();
      away.resolve();
    };
  }

  /** Starts the other machine's engine again when it has ended by itself, as a supervisor does. */
  async #superviseOther(): Promise<void> {
    while (!this.#isEnding) {
      await this.other.ended();
      await this.#isBack;
      if (this.other.isRunning || this.#isEnding) continue;
      await this.other.start().catch(() => Bun.sleep(AGAIN_MS));
    }
  }

  /** Of a machine to every node. */
  linesOf(machine: MachineName): readonly TcpProxy[] {
    return NODES.map((node) => this.#lines.of(machine, node));
  }

  /** After a promotion: the lost node is a standby again, and reached as before. */
  async rejoin(lost: Node): Promise<void> {
    await this.cluster.whole(lost);
    this.#lines.retarget(lost, this.cluster.node(lost).port);
  }

  /** Kills Redis with all that it holds; resolves when an empty one is in its place. */
  replaceRedis(): Promise<void> {
    return this.#redis.replace();
  }

  /** The writes that were acknowledged and are not in PostgreSQL. */
  async lost(): Promise<readonly Deed[]> {
    // Before the journal is read: what is acknowledged later may be in later rows.
    const acknowledged = this.load.deeds.filter(({ answer }) => answer.code === null);
    const there = await commandIdsIn(this.cluster.primary);
    const hmacKey = Buffer.from(loadSecrets(this.service.dataDir, {}).hmac_key, "base64url");
    return acknowledged.filter((deed) => !there.has(commandIdOf(deed, hmacKey)));
  }

  /**
   * Ends the clients and goes through the books: each write is asked for again, and journal, money,
   * records, both copies and PostgreSQL are compared. Names all that is wrong.
   */
  async audit(): Promise<string[]> {
    const { service, other, load } = this;
    await this.#probe.stop();
    this.#isEnding = true;
    takeSnapshot(journalPathOf(service));
    await other.end("SIGTERM");
    const problems = await verdict(service, load, { lag: true });
    return [...problems, ...(await auditCopies(this.cluster.primary, { service, other }))];
  }

  /** Ends everything that was started. */
  stop(): Promise<void> {
    this.#isEnding = true;
    return this.#stop();
  }
}

function isFenced(text: unknown): boolean {
  return String(text).includes("Fenced: ");
}

interface Parts {
  readonly cluster: Cluster;
  readonly lines: Lines;
  readonly redis: SharedRedis;
  readonly service: Service;
  readonly other: OtherMachine;
}

async function startParts(ends: (() => unknown)[]): Promise<Parts> {
  const cluster = await Cluster.start();
  ends.push(() => cluster.stop());
  const lines = await Lines.start(cluster);
  ends.push(() => lines.stop());
  const redis = await SharedRedis.start();
  ends.push(() => redis.stop());
  const env = { ...SETTINGS, HOLD_TTL_S: "15", REDIS_URL: redis.url };
  const urls = { service: lines.urlOf("service"), other: lines.urlOf("other") };
  const service = await Service.start({ ...env, DATABASE_URL: urls.service, API_PROCESSES: "1" });
  ends.push(() => service.stop());
  const other = new OtherMachine({ ...env, DATABASE_URL: urls.other }, service);
  ends.push(() => other.remove());
  await other.start();
  return { cluster, lines, redis, service, other };
}

/** A line from each machine to each node. */
class Lines {
  readonly #lines = new Map<string, TcpProxy>();

  static async start(cluster: Cluster): Promise<Lines> {
    const lines = new Lines();
    for (const machine of MACHINES) {
      for (const node of NODES) {
        lines.#lines.set(`${machine} ${node}`, await TcpProxy.start(cluster.node(node).port));
      }
    }
    return lines;
  }

  of(machine: MachineName, node: Node): TcpProxy {
    return this.#lines.get(`${machine} ${node}`)!;
  }

  /** `DATABASE_URL` of a machine. */
  urlOf(machine: MachineName): string {
    const hosts = NODES.map((node) => `127.0.0.1:${this.of(machine, node).port}`);
    return `postgres://innkeep@${hosts.join(",")}/innkeep`;
  }

  retarget(node: Node, port: number): void {
    for (const machine of MACHINES) this.of(machine, node).retarget(port);
  }

  async stop(): Promise<void> {
    for (const line of this.#lines.values()) await line.stop();
  }
}
