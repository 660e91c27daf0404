/** Writes to deliveries: replay, discard, recover, replay missing. */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { BulkReplayFilter } from "../../../jobs/webhooks/recover/bulk-replays.ts";
import type { Delivery } from "../../../jobs/webhooks/store/delivery.ts";
import type { StoredEndpoint } from "../../access/control/webhook-endpoints.ts";
import { action, type NextAction, permitted } from "../../actions/next-action.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { type ControlOutcome, requestKeyOf } from "../../http/control-write.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { pathId } from "../parameters.ts";
import { type AtEndpoint, endpointOfPath, WEBHOOKS } from "../webhooks/records.ts";
import {
  type AtDelivery,
  DELIVERIES,
  deliveryOfPath,
  deliveryOut,
  FORMER_DELIVERIES,
  missingSearchOut,
  recoveryOut,
  scopeOf,
} from "./records.ts";
import {
  DiscardBody,
  type DiscardRequest,
  MissingBody,
  type MissingRequest,
  RecoverBody,
  type RecoverRequest,
} from "./requests.ts";
import { Delivery as DeliveryAnswer, Recovery } from "./responses.ts";
import { deliveryWrite } from "./writes.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:webhooks", touches: "properties" } as const;
/** No attempt takes longer. */
const ATTEMPT_S_MAX = 15;

/** 409 while a delivery is still due: `busy` is that delivery. */
function notReplayable({ context }: Call, busy: Delivery, endpoint: StoredEndpoint): Refusal {
  const { delivery_id, state, next_attempt_at } = busy;
  const waitS =
    next_attempt_at === null
      ? ATTEMPT_S_MAX
      : Math.max(1, Math.ceil((next_attempt_at - context.engineNow()) / 1000));
  const next = next_attempt_at === null ? null : instantIso(next_attempt_at);
  const { endpoint_id, state: endpoint_state } = endpoint;
  const detail = { delivery_id, state, next_attempt_at: next };
  if (endpoint_state === "paused" && state !== "in_flight") {
    return refuse("webhook_delivery_not_replayable", { ...detail, endpoint_state, endpoint_id });
  }
  return refuse("webhook_delivery_not_replayable", detail, { retry_after: waitS });
}

function shown(call: Call, delivery: Delivery): Success {
  const actions = [action("get", "GET", `${DELIVERIES}/${delivery.delivery_id}`)];
  return { ok: true, data: deliveryOut(delivery), actions: permitted(actions, call.may) };
}

function replay(call: AtDelivery): Promise<ControlOutcome> {
  const requestKey = requestKeyOf(call);
  return deliveryWrite(call, () => {
    const found = deliveryOfPath(call);
    if (!found.ok) return found;
    const { endpoint_id, delivery_id } = found.delivery;
    if (found.endpoint === null) return refuse("webhook_endpoint_not_found", { endpoint_id });
    if (found.endpoint.state === "disabled") {
      return refuse("conflict", { reason: "endpoint_disabled", endpoint_id });
    }
    const { deliveries, engineNow } = call.context;
    const done = deliveries.replay(delivery_id, "manual", engineNow(), requestKey)!;
    if (!done.ok) return notReplayable(call, done.delivery, found.endpoint);
    return { ...shown(call, done.delivery), status: 202 };
  });
}

function discard(call: AtDelivery<DiscardRequest>): Promise<ControlOutcome> {
  return deliveryWrite(call, () => {
    const found = deliveryOfPath(call);
    if (!found.ok) return found;
    const { delivery } = found;
    if (delivery.state === "cancelled") return shown(call, delivery);
    const { deliveries, engineNow } = call.context;
    const done = deliveries.discard(delivery.delivery_id, call.body.reason, engineNow())!;
    if (done.ok) return shown(call, done.delivery);
    const { delivery_id, state } = done.delivery;
    const reason = state === "in_flight" ? "delivery_in_flight" : "delivery_succeeded";
    return refuse("conflict", { reason, delivery_id });
  });
}

function progressActions(call: Call, endpointId: string, recoveryId: string): NextAction[] {
  const path = `${WEBHOOKS}/${endpointId}/recoveries/${recoveryId}`;
  return permitted([action("get", "GET", path)], call.may);
}

/** The count of a dry run. */
function counted(call: Call, { filter, asked }: Filtered, total: number): Success {
  const { endpoint_id } = filter;
  const self = action("get", "GET", `${WEBHOOKS}/${endpoint_id}`);
  return {
    ok: true,
    data: {
      ...{ recovery_id: null, endpoint_id, of: "dead_letters", state: "dry_run" },
      ...{ since: asked.since, until: asked.until, deliveries: total },
      ...{ progress: { done: 0, of: total }, created_at: null, completed_at: null },
    },
    actions: permitted([self], call.may),
  };
}

interface Filtered {
  readonly filter: BulkReplayFilter;
  /** The same as a body. */
  readonly asked: Readonly<Record<string, unknown>>;
}

function filtered(call: AtEndpoint<RecoverRequest>, endpoint_id: string): Filtered {
  const { dry_run: _dry, since, until, ...narrower } = call.body;
  return {
    filter: { ...narrower, since, until, ...scopeOf(call), endpoint_id },
    asked: { since: instantIso(since), until: instantIso(until), ...narrower },
  };
}

function recover(call: AtEndpoint<RecoverRequest>): Promise<ControlOutcome> {
  const requestKey = requestKeyOf(call);
  return deliveryWrite(call, () => {
    const found = endpointOfPath(call, call.context.store);
    if (!found.ok) return found;
    const { endpoint_id, state } = found.endpoint;
    const { recoveries, engineNow } = call.context;
    const wanted = filtered(call, endpoint_id);
    if (call.body.dry_run) return counted(call, wanted, recoveries.count(wanted.filter));
    if (state === "disabled") {
      return refuse("conflict", { reason: "endpoint_disabled", endpoint_id });
    }
    const made = recoveries.request(wanted.filter, engineNow(), requestKey);
    const actions = progressActions(call, endpoint_id, made.recovery_id);
    return { ok: true, data: recoveryOut(made), actions };
  });
}

function replayMissing(call: AtEndpoint<MissingRequest>): Promise<ControlOutcome> {
  return deliveryWrite(call, () => {
    const found = endpointOfPath(call, call.context.store);
    if (!found.ok) return found;
    const { endpoint_id, state } = found.endpoint;
    if (state === "disabled") {
      return refuse("conflict", { reason: "endpoint_disabled", endpoint_id });
    }
    const { deliveries, engineNow, replica } = call.context;
    const { since, until } = call.body;
    const { ok, search } = deliveries.requestMissing(endpoint_id, since, until, engineNow());
    const { refill_id } = search;
    if (!ok) {
      return refuse("conflict", {
        reason: "recovery_running",
        endpoint_id,
        recovery_id: refill_id,
      });
    }
    const actions = progressActions(call, endpoint_id, refill_id);
    return { ok: true, data: missingSearchOut(search, replica.head.row), actions };
  });
}

const WRITE = { tag: "Webhooks", access: ACCESS, method: "POST", key: "accepted" } as const;
const AT_DELIVERY = {
  ...WRITE,
  params: { delivery_id: pathId("Id of the delivery.") },
} as const;
const AT_ENDPOINT = {
  ...WRITE,
  params: { id: pathId("Id of the endpoint.") },
  success: { status: 200, description: "The recovery.", data: Recovery },
  errors: ["webhook_endpoint_not_found", "conflict"],
} as const;

export const deliveryRoutes = [
  route({
    ...AT_DELIVERY,
    id: "replay_webhook_delivery",
    path: `${DELIVERIES}/:id/replay`,
    formerPath: `${FORMER_DELIVERIES}/:id/replay`,
    summary: "Replay a delivery",
    description:
      "Makes a new delivery of the same event, with the same `webhook-id`, to the endpoint's " +
      "current address, signed with its current secrets. Succeeded and discarded deliveries can " +
      "be replayed too; a delivery that is still due cannot.",
    body: json(EmptyBody),
    isBodyOptional: true,
    success: { status: 202, description: "The new delivery.", data: DeliveryAnswer },
    errors: [
      "webhook_delivery_not_found",
      "webhook_delivery_not_replayable",
      "webhook_endpoint_not_found",
      "conflict",
    ],
    handle: replay,
  }),
  route({
    ...AT_DELIVERY,
    id: "discard_webhook_delivery",
    path: `${DELIVERIES}/:id/discard`,
    formerPath: `${FORMER_DELIVERIES}/:id/discard`,
    summary: "Discard a delivery",
    description:
      "It is not attempted again and not recovered in bulk; `replay` sends it again. Refused " +
      "while it is in flight or after it has succeeded.",
    body: json(DiscardBody),
    success: { status: 200, description: "The delivery.", data: DeliveryAnswer },
    errors: ["webhook_delivery_not_found", "conflict"],
    handle: discard,
  }),
  route({
    ...AT_ENDPOINT,
    id: "recover_webhook",
    path: `${WEBHOOKS}/:id/recover`,
    summary: "Recover an endpoint's dead letters",
    description:
      "Replays the open dead letters of a time range, with the filters of the list of " +
      "deliveries. With `dry_run` they are only counted. It continues after the answer: read its " +
      "progress with `get_webhook_recovery`.",
    body: RecoverBody,
    handle: recover,
  }),
  route({
    ...AT_ENDPOINT,
    id: "replay_missing_webhook_events",
    path: `${WEBHOOKS}/:id/replay-missing`,
    summary: "Deliver the events that an endpoint missed",
    description:
      "The events of a time range in which the endpoint was disabled, did not exist or did not " +
      "match them, and that match its filters now. Events with a delivery, even a dead letter, " +
      "get no other. One recovery at a time per endpoint.",
    body: MissingBody,
    readsReplica: true,
    handle: replayMissing,
  }),
];
