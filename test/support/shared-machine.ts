/**
 * Machines of a journal in PostgreSQL, in the test's own process: each has a session, a copy on a
 * directory of its own and a mirror, and is a real engine once it leads. A pair of servers whose
 * replication can be held.
 */
import type { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instantIso } from "../../engine/core/calendar.ts";
import type { Command } from "../../engine/core/commands.ts";
import type { Outcome } from "../../engine/core/outcomes.ts";
import type { StoredBlock } from "../../engine/log/block.ts";
import { EngineClock } from "../../engine/log/clock.ts";
import { BEGINNING, type Head } from "../../engine/log/head.ts";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";
import { newJournalId } from "../../engine/log/meta.ts";
import { JOURNAL_FORMAT } from "../../engine/log/schema.ts";
import { SYSTEM_TIME } from "../../engine/log/system-time.ts";
import { type Copy, openCopy } from "../../engine/postgres/copy.ts";
import { Mirror } from "../../engine/postgres/mirror.ts";
import { PostgresJournal } from "../../engine/postgres/postgres-journal.ts";
import { Session } from "../../engine/postgres/session.ts";
import { SharedJournal, type Taken } from "../../engine/postgres/shared-journal.ts";
import { Engine } from "../../engine/writer/engine.ts";
import { signReceipt } from "../../engine/writer/receipts.ts";
import { RIG_LANES } from "./lone-engine.ts";
import { PostgresServer } from "./postgres.ts";
import { until } from "./service.ts";
import { TcpProxy } from "./tcp-proxy.ts";

const RECEIPT_KEYS = { active: "v1", keys: { v1: Buffer.alloc(32, 7) } };

/** A primary and its standby, which follows through `replication`. */
export interface Pair {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  readonly replication: TcpProxy;
  readonly stop: () => Promise<void>;
}

/** Starts both; commits wait for the standby. */
export async function startPair(): Promise<Pair> {
  const ends: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const primary = await PostgresServer.start();
    ends.push(() => primary.stop());
    const replication = await TcpProxy.start(primary.port);
    ends.push(() => replication.stop());
    const standby = await primary.startStandby("b", replication.port);
    ends.push(() => standby.stop());
    await primary.setSyncStandbys("ANY 1 (b)");
    return { primary, standby, replication, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves when as many statements that begin so wait for this, as `pg_stat_activity` names it. */
export function untilWaiting(
  server: PostgresServer,
  kind: "SyncRep" | "Lock",
  start: string,
  count = 1,
): Promise<void> {
  return until(`${count} × ${start} wait for ${kind}`, async () => {
    const waiting = await server.query(
      `SELECT pid FROM pg_stat_activity WHERE ltrim(query, E'\\n ') LIKE '${start}%'
          AND state = 'active' AND '${kind}' IN (wait_event, wait_event_type)`,
    );
    return waiting.length === count;
  });
}

/** The journal of a shard, founded if it is new. */
export async function sharedOn(session: Session, shard: number): Promise<SharedJournal> {
  const shared = new SharedJournal(session, shard);
  await found(shared);
  return shared;
}

/** The id of the journal; the first caller founds it. */
function found(shared: SharedJournal) {
  const ids = { journalId: newJournalId(), installationId: "test", secrets: "none" };
  return shared.identity({ ...ids, lanes: RIG_LANES, format: JOURNAL_FORMAT }, BEGINNING);
}

/** Takes the lead from whoever has it. */
export async function takeNow(shared: SharedJournal, owner: string): Promise<Taken> {
  const taken = await shared.take(owner, await shared.leadership());
  if (taken === null) throw new Error(`${owner} did not get the lead`);
  return taken;
}

/** A session whose statements have `replacement` for `part`: a protection is taken away. */
export function mutant(session: Session, part: string, replacement: string): Session {
  const query: Session["query"] = (text, values) => {
    return session.query(text.replace(part, replacement), values);
  };
  return { query } as Session;
}

/** The blocks of a journal's database. */
export function blocksIn(db: Database): StoredBlock[] {
  const reader = new SqliteJournalReader(db);
  return reader.storedBetween(0, reader.head().row);
}

/** The head before a block of these. */
export function headBefore(blocks: readonly StoredBlock[], index: number): Head {
  const before = blocks[index - 1];
  return before ? { row: before.row, chain: before.chain } : BEGINNING;
}

/** A machine on a shard. */
export class Machine {
  readonly directory = mkdtempSync(join(tmpdir(), "innkeep-machine-"));
  readonly path = join(this.directory, "engine", "0.db");
  readonly erasures = join(this.directory, "erasures.log");
  /** What its copy warned of. */
  readonly warnings: string[] = [];
  readonly #ended = Promise.withResolvers<unknown>();
  /** Resolves to the first error that would end the process. */
  readonly ended = this.#ended.promise;
  copy!: Copy;
  mirror!: Mirror;
  journal: PostgresJournal | null = null;
  engine: Engine | null = null;
  readonly shared: SharedJournal;
  readonly #session: Session;
  #journalId = "";

  private constructor(session: Session, shard: number) {
    this.#session = session;
    this.shared = new SharedJournal(session, shard);
  }

  static async open(url: string, shard: number): Promise<Machine> {
    const machine = new Machine(await Session.open(url, "innkeep engine"), shard);
    ({ journalId: machine.#journalId } = await found(machine.shared));
    machine.openCopy();
    return machine;
  }

  /** Opens the copy again, as a start does. `shared`: what the mirror reads instead. */
  openCopy(shared = this.shared): void {
    const { path, erasures } = this;
    const of = { path, erasures, journalId: this.#journalId, lanes: RIG_LANES };
    const warn = (message: string) => void this.warnings.push(message);
    this.copy = openCopy({ ...of, warn, onProgress: () => {} });
    const { journal: copy, records, state } = this.copy;
    this.mirror = new Mirror({ shared, copy, records, state });
  }

  /** Takes the lead, and is an engine from then on. Signs of life are the test's to give. */
  async lead(shared = this.shared): Promise<PostgresJournal> {
    const { copy } = this;
    const taken = await takeNow(this.shared, this.directory);
    await this.mirror.reach(taken.head);
    const onFatal = this.#ended.resolve;
    this.journal = new PostgresJournal({ shared, copy: copy.journal, taken, onFatal });
    this.engine = new Engine({
      ...{ journal: this.journal, records: copy.records, state: copy.state, onFatal },
      reload: copy.reload,
      clock: new EngineClock(SYSTEM_TIME, { lastStampMs: copy.state.stamp }),
      sign: (kind, issuedAtMs, subject) => {
        const issued_at = instantIso(issuedAtMs);
        return signReceipt(RECEIPT_KEYS, { kind, issuer: "rig", issued_at, subject });
      },
      onCommitted: () => {},
      log: (_level, message) => void this.warnings.push(message),
    });
    return this.journal;
  }

  /** What a command came to, in a group of its own. */
  decide(command: Command): Promise<Outcome> {
    return new Promise((resolve) => {
      this.engine!.submit({
        ...{ command, isLapsed: false },
        send: ({ rendered }) => resolve(JSON.parse(rendered?.json ?? "null")),
      });
    });
  }

  /** Ends all and removes the directory. */
  async close(): Promise<void> {
    await this.engine?.stop();
    await this.#session.close();
    this.copy.journal.close();
    rmSync(this.directory, { recursive: true });
  }
}
