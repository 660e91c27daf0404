/**
 * The `detail` of simulated refusals (`Test-Scenario`): every field that the code's record
 * promises, with ids and amounts of the request where it has them.
 */
import { instantIso } from "../../engine/core/calendar.ts";
import { REFUSAL_CODES, type RefusalCode } from "../../engine/core/refusals.ts";
import type { RecoveryStep } from "../actions/steps.ts";
import { REFUSALS } from "./catalogue.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Codes that no situation of a client or an operator leads to. */
const UNREACHABLE: readonly RefusalCode[] = ["policy_not_found_for_rate_plan", "internal_error"];

/** The codes that can be simulated, in the order of the catalogue. */
export const SIMULATED_CODES: readonly RefusalCode[] = REFUSAL_CODES.filter((code) => {
  return !UNREACHABLE.includes(code);
});

/** What is known of the call. */
export interface Simulation {
  /** Ids of the request, and of the stay that it names. */
  readonly ids: Readonly<Record<string, string>>;
  /** Those of the path. */
  readonly pathIds: Readonly<Record<string, string>>;
  /** Dates of the nights, `YYYY-MM-DD`; empty without a stay. */
  readonly nights: readonly string[];
  /** Price of the stay, minor units. */
  readonly total: { readonly amount: number; readonly currency: string };
  /** Stays that can be held instead. */
  readonly alternatives: readonly unknown[];
  /** `difference` of a change of a booking. */
  readonly asked: string | undefined;
  /** Version that the caller has seen; undefined on routes without `If-Match`. */
  readonly seenVersion: number | undefined;
  readonly isDelegated: boolean;
  /** Scope of the route. */
  readonly scope: string | null;
  /** A kind that may not call, if there is one. */
  readonly kind: string;
  readonly allowedKinds: readonly string[];
  readonly nowMs: number;
  readonly traceId: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Conflicts of the resources in a path, the innermost first. */
const CONFLICTS: readonly (readonly [idName: string, detail: Fields])[] = [
  ["delivery_id", { reason: "delivery_in_flight" }],
  ["endpoint_id", { reason: "endpoint_disabled" }],
  ["credential_id", { reason: "credential_not_active", state: "revoked" }],
  ["incident_id", { reason: "incident_state", state: "resolved", needed: "open" }],
  ["authorization_id", { reason: "authorization_state", state: "revoked", needed: "pending" }],
  ["refund_id", { reason: "refund_state", state: "succeeded", needed: "failed" }],
  ["hold_id", { reason: "max_extensions", extensions: 2 }],
  ["booking_id", { reason: "booking_state", state: "cancelled", needed: "confirmed" }],
  ["agent_id", { reason: "own_agent" }],
  ["session_id", { reason: "session_full", limit: 40 }],
];

function conflictOf({ pathIds, seenVersion }: Simulation): Fields {
  if (seenVersion !== undefined) return { reason: "version_mismatch", version: seenVersion + 1 };
  const [, detail] = CONFLICTS.find(([name]) => name in pathIds) ?? [];
  return detail ?? { reason: "property_archived", state: "archived" };
}

const blockedBy = (reason: string, numbers: Fields) => (about: Simulation) => ({
  blocking: about.nights.map((date) => ({ date, reason, ...numbers })),
  alternatives: about.alternatives,
});

const figures = ({ total }: Simulation, refunded = 0): Fields => ({
  ...{ captured: total.amount, refunded, pending: 0 },
});

/** Fields beside the ids, by code; a code without an entry has ids only. */
const FIELDS: Readonly<Partial<Record<RefusalCode, (about: Simulation) => Fields>>> = {
  validation_failed: () => ({
    field_errors: [{ path: "", message: "is refused as asked", expected: "no Test-Scenario" }],
  }),
  unauthenticated: () => ({ reason: "unknown_credential" }),
  delegation_required: () => ({ header: "X-Delegated-User" }),
  delegation_invalid: () => ({ reason: "expired" }),
  delegation_issuer_unknown: () => ({ iss: "https://unknown.example.com" }),
  forbidden: ({ scope }) =>
    scope === null ? { reason: "agent_suspended" } : { required_scope: scope, granted: [] },
  resource_access_denied: ({ isDelegated, ids }) =>
    isDelegated && ids.booking_id ? { reason: "traveler_mismatch" } : {},
  principal_kind_not_allowed: ({ kind, allowedKinds }) => ({ kind, allowed: allowedKinds }),
  conflict: conflictOf,
  idempotency_conflict: () => ({ key_scope: "agent" }),
  rate_limited: () => ({ policy: "default", limit: 60, burst: 60, window_s: 60 }),
  service_not_configured: () => ({ missing: "PAYMENT_PROVIDER" }),
  upstream_unavailable: () => ({ upstream: "redis" }),
  notification_delivery_failed: () => ({ reason: "connect", status: null }),
  webhook_delivery_not_replayable: ({ nowMs }) => ({
    state: "pending",
    next_attempt_at: instantIso(nowMs + MINUTE_MS),
  }),
  property_not_promotable: () => ({
    state: "draft",
    reasons: [
      { code: "missing_geo", path: "/geo", severity: "error", message: "Set the position." },
    ],
  }),
  allocation_failed: (about) => ({
    reason: "no_units",
    ...blockedBy("no_vacancy", { capacity: 1, sold: 1, held: 0 })(about),
  }),
  allotment_exhausted: (about) => ({
    ...{ dates: about.nights, ceiling: 1, used: 1 },
    scope: { room_type_id: about.ids.room_type_id ?? null, rate_plan_id: null, agent_id: null },
    ...blockedBy("ceiling_reached", { ceiling: 1, used: 1 })(about),
  }),
  oversell_not_detected: () => ({ capacity: 1, sold: 0, held: 0 }),
  quote_expired: ({ nowMs }) => ({ expired_at: instantIso(nowMs) }),
  hold_expired: ({ nowMs }) => ({ expired_at: instantIso(nowMs) }),
  hold_not_active: () => ({ state: "released" }),
  booking_not_cancellable: ({ nowMs }) => ({
    ...{ state: "cancelled", cancelled_at: instantIso(nowMs), refund_id: null },
  }),
  booking_not_modifiable: ({ nowMs }) => ({
    ...{ reason: "cutoff_passed", cutoff_at: instantIso(nowMs), difference: 0 },
  }),
  booking_modification_price_change: ({ total, nights, asked }) => ({
    ...{ reason: "total_changed", currency: total.currency, ...(asked && { asked }) },
    ...{ current_total: total.amount, new_total: total.amount + 100, difference: 100 },
    ...{ nights_current: nights.length, nights_requested: nights.length },
  }),
  authorization_required: ({ total, nowMs }) => ({
    ...{ state: "pending", approval_expires_at: instantIso(nowMs + DAY_MS) },
    ...{ policy: "max_booking_amount", threshold: belowPrice(total), ...total },
  }),
  booking_authorization_invalid: () => ({ reason: "expired" }),
  payment_failed: () => ({
    ...{ provider_code: "card_declined", provider_message: "The card was declined." },
  }),
  payment_provider_error: () => ({ provider_code: "internal_error" }),
  payment_not_refundable: (about) => ({
    state: "refunded",
    ...figures(about, about.total.amount),
  }),
  refund_exceeds_remaining: (about) => ({
    ...{ requested: about.total.amount + 100, remaining: about.total.amount, ...figures(about) },
    ...(about.asked && { asked: about.asked, difference: -100 }),
  }),
};

/** Seconds to wait of the codes whose refusals say it themselves. */
const WAITS_S: Readonly<Partial<Record<RefusalCode, number>>> = {
  rate_limited: 1,
  webhook_delivery_not_replayable: 60,
};

/** Half of a price: a limit that it exceeds. */
export function belowPrice({ amount, currency }: Simulation["total"]): Simulation["total"] {
  return { amount: Math.floor(amount / 2), currency };
}

export interface Simulated {
  readonly detail: Fields;
  /** The code's steps without those that need an invented id. */
  readonly recovery: readonly RecoveryStep[];
  readonly retry_after?: number;
}

/**
 * A refusal as it would be for this call. An id that it must name and the call does not have is
 * invented; no recovery leads there.
 */
export function simulatedRefusal(code: RefusalCode, about: Simulation): Simulated {
  const { detail: documented, recovery } = REFUSALS[code];
  const fields = FIELDS[code]?.(about) ?? {};
  const ids: Record<string, string> = {};
  const invented = new Set<string>();
  for (const [documentedName] of documented) {
    const name = documentedName.replace("?", "");
    if (!name.endsWith("_id") || name in fields) continue;
    const known = about.ids[name];
    if (known !== undefined) ids[name] = known;
    else if (name === documentedName) {
      ids[name] = `simulated_${about.traceId}`;
      invented.add(name);
    }
  }
  const own = code === "conflict" ? about.pathIds : ids;
  const wait = WAITS_S[code];
  return {
    detail: { ...own, ...fields, simulated: true },
    recovery: recovery.flatMap((step) => withoutIds(step, invented)),
    ...(wait !== undefined && { retry_after: wait }),
  };
}

/** The step without paths that need such an id; none if its own path needs one. */
function withoutIds(step: RecoveryStep, invented: ReadonlySet<string>): RecoveryStep[] {
  const isSound = (href: string) =>
    ![...href.matchAll(/\{(\w+)\}/g)].some(([, name]) => invented.has(name!));
  const { prefer } = step;
  if (!isSound(step.href)) return [];
  return [prefer ? { ...step, prefer: prefer.filter(isSound) } : step];
}
