/**
 * Disables endpoints and records their recovery. State and notice are one transaction, and repeated
 * calls send one notice.
 */
import { instantIso } from "../../../engine/core/calendar.ts";
import { type Cause, writeNotice } from "./notices.ts";
import type { ControlStore } from "./store.ts";
import { changeEndpoint, endpointById, type Standing } from "./webhook-endpoints.ts";

type DisabledReason = Extract<Standing, { state: "disabled" }>["reason"];
/** Tenant and mode are the endpoint's. */
type By = Pick<Cause, "actor" | "trace_id">;

/** Disables an endpoint; false when unknown or already disabled. */
export function disableEndpoint(
  store: ControlStore,
  by: By,
  endpoint_id: string,
  { reason, nowMs }: { readonly reason: DisabledReason; readonly nowMs: number },
): boolean {
  return store.write(() => {
    const known = endpointById(store, endpoint_id);
    if (known === null || known.state === "disabled") return false;
    changeEndpoint(store, endpoint_id, { state: "disabled", reason, disabled_at: nowMs });
    const { tenant_id, mode } = known;
    const data = { endpoint_id, reason, at: instantIso(nowMs) };
    writeNotice(store, { tenant_id, mode, ...by }, { type: "webhook.endpoint_disabled", data });
    return true;
  });
}

/** Notes that an active endpoint has accepted an event; false when it was not disabled before. */
export function noteRecovery(
  store: ControlStore,
  by: By,
  endpoint_id: string,
  nowMs: number,
): boolean {
  return store.write(() => {
    const known = endpointById(store, endpoint_id);
    if (known?.state !== "active" || known.disabled_at === null) return false;
    changeEndpoint(store, endpoint_id, { disabled_at: null });
    const { tenant_id, mode, disabled_at } = known;
    const data = { endpoint_id, disabled_at: instantIso(disabled_at), at: instantIso(nowMs) };
    writeNotice(store, { tenant_id, mode, ...by }, { type: "webhook.endpoint_recovered", data });
    return true;
  });
}
