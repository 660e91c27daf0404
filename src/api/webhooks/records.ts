/** Webhook endpoints as their operator sees them (domain §11), and who may see and change which. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { action, type NextAction, permitted } from "../../actions/next-action.ts";
import type { ControlStore } from "../../control/store.ts";
import { findEndpoint, type StoredEndpoint } from "../../control/webhook-endpoints.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import { rightsRefusal } from "../agents/grants.ts";
import { ALL_KINDS, MASK } from "./requests.ts";

export const WEBHOOKS = "/v1/admin/webhooks";

/** An endpoint on the wire as it is now; its tenant is the caller's. */
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
    // The worker hears of a pause a moment later, and then it fails no more.
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

/** Where the endpoint is read, and how its deliveries stand. */
export function endpointActions(call: Call, { endpoint_id }: StoredEndpoint): NextAction[] {
  const path = `${WEBHOOKS}/${endpoint_id}`;
  const reads = [action("get", "GET", path), action("get", "GET", `${path}/stats`)];
  return permitted(reads, call.may);
}

/** An endpoint in the answer to who made or changed it. */
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

/** The caller's endpoint of the path, or the refusal: unknown and foreign ids answer alike. */
export function endpointOfPath(call: AtEndpoint, store: ControlStore): Found {
  const endpoint_id = call.params.id;
  const endpoint = findEndpoint(store, call.principal, endpoint_id);
  if (endpoint === null) return refuse("webhook_endpoint_not_found", { endpoint_id });
  return sightRefusal(call, endpoint) ?? { ok: true, endpoint };
}

/** Those of a list that the caller may see. */
export function visibleEndpoints(call: Call, all: readonly StoredEndpoint[]): StoredEndpoint[] {
  return all.filter((endpoint) => sightRefusal(call, endpoint) === null);
}

/** What the credential lacks of what an endpoint is shown or would be; null when it may see all. */
export function endpointRightsRefusal(
  call: Call,
  { scopes, property_ids }: Pick<StoredEndpoint, "scopes" | "property_ids">,
): Refusal | null {
  const none = { property_ids: [], limits: call.principal.limits };
  return sightRefusal(call, { property_ids }) ?? rightsRefusal(call, { ...none, scopes });
}

/**
 * The endpoint of the path for who changes it: one that is shown more than the caller may see is
 * out of reach, because whoever has its address or its secret reads what it is shown.
 */
export function endpointToChange(call: AtEndpoint, store: ControlStore): Found {
  const found = endpointOfPath(call, store);
  return found.ok ? (endpointRightsRefusal(call, found.endpoint) ?? found) : found;
}
