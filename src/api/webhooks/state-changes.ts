/** Pausing, resuming, disabling and deleting webhook endpoints. */
import { disableEndpoint } from "../../access/control/endpoint-standing.ts";
import {
  changeEndpoint,
  deleteEndpoint,
  type EndpointChange,
  endpointById,
  type StoredEndpoint,
} from "../../access/control/webhook-endpoints.ts";
import { refuse } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { type ControlOutcome, causeOf, controlWrite } from "../../http/control-write.ts";
import { ACTIVE, AWAITING_PING, pingedWrite } from "./ping.ts";
import { type AtEndpoint, endpointOut, endpointToChange, shownTo } from "./records.ts";

/** Handler that pauses; a disabled endpoint cannot be paused. */
export function pause(call: AtEndpoint): Promise<ControlOutcome> {
  return controlWrite(call, (store, ending) => {
    const found = endpointToChange(call, store);
    if (!found.ok) return found;
    const { endpoint_id, state, reason } = found.endpoint;
    if (state === "disabled") {
      return refuse("conflict", { reason: "endpoint_disabled", endpoint_id });
    }
    if (reason !== "operator") {
      ending({ kind: "webhook_endpoint", id: endpoint_id });
      changeEndpoint(store, endpoint_id, { state: "paused", reason: "operator" });
    }
    return shownTo(call, endpointById(store, endpoint_id)!);
  });
}

/** Handler that disables; idempotent. */
export function disable(call: AtEndpoint): Promise<ControlOutcome> {
  return controlWrite(call, (store, ending) => {
    const found = endpointToChange(call, store);
    if (!found.ok) return found;
    const { endpoint_id } = found.endpoint;
    const nowMs = call.context.now();
    ending({ kind: "webhook_endpoint", id: endpoint_id });
    disableEndpoint(store, causeOf(call), endpoint_id, { reason: "operator", nowMs });
    return shownTo(call, endpointById(store, endpoint_id)!);
  });
}

/** Handler that deletes. */
export function remove(call: AtEndpoint): Promise<ControlOutcome> {
  return controlWrite(call, (store, ending) => {
    const found = endpointToChange(call, store);
    if (!found.ok) return found;
    ending({ kind: "webhook_endpoint", id: found.endpoint.endpoint_id });
    deleteEndpoint(store, found.endpoint.endpoint_id);
    return { ok: true, data: endpointOut(found.endpoint, call.context) };
  });
}

/** First event of a resumed endpoint; after a disablement the next new one. */
function resumption(call: Call, { state, format }: StoredEndpoint): EndpointChange {
  const { row } = call.context.replica.head;
  return {
    ...(format === "json" ? AWAITING_PING : ACTIVE),
    ...(state === "disabled" && { after_row: row }),
  };
}

/** Handler that resumes: a ping decides whether the endpoint is active from now on. */
export function resume(call: AtEndpoint): Promise<ControlOutcome> {
  return pingedWrite(
    call,
    (store) => {
      const found = endpointToChange(call, store);
      if (!found.ok) return found;
      const { endpoint } = found;
      const { endpoint_id } = endpoint;
      if (endpoint.state === "active") return { ok: true, endpoint, isPinged: false };
      changeEndpoint(store, endpoint_id, resumption(call, endpoint));
      const isPinged = endpoint.format === "json";
      return { ok: true, endpoint: endpointById(store, endpoint_id)!, isPinged };
    },
    (endpoint) => shownTo(call, endpoint),
  );
}
