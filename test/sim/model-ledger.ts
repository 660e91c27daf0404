/** What the model knows of holds, payments, bookings, refunds and keys; plain maps, no indexes. */
import type {
  AuthorizationPolicy,
  AuthorizationState,
} from "../../engine/core/authorization-terms.ts";
import type { CommandMeta } from "../../engine/core/commands.ts";
import type { Event, KeyRef, Row } from "../../engine/core/events/event.ts";
import type { KeyPhase, Outcome } from "../../engine/core/outcomes.ts";
import type { IncidentState } from "../../engine/core/oversell-terms.ts";
import type { Actor } from "../../engine/core/parties.ts";
import type { FrozenQuote, Stay } from "../../engine/core/price/quote.ts";
import type { BookingState, HoldState, PaymentState } from "../../engine/core/records.ts";
import type { RefundReason, RefundState } from "../../engine/core/refund-words.ts";
import type { Mode } from "../../engine/core/supply.ts";
import { check } from "./check.ts";
import { type Claim, ModelSupply } from "./model-supply.ts";

interface Owned {
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly agent_id: string;
}

export interface ModelHold extends Owned {
  readonly id: string;
  readonly quote: FrozenQuote;
  state: HoldState;
  expiresAt: number;
  extensions: number;
  endedAt: number;
  payment: ModelPayment | null;
  booking: ModelBooking | null;
}

export interface ModelPayment extends Owned {
  readonly id: string;
  readonly hold: ModelHold;
  readonly bookingId: string;
  readonly traveler: string;
  readonly amount: number;
  createdAt: number;
  readonly key: KeyRef;
  state: PaymentState;
  isReferenced: boolean;
  refunded: number;
  dispute: { readonly id: string; readonly state: "open" | "won" | "lost" } | null;
}

export interface ModelBooking extends Owned {
  readonly id: string;
  readonly code: string;
  readonly holdId: string;
  quote: FrozenQuote;
  readonly traveler: string;
  readonly payment: ModelPayment | null;
  version: number;
  /** The nights that it takes still. */
  stay: Stay;
  state: BookingState;
  /** The instant of its last check-in. */
  checkedInAt?: number;
  refundId: string | null;
  /** Whether the guest's data is erased. */
  isErased?: true;
  erasedBy?: Actor;
  /** Number of notes. */
  notes?: number;
  /** The author of the last one. */
  notedBy?: Actor;
}

export interface ModelRefund extends Owned {
  readonly id: string;
  readonly payment: ModelPayment;
  readonly amount: number;
  readonly reason: RefundReason;
  readonly isRetry: boolean;
  createdAt: number;
  /** The call's key while it waits for this refund. */
  waiting: KeyRef | null;
  state: RefundState;
  /** The refund that repeats it. */
  retriedBy: string | null;
  /** Whether the property gave the money back itself. */
  isElsewhere: boolean;
}

export interface ModelAuthorization extends Owned {
  readonly id: string;
  /** Null for any. */
  readonly traveler: string | null;
  /** Property, room type and dates. */
  readonly place: string;
  maxAmount: number;
  readonly currency: string;
  state: AuthorizationState;
  expiresAt: number;
  readonly askedBy: string;
  /** The payment that consumed it. */
  usedBy: ModelPayment | null;
}

export interface ModelIncident extends Owned {
  readonly id: string;
  readonly property_id: string;
  readonly room_type_id: string;
  readonly firstDay: number;
  readonly endDay: number;
  state: IncidentState;
}

export interface ModelKey {
  /** The row that gave the key this standing. */
  readonly row: number;
  readonly phase: KeyPhase;
  readonly body_hash: string;
  readonly agent_id: string;
  /** Who acted for the agent in that row. */
  readonly person_id: string | undefined;
  readonly outcomeJson: string;
}

/** What a command must come to. */
export interface Expected {
  readonly phase: KeyPhase;
  /** Replays: the stored text, byte for byte; null while the key runs. */
  readonly replays?: string | null;
  /** Replays: the row that the answer comes from. */
  readonly row?: number;
  /** Replays: the key that the answer stands under. */
  readonly under?: string;
  readonly code?: string;
  readonly kind?: string;
  /** Members that the outcome's detail or data must have. */
  readonly has?: Readonly<Record<string, unknown>>;
  /** More to ask of the outcome than equality. */
  readonly inspect?: (outcome: Outcome) => void;
  /** Event types of its row, in order. */
  readonly events: readonly string[];
  /** The key whose standing the row sets. */
  readonly key: KeyRef | null;
  readonly apply?: (row: Row) => void;
}

export class ModelLedger {
  readonly supply = new ModelSupply();
  /** Number of the last event, by tenant and mode. */
  readonly seqs = new Map<string, number>();
  readonly holds = new Map<string, ModelHold>();
  /** Held and confirming, as journaled. */
  readonly open = new Set<ModelHold>();
  readonly payments = new Map<string, ModelPayment>();
  readonly bookings = new Map<string, ModelBooking>();
  readonly refunds = new Map<string, ModelRefund>();
  readonly authorizations = new Map<string, ModelAuthorization>();
  /** Policies of authorizations by tenant and mode. */
  readonly policies = new Map<string, Omit<AuthorizationPolicy, "approver">>();
  readonly incidents = new Map<string, ModelIncident>();
  /** Oversold nights that an operator accepted (`room|day`), with their effective capacity then. */
  readonly accepted = new Map<string, number>();
  readonly keys = new Map<string, ModelKey>();

  /** The incidents of a room type that are not ended. */
  openIncidents(roomTypeId: string): ModelIncident[] {
    return [...this.incidents.values()].filter(({ room_type_id, state }) => {
      return room_type_id === roomTypeId && (state === "open" || state === "acknowledged");
    });
  }

  /** Everything that takes a unit at an instant; a held hold past its time takes none. */
  claims(stamp: number, except?: ModelBooking): Claim[] {
    const found: Claim[] = [];
    for (const hold of this.open) {
      const isDue = hold.state === "held" && stamp >= hold.expiresAt;
      if (!isDue) found.push({ agent: hold.agent_id, quote: hold.quote });
    }
    for (const booking of this.bookings.values()) {
      if (booking.state === "cancelled" || booking === except) continue;
      found.push({ agent: booking.agent_id, quote: { ...booking.quote, stay: booking.stay } });
    }
    return found;
  }

  /** Ends a hold; a hold ends once. */
  end(hold: ModelHold, state: "released" | "expired" | "consumed", stamp: number): void {
    check(this.open.delete(hold), () => `hold ${hold.id} ended twice: ${hold.state}, ${state}`);
    hold.state = state;
    hold.endedAt = stamp;
  }
}

/** True when the caller must be told that there is no such thing. */
export function isForeign(meta: CommandMeta, owner: Owned): boolean {
  const isOtherAgent = owner.agent_id !== meta.actor.id;
  return (
    owner.tenant_id !== meta.tenant_id ||
    owner.mode !== meta.mode ||
    (isOtherAgent && (meta.actor.kind === "agent" || meta.actor.kind === "partner"))
  );
}

/** The key a command brings, as a row would store it. */
export function keyOf(meta: CommandMeta): KeyRef | null {
  const { key, body_hash, actor } = meta;
  return key && body_hash ? { key, body_hash, agent_id: actor.id } : null;
}

/** Statuses 400, 401, 403, 429 and 5xx, and the conflict about the key itself. */
const NEVER_SEALED = [
  "rate_limited",
  "validation_failed",
  "idempotency_conflict",
  "delegation_invalid",
  "resource_access_denied",
  "upstream_unavailable",
];

/** A refusal: stored under the key unless its code is never sealed or the key was made up. */
export function refused(
  meta: CommandMeta,
  code: string,
  has: Readonly<Record<string, unknown>> = {},
  inspect?: (outcome: Outcome) => void,
): Expected {
  const isSealed = !NEVER_SEALED.includes(code);
  return {
    phase: isSealed ? "sealed" : "transient",
    code,
    has,
    events: [],
    key: isSealed && !meta.is_anonymous ? keyOf(meta) : null,
    ...(inspect && { inspect }),
  };
}

/** A success, stored under its key; without events only where a client sent the key. */
export function succeeded(
  meta: CommandMeta,
  kind: string,
  rest: Pick<Expected, "has" | "inspect" | "apply"> & { readonly events: readonly string[] },
): Expected {
  const isStored = rest.events.length > 0 || !meta.is_anonymous;
  return { phase: "sealed", kind, key: isStored ? keyOf(meta) : null, ...rest };
}

/** A worker's result that changed something, or came too late to. */
export function noted(
  changed: boolean,
  events: readonly string[] = [],
  apply?: (row: Row) => void,
): Expected {
  const base = {
    phase: "transient",
    kind: "internal",
    has: { changed },
    events,
    key: null,
  } as const;
  return apply ? { ...base, apply } : base;
}

/** The data of the row's only event of a type. */
export function dataOf<T extends Event["type"]>(row: Row, type: T): DataOf[T] {
  const event = row.events.find((candidate) => candidate.type === type);
  check(event !== undefined, `row ${row.row} has no ${type}`);
  return event.data as DataOf[T];
}

type DataOf = { readonly [E in Event as E["type"]]: E["data"] };
