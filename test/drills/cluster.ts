/**
 * Three nodes of PostgreSQL, of which one is primary and the others are its standbys: each commit
 * waits for one of them. What a tool such as pg_auto_failover does after a loss is done here by
 * hand, so that a drill times the service and not the tool.
 */
import { PostgresServer } from "../support/postgres.ts";
import { until } from "../support/service.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";

export const NODES = ["a", "b", "c"] as const;
export type Node = (typeof NODES)[number];

/** Bytes of the journal of PostgreSQL that a standby has. */
const RECEIVED = "SELECT pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::text AS bytes";

export class Cluster {
  /** What the standbys follow; it leads to whichever node is primary. */
  readonly replication: TcpProxy;
  readonly #nodes = new Map<Node, PostgresServer>();
  #primary: Node = "a";

  private constructor(replication: TcpProxy) {
    this.replication = replication;
  }

  static async start(): Promise<Cluster> {
    const first = await PostgresServer.start();
    const cluster = new Cluster(await TcpProxy.start(first.port));
    cluster.#nodes.set("a", first);
    try {
      await Promise.all([cluster.rejoin("b"), cluster.rejoin("c")]);
      await cluster.#waitForStandbys();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get primary(): PostgresServer {
    return this.node(this.#primary);
  }

  get primaryNode(): Node {
    return this.#primary;
  }

  get standbys(): Node[] {
    return NODES.filter((name) => name !== this.#primary);
  }

  /** Throws when it has not joined. */
  node(name: Node): PostgresServer {
    const node = this.#nodes.get(name);
    if (!node) throw new Error(`${name} has not joined`);
    return node;
  }

  /** Commits wait for a standby, or for none: only the control wants that. */
  setSynchronous(isSynchronous: boolean): Promise<void> {
    const names = isSynchronous ? `ANY 1 (${this.standbys.join(", ")})` : "";
    return this.primary.setSyncStandbys(names);
  }

  /**
   * Makes a standby primary, the one that has received most: each acknowledged row is on at least
   * one of them. The others follow it.
   */
  async promote(): Promise<void> {
    const received = await Promise.all(
      this.standbys.map(async (name) => {
        const [row] = await this.node(name).query(RECEIVED);
        return { name, bytes: BigInt(String(row?.bytes)) };
      }),
    );
    const best = received.reduce((a, b) => (b.bytes > a.bytes ? b : a));
    this.#primary = best.name;
    const others = this.standbys.join(", ");
    await this.primary.query(`ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (${others})'`);
    await this.primary.query("SELECT pg_reload_conf()");
    await this.primary.promote();
    this.replication.retarget(this.primary.port);
    // What stays connected to a node that is gone, or silent, does not look for another one.
    await this.replication.cut();
    await this.replication.heal();
  }

  /** Removes a node and its data; then a new standby of the primary has its name. */
  async rejoin(name: Node): Promise<void> {
    const former = this.#nodes.get(name);
    // Not in order: a primary would wait for standbys that follow another one.
    await former?.kill();
    await former?.stop();
    this.#nodes.set(name, await this.primary.startStandby(name, this.replication.port));
  }

  /** Resolves when both standbys follow and count. */
  async #waitForStandbys(): Promise<void> {
    await this.setSynchronous(true);
    await until("both standbys follow", async () => {
      const [row] = await this.primary.query(
        "SELECT count(*)::int AS n FROM pg_stat_replication WHERE state = 'streaming'",
      );
      return row?.n === this.standbys.length;
    });
  }

  /** After a promotion: the lost node is a standby again, and commits wait as before. */
  async whole(lost: Node): Promise<void> {
    await this.rejoin(lost);
    await this.#waitForStandbys();
  }

  async stop(): Promise<void> {
    // A primary in an orderly stop waits for standbys that it cannot reach.
    for (const each of this.#nodes.values()) await each.kill();
    for (const each of this.#nodes.values()) await each.stop();
    await this.replication.stop();
  }
}
