/**
 * One life of the real engine on a real SQLite file: opened, recovered, stepped by hand, and ended
 * where the simulation says. Nothing is replaced but the clock and the point at which it dies.
 */
import type { State } from "../../engine/core/state/state.ts";
import type { Beside } from "../../engine/log/beside.ts";
import { EngineClock } from "../../engine/log/clock.ts";
import { Journal } from "../../engine/log/journal.ts";
import type { JournalWriter } from "../../engine/log/journal-port.ts";
import { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { recordStoreOf } from "../../engine/log/record-store.ts";
import { recover } from "../../engine/log/recover.ts";
import type { EncodedRow } from "../../engine/log/stored-row.ts";
import type { TimeSource } from "../../engine/log/system-time.ts";
import type { TimeLine } from "../../engine/log/time-line.ts";
import { Engine } from "../../engine/writer/engine.ts";
import type { Group } from "../../engine/writer/group.ts";
import { type ReceiptKeys, signReceipt } from "../../engine/writer/receipts.ts";
import { PACKED_FROM_BYTES } from "../support/packed-from.ts";

/** The process is gone. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** Wall and steady clock in one hand; only a jump moves them apart. */
export class SimTime implements TimeSource {
  readonly #startMs: number;
  #wall: number;
  #monotonic = 0;

  constructor(wallMs: number) {
    this.#startMs = wallMs;
    this.#wall = wallMs;
  }

  readonly wallMs = () => this.#wall;
  readonly monotonicMs = () => this.#monotonic;

  advance(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
  }

  jumpWall(ms: number): void {
    this.#wall += ms;
  }

  setRight(): void {
    this.#wall = this.#startMs + this.#monotonic;
  }
}

/** What the journal is asked for: to write rows, or to let answers leave that need none. */
export type Step = "rows" | "answers alone";

/** A journal behind a network: a commit is under way until the simulation lets it land. */
class Commit implements PromiseLike<void> {
  readonly step: Step;
  readonly #work: () => void;
  #then: readonly [done: () => void, failed: (error: unknown) => void] = [() => {}, () => {}];

  constructor(step: Step, work: () => void) {
    this.step = step;
    this.#work = work;
  }

  // biome-ignore lint/suspicious/noThenProperty: the engine waits for it as for a promise.
  then<A = void, B = never>(
    done?: ((value: undefined) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B> {
    this.#then = [() => void done?.(undefined), (error) => void failed?.(error)];
    return this as unknown as PromiseLike<A | B>;
  }

  /**
   * It is durable, or nobody knows what became of it: `isLost`, and it was not written. `onDurable`
   * is called before the engine hears of it.
   */
  land(isLost: boolean, onDurable: () => void): void {
    const [done, failed] = this.#then;
    try {
      if (isLost) throw new Crash("commit lost");
      this.#work();
      onDurable();
    } catch (error) {
      return failed(error);
    }
    done();
  }
}

class SimJournal extends Journal implements JournalWriter {
  /** Set: the process dies when everything of the group is written and nothing committed. */
  isDoomed = false;
  /** Set: the next commit is under way until it lands. */
  isAway = false;
  underWay: Commit | null = null;
  /** Called once, when a group is decided and nothing of it has reached the journal. */
  onDecided: ((step: Step) => void) | null = null;
  /** What the last append failed with. */
  failure: unknown = null;

  override append(rows: readonly EncodedRow[], beside: Beside): PromiseLike<void> | undefined {
    return this.#ask("rows", () => this.#write(rows, beside));
  }

  /** A commit calls it too, when it lands and is no longer away. */
  override checkFence(): undefined {
    // The port lets a journal answer later; the one on SQLite never does.
    return this.#ask("answers alone", () => super.checkFence()) as undefined;
  }

  /** Asks for the fence itself, when a group failed before it asked for anything. */
  override causeOf(error: unknown): unknown {
    this.isAway = false;
    return super.causeOf(error);
  }

  #ask(step: Step, work: () => void): PromiseLike<void> | undefined {
    const { isAway, onDecided } = this;
    this.isAway = false;
    this.onDecided = null;
    onDecided?.(step);
    if (!isAway) return void work();
    this.underWay = new Commit(step, work);
    return this.underWay;
  }

  #write(rows: readonly EncodedRow[], beside: Beside): undefined {
    try {
      super.append(rows, this.isDoomed ? dooming(beside) : beside);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

/** Findings are written last. */
function dooming(beside: Beside): Beside {
  function* findings() {
    yield* beside.findings;
    throw new Crash("before commit");
  }
  return { ...beside, findings: findings() };
}

const RECEIPT_KEYS: ReceiptKeys = { active: "sim", keys: { sim: new Uint8Array(32).fill(7) } };

export interface ShardOptions {
  readonly path: string;
  readonly time: TimeSource;
  /** The operator accepts a wall clock beyond the bounds. */
  readonly isAccepted: boolean;
  /** The line of the shard before, when that one crashed. */
  readonly former: TimeLine | null;
  readonly publish: (line: TimeLine) => void;
  readonly ignoreSnapshots: boolean;
  readonly onCommitted: (group: Group) => void;
}

export class Shard {
  readonly journal: SimJournal;
  readonly engine: Engine;
  readonly clock: EngineClock;
  readonly reader: RecordReaderOn;
  /** Row of the snapshot it was recovered from; 0 when the journal alone was read. */
  readonly snapshotRow: number;
  #isClosed = false;
  /** What ended it. */
  fatal: unknown = null;
  /** Decisions that threw: bugs, although the engine outlives them. */
  readonly threw: object[] = [];

  /** Opens the journal, fences every older engine, recovers. Throws Damage as recovery does. */
  constructor(options: ShardOptions) {
    const { path, time, ignoreSnapshots, onCommitted } = options;
    const { isAccepted, former, publish } = options;
    this.journal = new SimJournal(path, { lanes: 4, packedFromBytes: PACKED_FROM_BYTES });
    const { db, keys, id: journalId } = this.journal;
    const base = { path, journalId, keys, tracksExpiry: true, ignoreSnapshots };
    const fold = () => recover(db, base);
    try {
      this.journal.takeEpoch();
      const { state, snapshotRow } = fold();
      this.snapshotRow = snapshotRow;
      this.reader = new RecordReaderOn(db);
      this.clock = new EngineClock(time, {
        ...{ lastStampMs: state.stamp, former, isAccepted, publish },
      });
      this.engine = new Engine({
        journal: this.journal,
        records: recordStoreOf(this.journal),
        state,
        clock: this.clock,
        sign: (kind, at, subject) =>
          signReceipt(RECEIPT_KEYS, {
            kind,
            issuer: "https://sim.example.com",
            issued_at: new Date(at).toISOString(),
            subject,
          }),
        reload: () => fold().state,
        onCommitted,
        onFatal: (error) => {
          this.fatal = error;
        },
        log: (_level, message, fields) => {
          if (message === "a decision threw") this.threw.push(fields ?? {});
        },
      });
    } catch (error) {
      this.journal.close();
      throw error;
    }
  }

  get state(): State {
    return this.engine.state;
  }

  /** From now on, or no longer, the disk has no page to spare. */
  fillDisk(isFull: boolean): void {
    const pages = this.journal.db.query<{ page_count: number }, []>("PRAGMA page_count").get();
    const limit = isFull ? (pages?.page_count ?? 1) : 0x3fff_ffff;
    this.journal.db.run(`PRAGMA max_page_count = ${limit}`);
  }

  /** Lets go of the file. The journal's witness and the WAL are left as they are. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.engine.stop();
    this.journal.close();
  }
}
