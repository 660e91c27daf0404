/** Webhook endpoints as operators see them, and access to them. */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { ControlStore } from "../../access/control/store.ts";
import { findEndpoint, type StoredEndpoint } from "../../access/control/webhook-endpoints.ts";
import { action, type NextAction, permitted } from "../../actions/next-action.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import { rightsRefusal } from "../agents/grants.ts";
import { ALL_KINDS, MASK } from "./requests.ts";

export const WEBHOOKS = "/v1/admin/webhooks";

/** An endpoint on the wire; its tenant is the caller's. */
export function endpointOut(endpoint: StoredEndpoint, { now, deliveries }: Context) {
  const { endpoint_id, url, format, ota, description, kinds, property_ids, subjects } = endpoint;
  const { scopes, max_in_flight, max_per_s, ordering, state, reason, mode } = endpoint;
  const { failing_since, oldest_dead_letter_at } = deliveries.health(endpoint_id);
  const [secret, ...older] = endpoint.secrets;
  return {
    ...{ endpoint_id, url, format, ota, description, events: kinds ?? [ALL_KINDS] },
    ...{ property_ids, subjects },
    headers: Object.fromEntries(Object.keys(endpoint.headers).map((name) => [name, MASK])),
    ...{ scopes, max_in_flight, max_per_s, ordering, state, mode },
    paused_reason: state === "paused" ? reason : null,
    disabled_reason: state === "disabled" ? reason : null,
    disabled_at: state === "disabled" ? instantOrNull(endpoint.disabled_at) : null,
    missed_since: state === "disabled" ? null : instantOrNull(endpoint.disabled_at),
    oldest_dead_letter_at: instantOrNull(oldest_dead_letter_at),
    // The worker learns of a pause a moment later.
    failing_since: state === "active" ? instantOrNull(failing_since) : null,
    ping: endpoint.ping,
    secret_hint: hintOf(secret!.last4),
    retiring_secrets: older
      .filter(({ retire_at }) => now() < retire_at!)
      .map(({ last4, retire_at }) => {
        return { secret_hint: hintOf(last4), retire_at: instantIso(retire_at!) };
      }),
    created_at: instantIso(endpoint.created_at),
    version: endpoint.version,
  };
}

function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instantIso(ms);
}

/** Reads of the endpoint and of its deliveries. */
export function endpointActions(call: Call, { endpoint_id }: StoredEndpoint): NextAction[] {
  const path = `${WEBHOOKS}/${endpoint_id}`;
  const reads = [action("get", "GET", path), action("get", "GET", `${path}/stats`)];
  return permitted(reads, call.may);
}

/** The answer of a write to an endpoint. */
export function shownTo(call: Call, endpoint: StoredEndpoint): Success {
  const data = endpointOut(endpoint, call.context);
  return { ok: true, data, actions: endpointActions(call, endpoint) };
}

function hintOf(last4: string): string {
  return `whsec_…${last4}`;
}

/** A call that names an endpoint in its path. */
export type AtEndpoint<B = unknown> = Call<B, "id">;

type Found = { readonly ok: true; readonly endpoint: StoredEndpoint } | Refusal;

/** Why a credential of some properties may not see the endpoint; null when it may. */
export function sightRefusal(
  { principal }: Call,
  { property_ids }: Pick<StoredEndpoint, "property_ids">,
): Refusal | null {
  const own = principal.property_ids;
  if (own === null) return null;
  if (property_ids === null) return refuse("resource_access_denied", { reason: "all_properties" });
  const property_id = property_ids.find((id) => !own.has(id));
  return property_id === undefined ? null : refuse("resource_access_denied", { property_id });
}

/** The endpoint of the path, or the refusal; unknown and foreign ids have the same answer. */
export function endpointOfPath(call: AtEndpoint, store: ControlStore): Found {
  const endpoint_id = call.params.id;
  const endpoint = findEndpoint(store, call.principal, endpoint_id);
  if (endpoint === null) return refuse("webhook_endpoint_not_found", { endpoint_id });
  return sightRefusal(call, endpoint) ?? { ok: true, endpoint };
}

/** The visible endpoints of a list. */
export function visibleEndpoints(call: Call, all: readonly StoredEndpoint[]): StoredEndpoint[] {
  return all.filter((endpoint) => sightRefusal(call, endpoint) === null);
}

/** Rights of the endpoint that the credential lacks; null when it has all. */
export function endpointRightsRefusal(
  call: Call,
  { scopes, property_ids }: Pick<StoredEndpoint, "scopes" | "property_ids">,
): Refusal | null {
  const none = { property_ids: [], limits: call.principal.limits };
  return sightRefusal(call, { property_ids }) ?? rightsRefusal(call, { ...none, scopes });
}

/**
 * The endpoint of the path for a change. An endpoint with more rights than the caller is refused,
 * because its address or secret gives access to its events.
 */
export function endpointToChange(call: AtEndpoint, store: ControlStore): Found {
  const found = endpointOfPath(call, store);
  return found.ok ? (endpointRightsRefusal(call, found.endpoint) ?? found) : found;
}
