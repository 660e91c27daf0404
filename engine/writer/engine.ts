/**
 * The single writer. The commands of all lanes meet here; everything in flight becomes one group,
 * one transaction and one fsync, and only then replies leave.
 *
 * Maintained invariant: memory is never ahead of the journal when a reply leaves. A failed group
 * leaves memory wrong, so the state is folded again from the journal. There is no other undo, so no
 * event can lack one.
 */

import { refuseDamaged, refuseUnreadable } from "../core/check-record.ts";
import type { Command } from "../core/commands.ts";
import { decide } from "../core/decide.ts";
import { type Context, type Decision, refusal } from "../core/decision.ts";
import {
  clockCorrection,
  type DueDecision,
  dueHoldsMet,
  expiryOf,
  horizonMove,
  nextExpiry,
  nextGivenUp,
} from "../core/due/due-by-time.ts";
import { evolve } from "../core/evolve.ts";
import { type Rejection, RenderedOutcome } from "../core/outcomes.ts";
import { RecordDamaged } from "../core/record-damage.ts";
import type { State } from "../core/state/state.ts";
import { Damage, isDiskFull } from "../log/care/damage.ts";
import type { RecordStore } from "../log/record-store.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { Fifo } from "./fifo.ts";
import {
  Group,
  isRepeat,
  type KeyState,
  keyOf,
  keyStateOf,
  type Reply,
  transientReply,
} from "./group.ts";
import { SupplyBudget } from "./supply-budget.ts";
import { type Submission, Waiting } from "./waiting.ts";

/** The first of these limits ends a group. */
const GROUP_COMMANDS_MAX = 1_024;
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
const GROUP_DECIDING_MS_MAX = 20;
/** Limits of supply changes in a group, after all other commands; at least one is taken. */
const BULK_DECIDING_MS_MAX = 4;
const BULK_BYTES_MAX = 128 * 1024;
/** Due work is done in slices so that commands come between; a row costs about 40 µs. */
const TICK_ROWS_MAX = 128;
/** Due holds that one command expires on its own nights before it lets others go first. */
const EXPIRIES_PER_COMMAND_MAX = 128;
const PROBE_EVERY_MS = 1_000;

export class Engine {
  readonly #options: EngineOptions;
  readonly #records: RecordStore;
  readonly stats = { groups: 0, commands: 0, rows: 0, commitMs: 0, largestGroup: 0 };
  #state: State;
  readonly #waiting = new Waiting();
  readonly #supplyBudget: SupplyBudget;
  /** Commands of this group that continue in the next one. */
  #deferred: Submission[] = [];
  #isScheduled = false;
  #isTickDue = false;
  #isStopped = false;
  /** While the disk is full: time of the next write attempt. */
  #probeAtMs = 0;
  #group = new Group();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#records = options.records;
    this.#supplyBudget = new SupplyBudget(options.supplyBytesPerDay ?? Number.POSITIVE_INFINITY);
    options.journal.witness();
  }

  get state(): State {
    return this.#state;
  }

  get records(): RecordStore {
    return this.#records;
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

  stop(): void {
    this.#isStopped = true;
  }

  /** Runs one group now; called by the scheduler, and by the simulation to step. */
  runGroup(): void {
    if (this.#isStopped || this.#isDiskStillFull()) return;
    this.#group = new Group();
    try {
      this.#fillGroup();
      this.#commit();
    } catch (error) {
      this.#failed(error);
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isStopped) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isStopped) return;
      this.runGroup();
      if (this.queued > 0 || this.#isTickDue) this.#schedule();
    });
  }

  #fillGroup(): void {
    const ctx = this.#context();
    const corrected = clockCorrection(ctx);
    if (corrected) this.#acceptDue(corrected, ctx);
    if (this.#isTickDue) this.#processDue();
    this.#processSome(this.#waiting.normal, GROUP_DECIDING_MS_MAX, GROUP_BYTES_MAX);
    this.#waiting.normal.putBack(this.#deferred);
    this.#deferred = [];
    this.#processSome(this.#waiting.bulk, BULK_DECIDING_MS_MAX, BULK_BYTES_MAX);
  }

  /** Processes at least one waiting command, and more within the limits. */
  #processSome(waiting: Fifo<Submission>, msMax: number, bytesMax: number): void {
    const endMs = performance.now() + msMax;
    const endBytes = this.#group.bytes + bytesMax;
    for (let count = 1; waiting.size > 0 && count <= GROUP_COMMANDS_MAX; count += 1) {
      this.#process(waiting.take()!);
      if (this.#group.bytes >= endBytes || performance.now() > endMs) break;
    }
  }

  #context(): Context {
    const { clock, sign } = this.#options;
    const row = this.#state.row + 1;
    return { state: this.#state, records: this.#records, stamp: clock.now(), row, sign };
  }

  #processDue(): void {
    this.#isTickDue = false;
    const moved = horizonMove(this.#context());
    if (moved) this.#acceptDue(moved, this.#context());
    for (let rows = 0; rows < TICK_ROWS_MAX; rows += 1) {
      const ctx = this.#context();
      const due = this.#nextDue(ctx);
      if (!due) return;
      this.#acceptDue(due, ctx);
    }
    this.#isTickDue = true;
  }

  /** The next due decision. A throw ends this tick but not its group; the next tick tries again. */
  #nextDue(ctx: Context): DueDecision | null {
    try {
      return nextExpiry(ctx) ?? nextGivenUp(ctx);
    } catch (error) {
      this.#logThrown(error, { type: "what is due" });
      return null;
    }
  }

  #process(submission: Submission): void {
    const { command } = submission;
    let keyState: KeyState | null;
    try {
      keyState = command.key ? this.#keyState(command.key) : null;
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      return this.#accept(submission, this.#refuseThrown(command, error)!, this.#context());
    }
    if (keyState && !isRepeat(command, keyState)) {
      const detail = { key_scope: "agent" };
      return this.#refuse(submission, { code: "idempotency_conflict", detail });
    }
    if (keyState && keyState.phase !== "open") {
      const { key, row, phase } = keyState;
      const rendered = phase === "running" ? null : keyState.rendered;
      return this.#answer(submission, { key, phase, replayed: true, row, rendered });
    }
    if (submission.isLapsed) {
      const detail = { upstream: "engine", reason: "deadline" };
      return this.#refuse(submission, { code: "upstream_unavailable", detail });
    }
    let ctx = this.#context();
    const overspent = this.#supplyBudget.refusalOf(command, ctx.stamp);
    if (overspent) return this.#refuse(submission, overspent);
    let decision = this.#decide(command, ctx);
    const expired = this.#expireDueHolds(command, decision, ctx);
    if (expired > 0) {
      ctx = this.#context();
      decision = this.#decide(command, ctx);
      const isMore = expired === EXPIRIES_PER_COMMAND_MAX && decision?.outcome.ok === false;
      if (isMore) return void this.#deferred.push(submission);
    }
    if (decision) this.#accept(submission, decision, ctx);
    else this.#refuse(submission, { code: "internal_error", detail: {} });
  }

  /**
   * The decision; null when it threw a bug. Deciding changes nothing, so a bug fails this command
   * alone; a throw while memory changes fails the whole group.
   */
  #decide(command: Command, ctx: Context): Decision | null {
    try {
      return decide(command, ctx);
    } catch (error) {
      return this.#refuseThrown(command, error);
    }
  }

  /** The refusal of a command that met damage; null for a bug. */
  #refuseThrown(command: Command, error: unknown): Decision | null {
    const { type, trace_id } = command;
    this.#logThrown(error, { type, trace_id });
    if (error instanceof Damage) return refuseUnreadable(command, error.damage);
    return error instanceof RecordDamaged ? refuseDamaged(command, error) : null;
  }

  /** Quarantines a damaged record with this group and logs it once; logs anything else as a bug. */
  #logThrown(error: unknown, about: object): void {
    const isDamage = error instanceof RecordDamaged;
    if (isDamage && !this.#records.putFinding(error, this.#state.stamp)) return;
    this.#options.log("error", "a decision threw", { ...about, error: String(error) });
  }

  /** Expires due holds on the nights of a refused command, which may then succeed; their number. */
  #expireDueHolds(command: Command, decision: Decision | null, at: Context): number {
    if (!decision || decision.outcome.ok) return 0;
    const met = dueHoldsMet(command, decision.outcome.code, at, EXPIRIES_PER_COMMAND_MAX);
    for (const hold of met) {
      const ctx = this.#context();
      this.#acceptDue(expiryOf(hold, ctx), ctx);
    }
    return met.length;
  }

  #keyState(key: string): KeyState | null {
    const inGroup = this.#group.keyStates.get(key);
    if (inGroup) return inGroup;
    const row = this.#options.journal.byKey(key);
    return row && keyStateOf(row);
  }

  #accept(submission: Submission, decision: Decision, ctx: Context): void {
    const { command } = submission;
    const { events, outcome, phase } = decision;
    const rendered = new RenderedOutcome(outcome);
    const ownKey = phase === "transient" ? null : keyOf(command);
    // A generated key is never repeated: it is stored only together with events.
    const isKeyStored = ownKey !== null && command.is_anonymous !== true;
    const isWritten = events.length > 0 || isKeyStored || decision.key !== undefined;
    const row = isWritten ? ctx.row : 0;
    if (isWritten) {
      const { tenant_id, mode, actor, trace_id } = command;
      const key = decision.key ?? ownKey;
      const about = { tenant_id, mode, actor, trace_id, key, phase: key && phase };
      const bytesBefore = this.#group.bytes;
      this.#write({ ...about, events }, rendered, ctx);
      this.#supplyBudget.spend(command, ctx.stamp, this.#group.bytes - bytesBefore);
      const { subjectKey } = decision;
      if (subjectKey) this.#records.putSubjectKey(subjectKey);
    }
    if (decision.key) {
      this.#group.answered.push({ key: decision.key.key, phase, replayed: false, row, rendered });
    }
    const key = command.key ?? null;
    const shown = phase === "running" ? null : rendered;
    this.#answer(submission, { key, phase, replayed: false, row, rendered: shown });
  }

  #acceptDue({ tenant_id, mode, decision }: DueDecision, ctx: Context): void {
    const rendered = new RenderedOutcome(decision.outcome);
    const key = decision.key ?? null;
    const { trace_id } = decision.outcome;
    const about = { tenant_id, mode, actor: SYSTEM, trace_id, key, phase: key && decision.phase };
    this.#write({ ...about, events: decision.events }, rendered, ctx);
    if (key) {
      const { phase } = decision;
      const { row } = ctx;
      this.#group.answered.push({ key: key.key, phase, replayed: false, row, rendered });
    }
  }

  #write(
    about: Omit<Parameters<Group["addRow"]>[0], "row" | "stamp">,
    rendered: RenderedOutcome,
    ctx: Context,
  ): void {
    const row = { row: ctx.row, stamp: ctx.stamp, ...about };
    this.#group.addRow(row, rendered);
    if (row.key) this.#records.putOutcome(row.key.key, rendered.outcome);
    evolve(this.#state, { ...row, outcome: null }, this.#records);
  }

  #refuse(submission: Submission, rejection: Rejection): void {
    const { command } = submission;
    const outcome = refusal(command, rejection);
    this.#answer(submission, transientReply(command.key, outcome));
  }

  #answer({ send }: Submission, reply: Reply): void {
    this.#group.answers.push({ reply, send });
  }

  #commit(): void {
    const { journal } = this.#options;
    const { rows, answers } = this.#group;
    if (rows.length > 0 || this.#records.hasFindings) {
      const started = performance.now();
      journal.append(rows, () => this.#records.flush());
      this.stats.commitMs += performance.now() - started;
      this.stats.groups += 1;
      this.stats.rows += rows.length;
    } else if (answers.length > 0) {
      // Replays and unsealed refusals write nothing, but a fenced engine must not send them.
      journal.checkFence();
    }
    this.#records.clear();
    this.stats.commands += answers.length;
    this.stats.largestGroup = Math.max(this.stats.largestGroup, answers.length);
    this.#options.onCommitted(this.#group);
    for (const { send, reply } of answers) send(reply);
    journal.maybeCheckpoint(performance.now());
  }

  /** Nothing of the group is committed: folds the journal again; callers send again. */
  #failed(error: unknown): void {
    const { answers } = this.#group;
    this.#records.clear();
    this.#options.log("error", "a group did not commit", { error: String(error) });
    if (!isDiskFull(error)) return this.#fatal(this.#options.journal.causeOf(error));
    try {
      this.#state = this.#options.reload();
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

const SYSTEM = { kind: "system", id: "engine" } as const;
