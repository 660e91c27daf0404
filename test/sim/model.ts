/**
 * The naive model: what the domain rules say must come of each command, written from the rules and
 * not from the engine. It follows the engine group by group and objects to the first difference:
 * an outcome, a row's events, a key's standing, a sequence number, an expiry that was not due.
 *
 * Expiry is the one thing the engine may do at a time of its own choosing, so the model treats a
 * hold past its time as gone and only checks that its `hold.expired` is journaled, once, and not
 * too early.
 */
import { instantIso } from "../../engine/core/calendar.ts";
import { decodeRow } from "../../engine/core/codec/row-codec.ts";
import type { Command } from "../../engine/core/commands.ts";
import type { Row } from "../../engine/core/events/event.ts";
import type { Outcome } from "../../engine/core/outcomes.ts";
import { pageStart } from "../../engine/core/state/nights.ts";
import type { Group, Reply } from "../../engine/writer/group.ts";
import { check, same } from "./check.ts";
import { expectDecision, expectPolicy } from "./model-authorizations.ts";
import { expectDesk, expectErased, expectNote } from "./model-desk.ts";
import { expectDispute } from "./model-disputes.ts";
import { expectExtend, expectPlaceHold, expectRelease } from "./model-holds.ts";
import {
  expectAcknowledge,
  expectResolve,
  expectScan,
  followIncidents,
  isPast,
} from "./model-incidents.ts";
import {
  dataOf,
  type Expected,
  type ModelKey,
  ModelLedger,
  type ModelPayment,
  noted,
  refused,
} from "./model-ledger.ts";
import { expectModify } from "./model-modify.ts";
import {
  expectBooking,
  expectCancel,
  expectPaymentResult,
  expectReference,
  expectRefundResult,
} from "./model-money.ts";
import { expectSupply, type Moment } from "./model-properties.ts";
import { expectDeskRefund } from "./model-refunds.ts";

const DAY_MS = 86_400_000;
const GIVE_UP_MS = 24 * 3_600_000;
const SETTLE_MS = 4_500;

export interface Sent {
  readonly command: Command;
  readonly isLapsed: boolean;
}

/** What a group did beyond answering its commands, for the world to act on and to count. */
export type Note =
  | "hold expired"
  | "a person acted for an operator"
  | "a person placed a hold"
  | "a person was told what another one did"
  | "wait given up"
  | "incident passed"
  | "cancellation sealed without its refund"
  | "window moved"
  | "clock set back"
  | "clock set forward";

export class Model {
  readonly ledger = new ModelLedger();
  readonly #note: (note: Note) => void;
  row = 0;
  baseDay = 0;
  /** Nights from here on are remembered: one is forgotten for each day that was lived. */
  keptDay = 0;
  lastStamp = 0;
  /** By how much the clock was set back in all. */
  setBackMs = 0;

  constructor(note: (note: Note) => void) {
    this.#note = note;
  }

  /** Follows a group that was committed; `sent` are its commands in the order of its answers. */
  follow(group: Group, sent: readonly Sent[], stamp: number): void {
    const rows = group.rows.map(({ payload }) => decodeRow(payload));
    const answered: unknown[] = [];
    let at = 0;
    const due = () => {
      while (rows[at]?.actor.id === "engine")
        this.#system(this.#enter(rows[at++]!, stamp), answered);
    };
    due();
    group.answers.forEach(({ reply }, i) => {
      due();
      const { command } = sent[i]!;
      const expected = this.#expect(sent[i]!, stamp);
      this.#compare(command, expected, reply);
      if (expected.events.length === 0 && !expected.key) {
        same(reply.row, expected.row ?? 0, `${command.type}: row of the reply`);
        return;
      }
      const row = rows[at++];
      check(row?.trace_id === command.trace_id, () => `${command.type} left no row of its own`);
      this.#enter(row, stamp);
      this.#followRow(row, command, expected, reply);
      const isOwn = expected.key?.key === command.key;
      if (expected.key && !isOwn) answered.push(answeredBy(row));
    });
    due();
    same(at, rows.length, "rows of the group");
    same(
      group.answered.map(({ key, phase, row, rendered }) => [key, phase, row, rendered!.json]),
      answered,
      "answered keys",
    );
  }

  /** After a tick nothing that time alone makes due is left. */
  checkNothingDue(stamp: number): void {
    for (const hold of this.ledger.open) {
      const isDue = hold.state === "held" && stamp >= hold.expiresAt;
      check(!isDue, () => `hold ${hold.id} is due and not expired`);
      const since = hold.payment?.createdAt ?? stamp;
      const isOverdue = hold.state === "confirming" && stamp - since >= GIVE_UP_MS;
      check(!isOverdue, () => `hold ${hold.id} waits for ever`);
    }
    for (const refund of this.ledger.refunds.values()) {
      const isLate = refund.waiting && stamp - refund.createdAt >= SETTLE_MS;
      check(!isLate, () => `the cancellation of refund ${refund.id} waits for ever`);
    }
    same(this.baseDay, Math.floor(stamp / DAY_MS) - 2, "base day");
  }

  /** What every row must keep: dense rows and sequence numbers, and time that never runs back. */
  #enter(row: Row, stamp: number): Row {
    this.row += 1;
    same(row.row, this.row, "row number");
    same(row.stamp, stamp, "stamp");
    if (row.events[0]?.type === "clock.corrected") this.#corrected(row);
    check(row.stamp >= this.lastStamp, "journal time ran backwards");
    this.lastStamp = row.stamp;
    followIncidents(row, this.ledger);
    if (row.tenant_id === "") return row;
    const scope = `${row.tenant_id} ${row.mode}`;
    for (const event of row.events) {
      const next = (this.ledger.seqs.get(scope) ?? 0) + 1;
      same(event.seq, next, `seq of ${event.type}`);
      this.ledger.seqs.set(scope, next);
    }
    return row;
  }

  #followRow(row: Row, command: Command, expected: Expected, reply: Reply): void {
    this.#byWhom(row, command);
    const types = typesOf(row).filter((type) => {
      return !isOfIncidents(type) || expected.events.includes(type);
    });
    same(types, expected.events, `events of row ${row.row}`);
    same(row.key, expected.key, `key of row ${row.row}`);
    same(row.phase, expected.key && expected.phase, `phase of row ${row.row}`);
    same(reply.row, row.row, "row of the reply");
    if (row.key && reply.rendered !== null) {
      same(JSON.stringify(row.outcome), reply.rendered.json, "stored outcome");
    }
    this.#keep(row);
    expected.apply?.(row);
  }

  /** A row says who acted, and the person if there was one. */
  #byWhom({ row, actor, events }: Row, command: Command): void {
    const { kind, id, person_id = null } = command.actor;
    const said = [actor.kind, actor.id, actor.person_id ?? null];
    same(said, [kind, id, person_id], `actor of row ${row}`);
    if (person_id === null) return;
    this.#note("a person acted for an operator");
    if (events[0]?.type === "hold.created") this.#note("a person placed a hold");
  }

  /** A key is the operator's: its people share it. */
  #noteOther({ actor: { person_id } }: Command, known: ModelKey): void {
    if (!person_id || !known.person_id || person_id === known.person_id) return;
    this.#note("a person was told what another one did");
  }

  #keep(row: Row): void {
    if (!row.key || !row.phase) return;
    const { key, body_hash, agent_id } = row.key;
    check(this.ledger.keys.get(key)?.phase !== "sealed", () => `key ${key} was sealed twice`);
    const outcomeJson = JSON.stringify(row.outcome);
    const { row: at, phase, actor } = row;
    const { person_id } = actor;
    this.ledger.keys.set(key, { row: at, phase, body_hash, agent_id, person_id, outcomeJson });
  }

  #compare(command: Command, expected: Expected, reply: Reply): void {
    const what = command.type;
    same(reply.key, expected.under ?? command.key ?? null, `${what}: key of the reply`);
    const context = () =>
      `${what} came to ${reply.phase} ${reply.rendered?.json}, not to ${JSON.stringify(expected)}`;
    check(reply.phase === expected.phase, context);
    const isReplay = expected.replays !== undefined && expected.events.length === 0;
    check(reply.replayed === isReplay, context);
    if (expected.replays !== undefined)
      return check((reply.rendered?.json ?? null) === expected.replays, context);
    check(reply.rendered !== null, context);
    const outcome = JSON.parse(reply.rendered.json) as Outcome;
    check((outcome.ok ? undefined : outcome.code) === expected.code, context);
    check((outcome.ok ? outcome.kind : undefined) === expected.kind, context);
    const told: Readonly<Record<string, unknown>> = outcome.ok ? outcome.data : outcome.detail;
    for (const [name, value] of Object.entries(expected.has ?? {})) {
      check(JSON.stringify(told[name]) === JSON.stringify(value), context);
    }
    expected.inspect?.(outcome);
  }

  /** Supply can be set for eight pages of 128 nights from the base day's on, and is kept longer. */
  #momentAt(stamp: number): Moment {
    const lastDay = pageStart(this.baseDay) + 8 * 128 - 1;
    return { stamp, firstDay: pageStart(this.keptDay), lastDay };
  }

  #expect({ command, isLapsed }: Sent, stamp: number): Expected {
    const under = command.key ?? "";
    const known = this.ledger.keys.get(under);
    if (known) {
      const isSame = known.body_hash === command.body_hash && known.agent_id === command.actor.id;
      if (!isSame) return refused(command, "idempotency_conflict");
      const { row, phase } = known;
      const replays = phase === "running" ? null : known.outcomeJson;
      if (phase !== "open") this.#noteOther(command, known);
      if (phase !== "open") return { phase, replays, row, events: [], key: null, under };
    }
    if (isLapsed) return refused(command, "upstream_unavailable", { reason: "deadline" });
    const { ledger } = this;
    switch (command.type) {
      case "PlaceHold":
        return expectPlaceHold(command, stamp, ledger);
      case "ExtendHold":
        return expectExtend(command, stamp, ledger);
      case "ReleaseHold":
        return expectRelease(command, stamp, ledger);
      case "BeginBooking":
        return expectBooking(command, stamp, ledger);
      case "CancelBooking":
        return expectCancel(command, stamp, ledger);
      case "CancelAtDesk":
      case "CancelByGuest":
      case "CheckInGuest":
      case "UndoCheckIn":
      case "RecordNoShow":
      case "CompleteStay":
        return expectDesk(command, stamp, ledger);
      case "ModifyBooking":
        return expectModify(command, stamp, ledger);
      case "GrantAuthorization":
      case "ApproveAuthorization":
      case "RevokeAuthorization":
        return expectDecision(command, stamp, ledger);
      case "SetAuthorizationPolicy":
        return expectPolicy(command, ledger);
      case "ScanOversell":
        return expectScan(command, this.#momentAt(stamp), ledger);
      case "AcknowledgeIncident":
        return expectAcknowledge(command, stamp, ledger);
      case "ResolveIncident":
        return expectResolve(command, this.#momentAt(stamp), ledger);
      case "AddBookingNote":
        return expectNote(command, ledger);
      case "EraseGuest":
        return expectErased(command, ledger);
      case "RefundPayment":
      case "RetryRefund":
      case "SettleRefundElsewhere":
        return expectDeskRefund(command, ledger);
      case "RecordPaymentReference":
        return expectReference(command, ledger);
      case "RecordPaymentResult":
        return expectPaymentResult(command, stamp, ledger);
      case "RecordRefundResult":
        return expectRefundResult(command, ledger);
      case "RecordDispute":
        return expectDispute(command, ledger);
      case "CheckRecord":
        return noted(false);
      case "AdvanceTestClock":
        throw new Error("the simulation moves the engine's clock alone");
      default:
        return expectSupply(command, this.#momentAt(stamp), ledger);
    }
  }

  /** A row that time alone made. */
  #system(row: Row, answered: unknown[]): void {
    this.#keep(row);
    if (row.key) answered.push(answeredBy(row));
    const types = typesOf(row)
      .filter((type) => !isOfIncidents(type))
      .join(" ");
    if (types === "hold.expired") return this.#expired(row);
    if (types === "payment.outcome_unknown hold.expired") return this.#gaveUp(row);
    if (types === "clock.corrected") return;
    if (types === "horizon.advanced") {
      const { base_day } = dataOf(row, "horizon.advanced");
      check(base_day > this.baseDay, "the window moved back");
      this.keptDay = this.baseDay === 0 ? base_day : Math.min(base_day, this.keptDay + 1);
      this.baseDay = base_day;
      return this.#note("window moved");
    }
    if (types === "" && row.key === null) return this.#passed(row);
    check(types === "", () => `an unexpected row: ${types}`);
    const refund = [...this.ledger.refunds.values()].find(
      ({ waiting }) => waiting?.key === row.key?.key,
    );
    check(refund !== undefined, () => `nothing waited for key ${row.key?.key}`);
    check(row.stamp - refund.createdAt >= SETTLE_MS, "a cancellation was sealed too early");
    same([row.phase, row.outcome?.ok], ["sealed", true], "sealed cancellation");
    refund.waiting = null;
    this.#note("cancellation sealed without its refund");
  }

  /** An accepted start: whatever is open keeps the time that it had left, and its age. */
  #corrected(row: Row): void {
    const { from, to } = dataOf(row, "clock.corrected");
    same([from, to], [instantIso(this.lastStamp), instantIso(row.stamp)], "corrected clock");
    const backMs = this.lastStamp - row.stamp;
    this.lastStamp = row.stamp;
    if (backMs <= 0) {
      check(-backMs > 45 * DAY_MS, "the clock was set forward although no start was refused");
      return this.#note("clock set forward");
    }
    this.setBackMs += backMs;
    this.baseDay = Math.min(this.baseDay, Math.floor(row.stamp / DAY_MS) - 2);
    this.keptDay = Math.min(this.keptDay, this.baseDay);
    for (const hold of this.ledger.open) hold.expiresAt -= backMs;
    const isWaiting = (payment: ModelPayment | null) => {
      return payment?.state === "pending" || payment?.state === "unknown";
    };
    for (const payment of this.ledger.payments.values()) {
      if (isWaiting(payment)) payment.createdAt -= backMs;
    }
    for (const refund of this.ledger.refunds.values()) {
      if (refund.state === "pending") refund.createdAt -= backMs;
    }
    for (const each of this.ledger.authorizations.values()) {
      const isOpen = each.state === "pending" || each.state === "approved";
      const mayReturn = each.state === "consumed" && isWaiting(each.usedBy);
      if ((isOpen && each.expiresAt > row.stamp) || mayReturn) each.expiresAt -= backMs;
    }
    this.#note("clock set back");
  }

  /** The nights of an incident are over. */
  #passed(row: Row): void {
    const { incident_id, reason } = dataOf(row, "inventory.oversell_resolved");
    same(reason, "passed", "reason of an incident that ended by time");
    const incident = this.ledger.incidents.get(incident_id)!;
    check(isPast(incident, row.stamp, this.ledger), () => `${incident_id} passed too early`);
    this.#note("incident passed");
  }

  #expired(row: Row): void {
    const hold = this.ledger.holds.get(dataOf(row, "hold.expired").hold_id);
    const isDue = hold?.state === "held" && row.stamp >= hold.expiresAt;
    check(isDue, () => `hold ${hold?.id} expired while ${hold?.state}`);
    this.ledger.end(hold, "expired", row.stamp);
    this.#note("hold expired");
  }

  #gaveUp(row: Row): void {
    const payment = this.ledger.payments.get(dataOf(row, "payment.outcome_unknown").payment_id);
    check(payment !== undefined, "gave up waiting for an unknown payment");
    check(row.stamp - payment.createdAt >= GIVE_UP_MS, "gave up waiting too early");
    same(payment.hold.state, "confirming", "hold of the payment given up");
    same([row.key, row.phase], [payment.key, "sealed"], "key of the payment given up");
    same(row.outcome?.ok === false && row.outcome.code, "payment_failed", "outcome given up");
    payment.state = "unknown";
    this.ledger.end(payment.hold, "expired", row.stamp);
    this.#note("wait given up");
  }
}

function answeredBy(row: Row): unknown[] {
  return [row.key?.key, row.phase, row.row, JSON.stringify(row.outcome)];
}

function typesOf({ events }: Row): string[] {
  return events.map(({ type }) => type);
}

/** Incidents open and end in rows of other things: `IncidentChecks` says where they must. */
function isOfIncidents(type: string): boolean {
  return type === "inventory.oversell_detected" || type === "inventory.oversell_resolved";
}
