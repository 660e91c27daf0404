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
  readonly #notices: string[] = [];
  #end: Error | null = null;

  private constructor(node: string, name: string) {
    const client = new Client(clientOf(node, name));
    this.node = node;
    this.#client = client;
    client.on("notice", (notice) => {
      this.#notices.push(notice.message ?? "a notice");
    });
    client.on("error", (error) => {
      this.#end = error;
    });
    client.on("end", () => {
      this.#end ??= new Error("the connection has ended");
    });
  }

  /**
   * Connects to the first node that takes writes.
   *
   * @throws NoPrimary when none does, with what each answered.
   */
  static async open(databaseUrl: string, name: string): Promise<Session> {
    const problems: string[] = [];
    for (const node of nodesOf(databaseUrl)) {
      const session = new Session(node, name);
      const problem = await session.#connect();
      if (problem === null) return session;
      problems.push(`${new URL(node).host}: ${problem}`);
      await session.close();
    }
    throw new NoPrimary(`no node of DATABASE_URL takes writes: ${problems.join("; ")}`);
  }

  async #connect(): Promise<string | null> {
    try {
      await this.#client.connect();
      // A promoted node is out of recovery and still read-only for a moment.
      const [shown] = await this.query<Shown>("SHOW transaction_read_only");
      if (shown?.transaction_read_only !== "off") return "takes no writes";
      await this.query(WAIT_FOR_STANDBYS);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Whether the connection has ended. */
  get hasEnded(): boolean {
    return this.#end !== null;
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
    if (this.#end !== null) throw new OutcomeUnknown(this.#end.message);
    const { length } = this.#notices;
    try {
      const { rows } = await this.#client.query<R>({ text, values, ...(name && { name }) });
      if (this.#notices.length === length) return rows;
    } catch (cause) {
      throw new OutcomeUnknown(cause instanceof Error ? cause.message : String(cause), { cause });
    }
    throw new OutcomeUnknown(this.#notices.at(-1)!);
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }
}

/** Whatever the role's settings are; `remote_apply` waits for more and stays. */
const WAIT_FOR_STANDBYS = `
SELECT set_config('synchronous_commit', 'on', false)
 WHERE current_setting('synchronous_commit') <> 'remote_apply'`;

interface Shown {
  readonly transaction_read_only: string;
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
