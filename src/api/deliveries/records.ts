/** Deliveries as operators see them, and their visibility. */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { BulkReplay } from "../../../jobs/webhooks/recover/bulk-replays.ts";
import type { Delivery, StoredAttempt } from "../../../jobs/webhooks/store/delivery.ts";
import type { DeliveryFilter, MissingSearch } from "../../../jobs/webhooks/store/delivery-store.ts";
import {
  findEndpoint,
  listEndpoints,
  type StoredEndpoint,
} from "../../access/control/webhook-endpoints.ts";
import { type Refusal, refuse } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { sightRefusal, visibleEndpoints, WEBHOOKS } from "../webhooks/records.ts";

export const DELIVERIES = "/v1/admin/webhook-deliveries";

/** Where they were before: of `…/webhooks/deliveries/test` two templates said that they match. */
export const FORMER_DELIVERIES = `${WEBHOOKS}/deliveries`;

/** A call that names a delivery in its path. */
export type AtDelivery<B = unknown> = Call<B, "id">;

const iso = (ms: number | null) => (ms === null ? null : instantIso(ms));

/** A delivery on the wire; its tenant and mode are the caller's. */
export function deliveryOut(delivery: Delivery) {
  const { delivery_id, webhook_id, endpoint_id, kind, subject, property_id, seq } = delivery;
  const { prev_seq, state, reason, trigger, replay_of, replayed_as, after_dead_letter } = delivery;
  return {
    ...{ delivery_id, webhook_id, endpoint_id, kind, subject, property_id, seq, prev_seq },
    event_at: instantIso(delivery.event_at),
    created_at: instantIso(delivery.created_at),
    state,
    attempt_count: delivery.attempts,
    next_attempt_at: iso(delivery.next_attempt_at),
    reason,
    status: delivery.last_status,
    settled_at: iso(delivery.settled_at),
    ...{ trigger, replay_of, replayed_as, after_dead_letter },
    discard_reason: delivery.note,
  };
}

/** An attempt on the wire; its headers are masked as they are stored. */
export function attemptOut({ nth, at, ...attempt }: StoredAttempt) {
  return { nth, at: instantIso(at), ...attempt };
}

/** A recovery of dead letters with its progress. */
export function recoveryOut({ recovery_id, filter, ...recovery }: BulkReplay) {
  const { total, replayed, done_at } = recovery;
  return {
    ...{ recovery_id, endpoint_id: filter.endpoint_id, of: "dead_letters" },
    state: done_at === null ? "running" : "completed",
    ...{ since: instantIso(filter.since), until: instantIso(filter.until), deliveries: replayed },
    progress: { done: done_at === null ? replayed : total, of: total },
    ...{ created_at: instantIso(recovery.created_at), completed_at: iso(done_at) },
  };
}

/** The same for missing events; `lastRow` is the journal's. */
export function missingSearchOut(search: MissingSearch, lastRow: number) {
  const { refill_id, endpoint_id, since, until, row, found, created_at, done_at } = search;
  const of = Math.max(lastRow, row);
  return {
    ...{ recovery_id: refill_id, endpoint_id, of: "missing" },
    state: done_at === null ? "running" : "completed",
    ...{ since: instantIso(since), until: instantIso(until), deliveries: found },
    progress: { done: done_at === null ? row : of, of },
    ...{ created_at: instantIso(created_at), completed_at: iso(done_at) },
  };
}

type Scope = Pick<
  DeliveryFilter,
  "tenant_id" | "mode" | "visible_property_ids" | "visible_endpoint_ids"
>;

/** The deliveries visible to the caller, by endpoint and property. */
export function scopeOf(call: Call): Scope {
  const { tenant_id, mode, property_ids } = call.principal;
  if (property_ids === null) return { tenant_id, mode, visible_property_ids: null };
  const endpoints = visibleEndpoints(call, listEndpoints(call.context.store, call.principal));
  return {
    ...{ tenant_id, mode, visible_property_ids: [...property_ids] },
    visible_endpoint_ids: endpoints.map(({ endpoint_id }) => endpoint_id),
  };
}

interface FoundDelivery {
  readonly ok: true;
  readonly delivery: Delivery;
  /** Null when it was deleted. */
  readonly endpoint: StoredEndpoint | null;
}

/** The delivery of the path, or the refusal; unknown and foreign ids have the same answer. */
export function deliveryOfPath(call: AtDelivery): FoundDelivery | Refusal {
  const { principal, context, params } = call;
  const delivery = context.deliveries.get(params.id);
  const isOwn = delivery?.tenant_id === principal.tenant_id && delivery.mode === principal.mode;
  if (!delivery || !isOwn) {
    return refuse("webhook_delivery_not_found", { delivery_id: params.id });
  }
  const endpoint = findEndpoint(context.store, principal, delivery.endpoint_id);
  const refused = propertyRefusal(call, delivery) ?? (endpoint && sightRefusal(call, endpoint));
  return refused ?? { ok: true, delivery, endpoint };
}

function propertyRefusal({ principal }: Call, { property_id }: Delivery): Refusal | null {
  const own = principal.property_ids;
  if (own === null) return null;
  if (property_id === null) return refuse("resource_access_denied", { reason: "all_properties" });
  return own.has(property_id) ? null : refuse("resource_access_denied", { property_id });
}
