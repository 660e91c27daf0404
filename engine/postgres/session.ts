/**
 * One connection to the node of PostgreSQL that takes writes. Statements run one after the other.
 *
 * Maintained invariant: a statement that returns was durable on a standby, if the database waits
 * for one. A cancelled wait for a standby is only a notice to the client, beside the answer of a
 * success, so a notice fails the statement that it comes with.
 */
import { Client, type ClientConfig, type QueryResultRow } from "pg";
import { nodesOf } from "./database-url.ts";

/** A node that is gone or whose address drops packets must not delay the next one for long. */
const CONNECT_MS = 1_000;
const COMMIT_MS = 3_000;
const CLOSE_MS = 1_000;
/** As many nodes can lose one and still have a standby to wait for. */
const NODES_WITH_SPARE = 3;
/** Idle connections show their end by probes of the system. */
const KEEP_ALIVE_MS = 1_000;

/** A statement whose effect is not known: it may be durable or not. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

/** No node of the address takes writes now. */
export class NoPrimary extends Error {
  override readonly name = "NoPrimary";
}

export class Session {
  /** URL of its node, for other sessions on the same one. */
  readonly node: string;
  readonly #client: Client;
  #notice: string | null = null;
  /** When the statement under way began; null for none. */
  #sinceMs: number | null = null;
  /** Settles with the last statement. */
  #last: Promise<void> = Promise.resolve();
  #end: Error | null = null;

  private constructor(node: string, name: string) {
    const client = new Client(clientOf(node, name));
    this.node = node;
    this.#client = client;
    client.on("notice", (notice) => {
      this.#notice = notice.message ?? "a notice";
    });
    client.on("error", (error) => {
      this.#end = error;
    });
    client.on("end", () => {
      this.#end ??= new Error("the connection has ended");
    });
  }

  /**
   * Connects to the node that takes writes. Of three or more nodes it must wait for a standby:
   * a tool that has promoted it may let it commit alone until another one follows, and what is
   * acknowledged meanwhile would be lost with it.
   *
   * @throws NoPrimary when none does, with what each answered.
   */
  static async open(databaseUrl: string, name: string): Promise<Session> {
    const nodes = nodesOf(databaseUrl);
    const mustWait = nodes.length >= NODES_WITH_SPARE;
    const attempts = nodes.map(async (node) => {
      const session = new Session(node, name);
      const problem = await session.#connect(mustWait);
      if (problem === null) return session;
      await session.close();
      throw new NoPrimary(`${new URL(node).host}: ${problem}`);
    });
    // All at once: a silent node takes its time.
    const found = await Promise.any(attempts).catch(({ errors }: AggregateError) => {
      const problems = errors.map(({ message }: Error) => message).join("; ");
      throw new NoPrimary(`no node of DATABASE_URL takes writes: ${problems}`);
    });
    const closeOther = async (attempt: Promise<Session>) => {
      const session = await attempt.catch(() => found);
      if (session !== found) await session.close();
    };
    for (const attempt of attempts) void closeOther(attempt);
    return found;
  }

  async #connect(mustWait: boolean): Promise<string | null> {
    try {
      await this.#client.connect();
      // A promoted node is out of recovery and still read-only for a moment.
      const [shown] = await this.query<Shown>(SHOWN);
      if (shown?.transaction_read_only !== "off") return "takes no writes";
      if (mustWait && shown.synchronous_standby_names === "") return "waits for no standby";
      await this.query(WAIT_FOR_STANDBYS);
      return (await this.#commits()) ? null : "does not commit";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /**
   * Whether it commits in time, before anything is read. A primary that returned from the dead
   * shows rows that were never acknowledged, and cannot commit. After this commit, all that was
   * visible before is on a standby too.
   */
  async #commits(): Promise<boolean> {
    const [found] = await this.query<{ barrier: string | null }>(
      "SELECT to_regclass('barrier')::text AS barrier",
    );
    // A database without our tables has nothing to be lost.
    if (found!.barrier === null) return true;
    const commit = this.query("UPDATE barrier SET n = n + 1").then(() => true);
    commit.catch(() => {});
    return await Promise.race([commit, Bun.sleep(COMMIT_MS).then(() => false)]);
  }

  /** The process of the server, and for how long it has been at one statement. */
  get busy(): { readonly pid: number; readonly ms: number } {
    const { processID } = this.#client as Client & { readonly processID: number };
    const ms = this.#sinceMs === null ? 0 : performance.now() - this.#sinceMs;
    return { pid: processID, ms };
  }

  /**
   * Runs one statement by itself and returns its rows. One with a `name` is parsed once.
   *
   * @throws OutcomeUnknown after any error and any notice.
   */
  async query<R extends QueryResultRow>(
    text: string,
    values: unknown[] = [],
    name?: string,
  ): Promise<R[]> {
    const before = this.#last;
    const run = Promise.withResolvers<void>();
    this.#last = run.promise;
    await before;
    this.#sinceMs = performance.now();
    try {
      return await this.#run<R>(text, values, name);
    } finally {
      this.#sinceMs = null;
      run.resolve();
    }
  }

  async #run<R extends QueryResultRow>(text: string, values: unknown[], name?: string) {
    if (this.#end !== null) throw new OutcomeUnknown(this.#end.message);
    this.#notice = null;
    try {
      const { rows } = await this.#client.query<R>({ text, values, ...(name && { name }) });
      if (this.#notice === null) return rows;
    } catch (cause) {
      throw new OutcomeUnknown(cause instanceof Error ? cause.message : String(cause), { cause });
    }
    throw new OutcomeUnknown(this.#notice);
  }

  /** Ends the connection; a server that is silent is not waited for. */
  async close(): Promise<void> {
    const ended = this.#client.end().catch(() => {});
    await Promise.race([ended, Bun.sleep(CLOSE_MS)]);
  }
}

/** Whatever the role's settings are; `remote_apply` waits for more and stays. */
const WAIT_FOR_STANDBYS = `
SELECT set_config('synchronous_commit', 'on', false)
 WHERE current_setting('synchronous_commit') <> 'remote_apply'`;

const SHOWN = `
SELECT current_setting('transaction_read_only') AS transaction_read_only,
  current_setting('synchronous_standby_names') AS synchronous_standby_names`;

interface Shown {
  readonly transaction_read_only: string;
  readonly synchronous_standby_names: string;
}

function clientOf(node: string, name: string): ClientConfig {
  return {
    connectionString: node,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}
