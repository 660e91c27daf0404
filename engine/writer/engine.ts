/**
 * The single writer. The path of a command: `waiting.ts` (its queue), this file (its group), then
 * `decider.ts` (its key, decision and row) and `group.ts` (the rows and replies of its group).
 *
 * Maintained invariants:
 * - Order. Commands of a queue are decided in the order of their arrival, one after the other, each
 *   on the rows of all before it; rows and replies have the same order.
 * - One fsync. All rows of a group, and the records they change, are one transaction. A failed
 *   group has no effect: memory is folded again from the journal. There is no other undo, so no
 *   event can lack one.
 * - Answers after the commit. No reply leaves before the rows of its group are durable, and none
 *   leaves a fenced engine.
 * - One group in flight. While a commit is under way commands gather and none is decided: nothing
 *   is decided on rows that may never be, and the next group is the larger for it.
 */
import type { State } from "../core/state/state.ts";
import { isDiskFull } from "../log/care/damage.ts";
import type { RecordStore } from "../log/record-store.ts";
import { Decider, type DeciderOptions } from "./decider.ts";
import { Group, transientReply } from "./group.ts";
import { type Fifo, type Submission, Waiting } from "./waiting.ts";

/** The first of these limits ends a group. */
const GROUP_COMMANDS_MAX = 1_024;
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
const GROUP_DECIDING_MS_MAX = 20;
/** Limits of supply changes in a group, after all other commands; at least one is taken. */
const BULK_DECIDING_MS_MAX = 4;
const BULK_BYTES_MAX = 128 * 1024;
const PROBE_EVERY_MS = 1_000;

export interface EngineOptions extends DeciderOptions {
  /** Folds the journal again after a failed group. */
  readonly reload: () => State;
  /** Called after every commit, before the answers. */
  readonly onCommitted: (group: Group) => void;
  /** The process must end: fenced, or a disk error that needs a fresh start. */
  readonly onFatal: (error: unknown) => void;
}

export class Engine {
  readonly #options: EngineOptions;
  readonly stats = { groups: 0, commands: 0, rows: 0, commitMs: 0, largestGroup: 0 };
  readonly #waiting = new Waiting();
  /** Commands of this group that continue in the next one. */
  #deferred: Submission[] = [];
  #isScheduled = false;
  #isTickDue = false;
  #isStopped = false;
  #commitStartedMs = 0;
  /** While the disk is full: time of the next write attempt. */
  #probeAtMs = 0;
  #group = new Group();
  /** While a commit is under way: what `stop` waits for. */
  #inFlight: Promise<void> | null = null;
  readonly #decider: Decider;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#decider = new Decider(options);
    options.journal.witness();
  }

  get state(): State {
    return this.#decider.state;
  }

  get records(): RecordStore {
    return this.#options.records;
  }

  /** False while the disk takes no writes. */
  get isWritable(): boolean {
    return this.#probeAtMs === 0;
  }

  get queued(): number {
    return this.#waiting.size;
  }

  /** Takes a command; the next group decides it. */
  submit(submission: Submission): void {
    this.#waiting.push(submission);
    this.#schedule();
  }

  /**
   * Makes the next group process due work: expiries, payments without a verdict, the move of the
   * window.
   */
  tick(): void {
    this.#isTickDue = true;
    this.#schedule();
  }

  /** Takes no more groups; the promise is of the one whose commit is under way. */
  stop(): Promise<void> | undefined {
    this.#isStopped = true;
    return this.#inFlight ?? undefined;
  }

  /**
   * Runs one group now, unless one is in flight; called by the scheduler, and by the simulation to
   * step.
   */
  runGroup(): void {
    if (this.#inFlight !== null || this.#isStopped) return;
    this.#group = new Group();
    try {
      if (this.#isDiskStillFull()) return;
      this.#fillGroup();
      const commit = this.#commit();
      if (commit === undefined) this.#answer();
      else this.#waitFor(commit);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** The group answers when its commit is durable. A rejection leaves its outcome unknown. */
  #waitFor(commit: PromiseLike<void>): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#inFlight = promise;
    const land = (work: () => void) => {
      this.#inFlight = null;
      try {
        work();
      } catch (error) {
        this.#failed(error);
      }
      resolve();
      if (this.#isBusy) this.#schedule();
    };
    commit.then(
      () => land(() => this.#answer()),
      (error) => land(() => this.#fatal(this.#options.journal.causeOf(error))),
    );
  }

  get #isBusy(): boolean {
    return this.queued > 0 || this.#isTickDue;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isStopped) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isStopped) return;
      this.runGroup();
      if (this.#inFlight === null && this.#isBusy) this.#schedule();
    });
  }

  #fillGroup(): void {
    this.#decider.begin(this.#group);
    if (this.#isTickDue) this.#isTickDue = this.#decider.decideDue();
    this.#decideSome(this.#waiting.normal, GROUP_DECIDING_MS_MAX, GROUP_BYTES_MAX);
    this.#waiting.normal.putBack(this.#deferred);
    this.#deferred = [];
    this.#decideSome(this.#waiting.bulk, BULK_DECIDING_MS_MAX, BULK_BYTES_MAX);
  }

  /** Decides at least one waiting command, and more within the limits. */
  #decideSome(waiting: Fifo<Submission>, msMax: number, bytesMax: number): void {
    const endMs = performance.now() + msMax;
    const endBytes = this.#group.bytes + bytesMax;
    for (let count = 1; waiting.size > 0 && count <= GROUP_COMMANDS_MAX; count += 1) {
      const submission = waiting.take()!;
      if (!this.#decider.decide(submission)) this.#deferred.push(submission);
      if (this.#group.bytes >= endBytes || performance.now() > endMs) break;
    }
  }

  /** Makes the group durable; undefined when it is. */
  #commit(): PromiseLike<void> | undefined {
    const { journal, records } = this.#options;
    const { rows, answers } = this.#group;
    if (this.#isWriting) {
      this.#commitStartedMs = performance.now();
      return journal.append(rows, records.changes());
    }
    // Replays and unsealed refusals write nothing, but a fenced engine must not send them.
    return answers.length > 0 ? journal.checkFence() : undefined;
  }

  /** Whether the group has anything to write. */
  get #isWriting(): boolean {
    return this.#group.rows.length > 0 || this.#options.records.hasFindings;
  }

  #answer(): void {
    const { records } = this.#options;
    const { rows, answers } = this.#group;
    if (this.#isWriting) {
      this.stats.commitMs += performance.now() - this.#commitStartedMs;
      this.stats.groups += 1;
      this.stats.rows += rows.length;
    }
    records.clear();
    this.stats.commands += answers.length;
    this.stats.largestGroup = Math.max(this.stats.largestGroup, answers.length);
    this.#options.onCommitted(this.#group);
    for (const { send, reply } of answers) send(reply);
    this.#betweenGroups();
  }

  /** The group before has its answers: a failure here does not concern it. */
  #betweenGroups(): void {
    try {
      this.#options.journal.maybeCheckpoint(performance.now());
    } catch (error) {
      // The next group meets the full disk itself.
      if (!isDiskFull(error)) this.#fatal(this.#options.journal.causeOf(error));
    }
  }

  /** Nothing of the group is committed: folds the journal again; callers send again. */
  #failed(error: unknown): void {
    const { answers } = this.#group;
    this.#options.records.clear();
    this.#options.log("error", "a group did not commit", { error: String(error) });
    if (!isDiskFull(error)) return this.#fatal(this.#options.journal.causeOf(error));
    try {
      this.#decider.state = this.#options.reload();
    } catch (unreadable) {
      return this.#fatal(unreadable);
    }
    this.#probeAtMs = performance.now() + PROBE_EVERY_MS;
    for (const { reply, send } of answers) send(transientReply(reply.key, null));
  }

  /** Memory may be ahead of the journal from here on, so deciding stops. */
  #fatal(error: unknown): void {
    this.#isStopped = true;
    this.#options.onFatal(error);
  }

  /** With a full disk every command is refused at once; a write attempt each second ends that. */
  #isDiskStillFull(): boolean {
    if (this.#probeAtMs === 0) return false;
    if (performance.now() >= this.#probeAtMs) {
      if (this.#options.journal.probe()) {
        this.#probeAtMs = 0;
        this.#options.log("info", "the disk takes writes again");
        return false;
      }
      this.#probeAtMs = performance.now() + PROBE_EVERY_MS;
    }
    this.#isTickDue = false;
    for (const { command, send } of this.#waiting.takeAll()) {
      send(transientReply(command.key, null));
    }
    return true;
  }
}
