/**
 * Specification by example for the pure core: `given(...commands).when(command)` decides, folds
 * what was decided the way a journal row is folded, and says what it came to. Time stands still
 * unless `at` moves it.
 */
import { expect } from "bun:test";
import type { Authorization } from "../../engine/core/authorization.ts";
import type { Command } from "../../engine/core/commands.ts";
import { decide } from "../../engine/core/decide.ts";
import type { Context, Decision } from "../../engine/core/decision.ts";
import {
  clockCorrection,
  type DueDecision,
  horizonMove,
  nextExpiry,
  nextGivenUp,
} from "../../engine/core/due/due-by-time.ts";
import { nextPassed } from "../../engine/core/due/passed.ts";
import { inRealm } from "../../engine/core/due/test-clock.ts";
import type { Event, Row } from "../../engine/core/events/event.ts";
import { evolve } from "../../engine/core/evolve.ts";
import type { Outcome, Receipt } from "../../engine/core/outcomes.ts";
import type { OversellIncident } from "../../engine/core/oversell-incident.ts";
import type { Booking, Hold, Payment, RecordSink, Refund } from "../../engine/core/records.ts";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import { State } from "../../engine/core/state/state.ts";
import type { Realm } from "../../engine/core/supply.ts";
import type { Owned } from "../../engine/core/visibility.ts";
import { isLive } from "../../engine/log/authorization-index.ts";
import { NOON } from "./builders.ts";

const DAY_MS = 86_400_000;

/** The projections as maps. Values are copies, as they would be when read from a file. */
class MapRecords implements RecordSink {
  readonly #docs = new Map<string, string>();

  #get<T>(id: string): T | null {
    const doc = this.#docs.get(id);
    return doc === undefined ? null : (JSON.parse(doc) as T);
  }
  hold = (id: string) => this.#get<Hold>(id);
  booking = (id: string) => this.#get<Booking>(id);
  payment = (id: string) => this.#get<Payment>(id);
  refund = (id: string) => this.#get<Refund>(id);
  authorization = (id: string) => this.#get<Authorization>(id);
  incident = (id: string) => this.#get<OversellIncident>(id);
  outcomeOf = (key: string) => this.#get<Outcome>(key);
  putHold = (hold: Hold) => this.put(hold.hold_id, hold);
  putBooking = (booking: Booking) => this.put(booking.booking_id, booking);
  putPayment = (payment: Payment) => this.put(payment.payment_id, payment);
  putRefund = (refund: Refund) => this.put(refund.refund_id, refund);
  /** Bookings whose data keys are deleted. */
  readonly erased = new Set<string>();
  eraseSubjectKey = (id: string) => void this.erased.add(id);
  putIncident = (each: OversellIncident) => this.put(each.incident_id, each);
  putAuthorization = (each: Authorization) => this.put(each.authorization_id, each);

  put(id: string, value: unknown): void {
    this.#docs.set(id, JSON.stringify(value));
  }

  isCodeTaken(tenantId: string, code: string): boolean {
    return this.#bookings().some(
      (booking) => booking.tenant_id === tenantId && booking.confirmation_code === code,
    );
  }

  pendingRefunds(): string[] {
    const ids = [...this.#docs.keys()].filter((id) => id.startsWith("rfd_"));
    return ids.filter((id) => this.#get<Refund>(id)?.state === "pending");
  }

  liveAuthorizations(of: Owned & { readonly atMs: number }): Authorization[] {
    return this.#authorizations().filter((each) => isLive(each, of));
  }

  liveAuthorizationIds(atMs: number, realm?: Realm): string[] {
    const of = (each: Authorization) => ({ ...each, ...realm, atMs });
    const live = this.#authorizations().filter((each) => isLive(each, of(each)));
    return live.map(({ authorization_id }) => authorization_id);
  }

  #authorizations(): Authorization[] {
    const ids = [...this.#docs.keys()].filter((id) => id.startsWith("aut_"));
    return ids.map((id) => this.#get<Authorization>(id)!);
  }

  soldBookings(roomTypeId: string): Booking[] {
    return this.#bookings().filter(
      (booking) => booking.quote.room_type_id === roomTypeId && booking.state !== "cancelled",
    );
  }

  #bookings(): Booking[] {
    return [...this.#docs.keys()]
      .filter((id) => id.startsWith("bkg_"))
      .map((id) => this.#get<Booking>(id)!);
  }
}

/** A receipt whose signature is readable. */
function sign(kind: Receipt["kind"], issuedAtMs: number, subject: Receipt["subject"]): Receipt {
  return {
    kind,
    issuer: "https://example.com",
    issued_at: new Date(issuedAtMs).toISOString(),
    subject,
    payload_hash: "sha256:payload",
    algorithm: "HS256",
    kid: "test",
    signature: `signed ${kind}`,
    signatures: [],
  };
}

type DataOf = { readonly [E in Event as E["type"]]: E["data"] };

/** What a command came to. */
export class Came {
  readonly decision: Decision;

  constructor(decision: Decision) {
    this.decision = decision;
  }

  get outcome(): Outcome {
    return this.decision.outcome;
  }

  /** `data` of a success. Fails the test on a refusal. */
  get data(): Readonly<Record<string, unknown>> {
    if (!this.outcome.ok) throw new Error(`refused: ${JSON.stringify(this.outcome)}`);
    return this.outcome.data;
  }

  /** An id or another text in `data`. */
  text(name: string): string {
    const value = this.data[name];
    if (typeof value !== "string") throw new Error(`${name} is ${JSON.stringify(value)}`);
    return value;
  }

  get types(): string[] {
    return this.decision.events.map((event) => event.type);
  }

  /** `data` of the event of a type; fails the test when there is none. */
  event<T extends Event["type"]>(type: T): DataOf[T] {
    const found = this.decision.events.find((event) => event.type === type);
    if (!found) throw new Error(`no ${type} among ${this.types.join(", ")}`);
    return found.data as DataOf[T];
  }

  /** Refused with this code and at least this detail, and nothing happened. */
  refused(code: RefusalCode, detail: Readonly<Record<string, unknown>> = {}): this {
    expect(this.outcome).toMatchObject({ ok: false, code, detail });
    expect(this.types).toEqual([]);
    return this;
  }

  /** The event types of the row, in order. */
  recorded(...types: readonly string[]): this {
    expect(this.types).toEqual([...types]);
    return this;
  }
}

export class Scenario {
  readonly records = new MapRecords();
  readonly rows: Row[] = [];
  state = new State({ tracksExpiry: true });
  stamp = NOON;

  /** Moves time; the clock never runs back. */
  at(stampMs: number): this {
    this.stamp = stampMs;
    return this;
  }

  /** With engine time. */
  context(): Context {
    const { state, records, stamp } = this;
    return { state, records, stamp, now: stamp, row: state.row + 1, sign };
  }

  /** Decides a command and folds what it came to. */
  when(command: Command): Came {
    const decision = decide(command, inRealm(this.context(), command));
    const { key, body_hash, actor, tenant_id, mode, trace_id } = command;
    const own = key && body_hash ? { key, body_hash, agent_id: actor.id } : null;
    const isStored = decision.phase !== "transient" && own !== null;
    if (decision.events.length > 0 || isStored || decision.key) {
      const rowKey = decision.key ?? (isStored ? own : null);
      this.#fold(decision, { tenant_id, mode, actor, trace_id, key: rowKey });
    }
    return new Came(decision);
  }

  /** Does one thing that time alone makes due; null when nothing is. */
  due(): Came | null {
    const due = horizonMove(this.context()) ?? nextExpiry(this.context());
    const ctx = this.context();
    const found: DueDecision | null = due ?? nextGivenUp(ctx) ?? nextPassed(ctx);
    return found && this.#foldDue(found);
  }

  /** Sets the clock to an instant, which may lie before, as an engine's start finds it. */
  correctClock(stampMs: number): this {
    const found = clockCorrection(this.at(stampMs).context());
    if (!found) throw new Error(`a clock at ${stampMs} is no other clock`);
    this.#foldDue(found);
    return this;
  }

  /** Lives through days, one by one, as an engine at work does. */
  live(days: number): this {
    for (let day = 0; day < days; day += 1) this.at(this.stamp + DAY_MS).due();
    return this;
  }

  /** Units of a night as the engine counts them. */
  cell(propertyId: string, roomTypeId: string, day: number): { held: number; sold: number } {
    const property = [...this.state.allProperties()].find(({ tree }) => tree.id === propertyId);
    const room = property?.rooms.get(roomTypeId);
    if (!room) throw new Error(`no room type ${roomTypeId}`);
    return { held: room.held.get(day), sold: room.sold.get(day) };
  }

  #foldDue({ tenant_id, mode, decision }: DueDecision): Came {
    const actor = { kind: "system", id: "engine" } as const;
    this.#fold(decision, { tenant_id, mode, actor, trace_id: "", key: decision.key ?? null });
    return new Came(decision);
  }

  #fold(
    decision: Decision,
    about: Pick<Row, "tenant_id" | "mode" | "actor" | "trace_id" | "key">,
  ): void {
    const { events, outcome } = decision;
    const phase = about.key && decision.phase;
    const clock_offset_ms = this.state.clockOffsetMs(about);
    const moved = clock_offset_ms === 0 ? undefined : { clock_offset_ms };
    const at = { row: this.state.row + 1, stamp: this.stamp, ...moved };
    const whole = { ...at, ...about, phase, events, outcome };
    const row = JSON.parse(JSON.stringify(whole)) as Row;
    if (row.key) this.records.put(row.key.key, outcome);
    this.rows.push(row);
    evolve(this.state, row, this.records);
  }
}

/** A scenario with the window at `NOON` in which these commands have all succeeded. */
export function given(...commands: readonly Command[]): Scenario {
  const scenario = new Scenario();
  scenario.due();
  for (const command of commands) {
    const came = scenario.when(command);
    if (!came.outcome.ok) throw new Error(`given ${command.type}: ${JSON.stringify(came.outcome)}`);
  }
  return scenario;
}

/** The day number `inDays` days after the day of `NOON`. */
export function dayIn(inDays: number): number {
  return Math.floor(NOON / DAY_MS) + inDays;
}
