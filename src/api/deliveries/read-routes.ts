/** Reads of deliveries, recoveries and an endpoint's statistics. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { action, type NextAction, permitted } from "../../actions/next-action.ts";
import { LIST_WEBHOOKS, PAGE_DELIVERIES } from "../../actions/steps.ts";
import { invalid, type Refusal, refuse, type Success, unknownId } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { AS_TABLE, FORMAT } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { instantParameter, pathId } from "../parameters.ts";
import { type AtEndpoint, endpointOfPath, WEBHOOKS } from "../webhooks/records.ts";
import { COMPLETE_MAX, filterOf, LIST_QUERY, pageOf } from "./parameters.ts";
import {
  type AtDelivery,
  attemptOut,
  DELIVERIES,
  deliveryOfPath,
  deliveryOut,
  FORMER_DELIVERIES,
  missingSearchOut,
  recoveryOut,
  scopeOf,
} from "./records.ts";
import { requestOf, seesWhatItIsSent } from "./request.ts";
import { DeliveryDetail, DeliveryList, EndpointStats, Recovery } from "./responses.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:webhooks", touches: "properties" } as const;
const HOUR_MS = 3_600_000;
const STATS_MS = 24 * HOUR_MS;

/** The complete list or its refusal when too long; a page when requested. */
function list(call: Call): Success | Refusal {
  const page = pageOf(call);
  const filter = { ...filterOf(call), ...scopeOf(call) };
  const found = call.context.deliveries.list(filter, page);
  if (page.isComplete && found.next !== null) return tooManyRefusal();
  const next: NextAction[] = [];
  if (found.next !== null) {
    const query = new URLSearchParams([...call.query].filter(([name]) => name !== "after"));
    query.set("after", found.next);
    next.push(action("get", "GET", `${DELIVERIES}?${query}`));
  }
  const items = found.items.map(deliveryOut);
  return { ok: true, data: { items }, actions: permitted(next, call.may) };
}

function tooManyRefusal(): Refusal {
  const expected = `a narrower filter for at most ${COMPLETE_MAX} deliveries, or limit for a page`;
  const field_errors = [
    { path: "?limit", message: "is required: too many deliveries match", expected },
  ];
  return refuse("validation_failed", { field_errors }, { recovery: [PAGE_DELIVERIES] });
}

function show(call: AtDelivery): Success | Refusal {
  const found = deliveryOfPath(call);
  if (!found.ok) return found;
  const { delivery, endpoint } = found;
  const { context } = call;
  const isShown = endpoint !== null && seesWhatItIsSent(call, endpoint);
  const data = {
    ...deliveryOut(delivery),
    attempts: context.deliveries.attempts(delivery.delivery_id).map(attemptOut),
    request: isShown ? requestOf(context, delivery, endpoint) : null,
  };
  const { endpoint_id } = delivery;
  const at = endpoint ? [action("get", "GET", `${WEBHOOKS}/${endpoint_id}`)] : [];
  return { ok: true, data, actions: permitted(at, call.may) };
}

function stats(call: AtEndpoint): Success | Refusal {
  const { context, query } = call;
  const found = endpointOfPath(call, context.store);
  if (!found.ok) return found;
  const { endpoint_id } = found.endpoint;
  const nowMs = context.engineNow();
  const until = query.has("until") ? Date.parse(query.get("until")!) : nowMs;
  const since = query.has("since") ? Date.parse(query.get("since")!) : until - STATS_MS;
  if (since >= until) {
    const expected = "an instant before until, and before now";
    return invalid([{ path: "?since", message: "is not before until", expected }]);
  }
  const fromHour = Math.floor(since / HOUR_MS) * HOUR_MS;
  const hours = context.deliveries.stats(endpoint_id, fromHour, until).map((figures) => {
    const { hour, attempts, succeeded, dead_lettered, latency_ms, latency_ms_max } = figures;
    const latency_ms_mean = attempts === 0 ? 0 : Math.round(latency_ms / attempts);
    const counted = { attempts, succeeded, dead_lettered };
    return { hour: instantIso(hour), ...counted, latency_ms_mean, latency_ms_max };
  });
  const { open, oldest_open_at, dead_letters, failing_since } =
    context.deliveries.counts(endpoint_id);
  const data = {
    ...{ endpoint_id, since: instantIso(fromHour), until: instantIso(until), open },
    oldest_open_at: oldest_open_at === null ? null : instantIso(oldest_open_at),
    dead_letters,
    failing_since: failing_since === null ? null : instantIso(failing_since),
    hours,
  };
  return { ok: true, data };
}

function showRecovery(call: Call<unknown, "id" | "recovery">): Success | Refusal {
  const { context, params } = call;
  const found = endpointOfPath(call, context.store);
  if (!found.ok) return found;
  const { endpoint_id } = found.endpoint;
  const recovery = context.recoveries.get(params.recovery);
  const search = recovery ? null : context.deliveries.missingSearch(params.recovery);
  if ((recovery?.filter ?? search)?.endpoint_id !== endpoint_id) {
    return unknownId("recovery_id", "the id of a recovery of this endpoint", LIST_WEBHOOKS);
  }
  const data = recovery
    ? recoveryOut(recovery)
    : missingSearchOut(search!, context.replica.head.row);
  const self = action("get", "GET", `${WEBHOOKS}/${endpoint_id}/recoveries/${params.recovery}`);
  return { ok: true, data, actions: data.state === "running" ? [self] : [] };
}

const READ = { tag: "Webhooks", access: ACCESS, method: "GET" } as const;
const ENDPOINT_ID = pathId("Id of the endpoint.");

export const deliveryReadRoutes = [
  route({
    ...READ,
    id: "list_webhook_deliveries",
    path: DELIVERIES,
    formerPath: FORMER_DELIVERIES,
    summary: "List deliveries",
    description:
      `Newest first and complete. With more than ${COMPLETE_MAX} matches, or too many to search, ` +
      "a narrower filter such as `since` is required. With `limit` a page: while there is a next " +
      "action there is more, even if a page has fewer than `limit` items or none. Open dead " +
      "letters: `unhandled=true`. A credential of some properties sees deliveries at its " +
      "properties to endpoints of only these.",
    query: { ...LIST_QUERY, format: FORMAT },
    readsReplica: true,
    renderer: "table",
    success: {
      status: 200,
      description: "The deliveries.",
      data: DeliveryList,
      alternatives: AS_TABLE,
    },
    errors: [],
    handle: list,
  }),
  route({
    ...READ,
    id: "get_webhook_delivery",
    path: `${DELIVERIES}/:id`,
    formerPath: `${FORMER_DELIVERIES}/:id`,
    summary: "Get a delivery with its attempts",
    description:
      "Requests and responses, with secrets and the tenant's own headers masked. `request` is " +
      "what the next attempt would send: null if the endpoint is deleted, the journal no longer " +
      "has the event, or it may name a guest and the caller may not read bookings.",
    params: { delivery_id: pathId("Id of the delivery.") },
    readsReplica: true,
    success: { status: 200, description: "The delivery.", data: DeliveryDetail },
    errors: ["webhook_delivery_not_found"],
    handle: show,
  }),
  route({
    ...READ,
    id: "get_webhook_stats",
    path: `${WEBHOOKS}/:id/stats`,
    summary: "Get an endpoint's hourly statistics",
    description: "Of the last day unless said, and how it stands now.",
    params: { id: ENDPOINT_ID },
    query: {
      since: instantParameter("First hour; a day before `until` by default."),
      until: instantParameter("End; now by default."),
    },
    success: { status: 200, description: "The figures.", data: EndpointStats },
    errors: ["webhook_endpoint_not_found"],
    handle: stats,
  }),
  route({
    ...READ,
    id: "get_webhook_recovery",
    path: `${WEBHOOKS}/:id/recoveries/:recovery`,
    summary: "Get the progress of a recovery",
    description: "Of `recover` or `replay-missing`.",
    params: { id: ENDPOINT_ID, recovery_id: pathId("Id of the recovery.") },
    hasUnlistedIds: true,
    readsReplica: true,
    success: { status: 200, description: "The recovery.", data: Recovery },
    errors: ["webhook_endpoint_not_found"],
    handle: showRecovery,
  }),
];
