/**
 * Decides commands and due work into a group. A row changes memory at once, so that later commands
 * of the group see it; the engine then commits the group, or folds memory again.
 */

import { refuseDamaged } from "../core/check-record.ts";
import type { Command } from "../core/commands.ts";
import { Damage } from "../core/damage.ts";
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
import { nextPassed } from "../core/due/passed.ts";
import { inRealm } from "../core/due/test-clock.ts";
import type { KeyRef, Row } from "../core/events/event.ts";
import { evolve } from "../core/evolve.ts";
import { type Rejection, RenderedOutcome } from "../core/outcomes.ts";
import { RecordDamaged } from "../core/record-damage.ts";
import type { State } from "../core/state/state.ts";
import type { Realm } from "../core/supply.ts";
import type { EngineClock } from "../log/clock.ts";
import type { JournalWriter } from "../log/journal-port.ts";
import type { RecordStore } from "../log/record-store.ts";
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
import type { Submission } from "./waiting.ts";

/** Due work is done in slices so that commands come between; a row costs about 40 µs. */
const DUE_ROWS_MAX = 128;
/** The same after a move of a test clock: under 100 ms; the tick does more. */
const DUE_ROWS_OF_TEST_CLOCK_MAX = 1_000;
/** Due holds that one command expires on its own nights before it lets others go first. */
const EXPIRIES_PER_COMMAND_MAX = 128;

const SYSTEM = { kind: "system", id: "engine" } as const;

export interface DeciderOptions {
  readonly journal: JournalWriter;
  /** The records written beside the journal's rows. */
  readonly records: RecordStore;
  readonly state: State;
  readonly clock: EngineClock;
  readonly sign: Context["sign"];
  /** Journal bytes of supply changes per tenant and day; absent means unlimited. */
  readonly supplyBytesPerDay?: number;
  readonly log: (level: "info" | "warn" | "error", message: string, fields?: object) => void;
}

export class Decider {
  /** The fold of all rows, those of the group included. */
  state: State;
  readonly #options: DeciderOptions;
  readonly #supplyBudget: SupplyBudget;
  #group = new Group();
  /** Whether incidents may have passed: after a start, a day, or a move of a test clock. */
  #mayHavePassed = true;

  constructor(options: DeciderOptions) {
    this.#options = options;
    this.state = options.state;
    this.#supplyBudget = new SupplyBudget(options.supplyBytesPerDay ?? Number.POSITIVE_INFINITY);
  }

  /** Continues in a new group. After an accepted clock its first row is the correction. */
  begin(group: Group): void {
    this.#group = group;
    const ctx = this.#context();
    const corrected = clockCorrection(ctx);
    if (corrected) this.#acceptDue(corrected, ctx);
  }

  /** Decides due work; true when more is due. */
  decideDue(rowsMax = DUE_ROWS_MAX): boolean {
    const moved = horizonMove(this.#context());
    if (moved) {
      this.#acceptDue(moved, this.#context());
      this.#mayHavePassed = true;
    }
    for (let rows = 0; rows < rowsMax; rows += 1) {
      const ctx = this.#context();
      const due = this.#nextDue(ctx);
      if (!due) return false;
      this.#acceptDue(due, ctx);
    }
    return true;
  }

  /** The next due decision. A throw ends this tick but not its group; the next tick tries again. */
  #nextDue(ctx: Context): DueDecision | null {
    try {
      const due = nextExpiry(ctx) ?? nextGivenUp(ctx);
      if (due || !this.#mayHavePassed) return due;
      const passed = nextPassed(ctx);
      this.#mayHavePassed = passed !== null;
      return passed;
    } catch (error) {
      this.#logThrown(error, { type: "due work" });
      return null;
    }
  }

  /**
   * Answers a command by its key, or decides it. False when the next group must decide it, because
   * too many holds on its nights expire.
   */
  decide(submission: Submission): boolean {
    const { command } = submission;
    if (this.#answerByKey(submission)) return true;
    if (submission.isLapsed) {
      const detail = { upstream: "engine", reason: "deadline" };
      return this.#refuse(submission, { code: "upstream_unavailable", detail });
    }
    let ctx = this.#context(command);
    const overspent = this.#supplyBudget.refusalOf(command, ctx.stamp);
    if (overspent) return this.#refuse(submission, overspent);
    let decision = this.#decisionOf(command, ctx);
    const expired = this.#expireDueHolds(command, decision, ctx);
    if (expired > 0) {
      ctx = this.#context(command);
      decision = this.#decisionOf(command, ctx);
      if (expired === EXPIRIES_PER_COMMAND_MAX && decision?.outcome.ok === false) return false;
    }
    if (!decision) return this.#refuse(submission, { code: "internal_error", detail: {} });
    this.#accept(submission, decision, ctx);
    // In the group of its answer: a caller that has the answer sees the due holds expired.
    if (command.type === "AdvanceTestClock") {
      this.#mayHavePassed = true;
      this.decideDue(DUE_ROWS_OF_TEST_CLOCK_MAX);
    }
    return true;
  }

  /** Answers a command whose key is sealed, running, another request's or unreadable. */
  #answerByKey(submission: Submission): boolean {
    const { command } = submission;
    let keyState: KeyState | null;
    try {
      keyState = command.key ? this.#keyState(command.key) : null;
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      return this.#accept(submission, this.#refuseThrown(command, error)!, this.#context(command));
    }
    if (!keyState) return false;
    if (!isRepeat(command, keyState)) {
      const detail = { key_scope: "agent" };
      return this.#refuse(submission, { code: "idempotency_conflict", detail });
    }
    const { key, row, phase } = keyState;
    if (phase === "open") return false;
    const rendered = phase === "running" ? null : keyState.rendered;
    return this.#answer(submission, { key, phase, replayed: true, row, rendered });
  }

  #keyState(key: string): KeyState | null {
    const inGroup = this.#group.keyStates.get(key);
    if (inGroup) return inGroup;
    const row = this.#options.journal.byKey(key);
    return row && keyStateOf(row);
  }

  /**
   * The decision; null when it threw a bug. Deciding changes nothing, so a bug fails this command
   * alone; a throw while memory changes fails the whole group.
   */
  #decisionOf(command: Command, ctx: Context): Decision | null {
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
    return error instanceof Damage ? refuseDamaged(command, error) : null;
  }

  /** Quarantines a damaged record with this group and logs it once; logs anything else as a bug. */
  #logThrown(error: unknown, about: object): void {
    const isDamage = error instanceof RecordDamaged;
    if (isDamage && !this.#options.records.putFinding(error, this.state.stamp)) return;
    this.#options.log("error", "a decision threw", { ...about, error: String(error) });
  }

  /** Expires due holds on the nights of a refused command, which may then succeed; their number. */
  #expireDueHolds(command: Command, decision: Decision | null, at: Context): number {
    if (!decision || decision.outcome.ok) return 0;
    const met = dueHoldsMet(command, decision.outcome.code, at, EXPIRIES_PER_COMMAND_MAX);
    for (const hold of met) {
      const ctx = this.#context(hold);
      this.#acceptDue(expiryOf(hold, ctx), ctx);
    }
    return met.length;
  }

  #accept(submission: Submission, decision: Decision, ctx: Context): true {
    const { command } = submission;
    const { events, outcome, phase, subjectKey } = decision;
    const rendered = new RenderedOutcome(outcome);
    const ownKey = phase === "transient" ? null : keyOf(command);
    // A generated key is never repeated: it is stored only together with events.
    const isKeyStored = ownKey !== null && command.is_anonymous !== true;
    const isWritten = events.length > 0 || isKeyStored || decision.key !== undefined;
    if (isWritten) {
      const bytesBefore = this.#group.bytes;
      this.#write(command, decision, decision.key ?? ownKey, rendered, ctx);
      this.#supplyBudget.spend(command, ctx.stamp, this.#group.bytes - bytesBefore);
      if (subjectKey) this.#options.records.putSubjectKey(subjectKey);
    }
    const key = command.key ?? null;
    const row = isWritten ? ctx.row : 0;
    const shown = phase === "running" ? null : rendered;
    return this.#answer(submission, { key, phase, replayed: false, row, rendered: shown });
  }

  #acceptDue({ tenant_id, mode, decision }: DueDecision, ctx: Context): void {
    const { outcome, key = null } = decision;
    const source = { tenant_id, mode, actor: SYSTEM, trace_id: outcome.trace_id };
    this.#write(source, decision, key, new RenderedOutcome(outcome), inRealm(ctx, source));
  }

  /** Adds the row of a decision to the group and folds it. `key`: the key that the row sets. */
  #write(
    { tenant_id, mode, actor, trace_id }: Pick<Row, "tenant_id" | "mode" | "actor" | "trace_id">,
    { events, phase, key: answered }: Decision,
    key: KeyRef | null,
    rendered: RenderedOutcome,
    { row, stamp, now }: Context,
  ): void {
    const moved = now === stamp ? undefined : { clock_offset_ms: now - stamp };
    const source = { row, stamp, ...moved, tenant_id, mode, actor, trace_id };
    const written = { ...source, key, phase: key && phase, events };
    this.#group.addRow(written, rendered);
    if (key) this.#options.records.putOutcome(key.key, rendered.outcome);
    evolve(this.state, { ...written, outcome: null }, this.#options.records);
    if (!answered) return;
    this.#group.answered.push({ key: answered.key, phase, replayed: false, row, rendered });
  }

  #refuse(submission: Submission, rejection: Rejection): true {
    const { command } = submission;
    const outcome = refusal(command, rejection);
    return this.#answer(submission, transientReply(command.key, outcome));
  }

  /** Returns true: the command needs no other group. */
  #answer({ send }: Submission, reply: Reply): true {
    this.#group.answers.push({ reply, send });
    return true;
  }

  /** With the time of the realm; without one, with the engine's. */
  #context(realm?: Realm): Context {
    const { clock, sign, records } = this.#options;
    const { state } = this;
    const stamp = clock.now();
    const ctx = { state, records, stamp, now: stamp, row: state.row + 1, sign };
    return realm ? inRealm(ctx, realm) : ctx;
  }
}
