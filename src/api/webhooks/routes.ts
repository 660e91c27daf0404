/**
 * `/v1/admin/webhooks`: webhook endpoints in the caller's mode. A caller cannot give
 * an endpoint more rights than its own credential has, nor change one that has more.
 */
import { listEndpoints } from "../../access/control/webhook-endpoints.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { pathId } from "../parameters.ts";
import { create, patch, rotateSecret } from "./changes.ts";
import { TestBody, test } from "./ping.ts";
import {
  type AtEndpoint,
  endpointActions,
  endpointOfPath,
  endpointOut,
  visibleEndpoints,
  WEBHOOKS,
} from "./records.ts";
import { EndpointPatchBody, endpointBody, RotateSecretBody } from "./requests.ts";
import {
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookTest,
} from "./responses.ts";
import { disable, pause, remove, resume } from "./state-changes.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:webhooks", touches: "properties" } as const;

function list(call: Call): Success {
  const { store } = call.context;
  const all = visibleEndpoints(call, listEndpoints(store, call.principal));
  return { ok: true, data: { items: all.map((endpoint) => endpointOut(endpoint, call.context)) } };
}

function show(call: AtEndpoint): Success | Refusal {
  const found = endpointOfPath(call, call.context.store);
  if (!found.ok) return found;
  const { endpoint } = found;
  const actions = endpointActions(call, endpoint).filter(({ rel }) => rel !== "get");
  return { ok: true, data: endpointOut(endpoint, call.context), actions };
}

const PINGED =
  "It is pinged: a signed event of type `webhook.ping` must be answered with 2xx within 5 s. " +
  "Otherwise it stays paused, `ping` says why, and its events wait until `resume_webhook` " +
  "succeeds.";
const SHOWN_ONCE = "The secret is shown once; a replay shows null.";

const MESSAGES =
  "With a `format` of `ota_…` it is a partner's address: instead of events it receives " +
  "OpenTravel messages with the current values of changed cells, one at a time per property. " +
  "`events` follows from the format, no ping is sent, and only a response with `Success` counts.";

const ENDPOINTS = { tag: "Webhooks", access: ACCESS } as const;
const AT_ENDPOINT = {
  ...ENDPOINTS,
  path: `${WEBHOOKS}/:id`,
  params: { id: pathId("Id of the endpoint.") },
  success: { status: 200, description: "The endpoint.", data: WebhookEndpoint },
  errors: ["webhook_endpoint_not_found"],
} as const;
/** A write without body members. */
const STEP = {
  ...AT_ENDPOINT,
  method: "POST",
  key: "accepted",
  body: json(EmptyBody),
  isBodyOptional: true,
} as const;

export const webhookRoutes = [
  route({
    ...ENDPOINTS,
    id: "list_webhooks",
    method: "GET",
    path: WEBHOOKS,
    summary: "List the webhook endpoints",
    description: "All endpoints of the tenant and mode that the caller has access to; complete.",
    success: {
      status: 200,
      description: "The endpoints, newest first.",
      data: WebhookEndpointList,
    },
    errors: [],
    handle: list,
  }),
  route({
    ...ENDPOINTS,
    id: "create_webhook",
    method: "POST",
    path: WEBHOOKS,
    summary: "Create a webhook endpoint",
    description:
      `It receives all events from now on, as Standard Webhooks 1.0.0. ${PINGED} ${SHOWN_ONCE} A ` +
      "credential of some properties creates endpoints of only these. At most 50 per tenant and " +
      `mode. ${MESSAGES}`,
    key: "accepted",
    body: endpointBody,
    readsReplica: true,
    success: {
      status: 201,
      description: "The endpoint and its secret.",
      data: WebhookEndpointWithSecret,
    },
    // It may be deleted during the ping.
    errors: ["conflict", "webhook_endpoint_not_found"],
    handle: create,
  }),
  route({
    ...AT_ENDPOINT,
    id: "get_webhook",
    method: "GET",
    summary: "Get a webhook endpoint",
    description: "The endpoint, with only the last characters of its secret.",
    handle: show,
  }),
  route({
    ...AT_ENDPOINT,
    id: "update_webhook",
    method: "PATCH",
    summary: "Change a webhook endpoint",
    description:
      "Omitted fields stay; `headers` are replaced as a whole, but a masked value that is sent " +
      "back keeps the stored one; a new origin requires all values. With another `url`: " +
      `${PINGED}`,
    key: "accepted",
    takesIfMatch: true,
    body: json(EndpointPatchBody),
    readsReplica: true,
    errors: ["webhook_endpoint_not_found", "conflict"],
    handle: patch,
  }),
  route({
    ...AT_ENDPOINT,
    id: "delete_webhook",
    method: "DELETE",
    summary: "Delete a webhook endpoint",
    description: "Permanently. Pending deliveries are cancelled.",
    key: "accepted",
    body: json(EmptyBody),
    isBodyOptional: true,
    success: { status: 200, description: "The deleted endpoint.", data: WebhookEndpoint },
    handle: remove,
  }),
  route({
    ...STEP,
    id: "pause_webhook",
    path: `${WEBHOOKS}/:id/pause`,
    summary: "Pause a webhook endpoint",
    description: "Its events wait until it is resumed.",
    errors: ["webhook_endpoint_not_found", "conflict"],
    handle: pause,
  }),
  route({
    ...STEP,
    id: "resume_webhook",
    path: `${WEBHOOKS}/:id/resume`,
    summary: "Resume a webhook endpoint",
    description:
      `${PINGED} A disabled endpoint gets events from now on; missed ones are sent by ` +
      "`replay-missing` and dead letters by `recover`, which the answer offers.",
    readsReplica: true,
    handle: resume,
  }),
  route({
    ...STEP,
    id: "disable_webhook",
    path: `${WEBHOOKS}/:id/disable`,
    summary: "Disable a webhook endpoint",
    description: "It gets no events until it is resumed, and none are kept for it.",
    handle: disable,
  }),
  route({
    ...AT_ENDPOINT,
    id: "rotate_webhook_secret",
    method: "POST",
    path: `${WEBHOOKS}/:id/rotate-secret`,
    summary: "Replace the secret of a webhook endpoint",
    description:
      "Both secrets sign every delivery for `overlap_s`, a day by default; with 0 the old one " +
      `stops at once. ${SHOWN_ONCE}`,
    key: "accepted",
    body: json(RotateSecretBody),
    isBodyOptional: true,
    success: {
      status: 201,
      description: "The endpoint with its new secret.",
      data: WebhookEndpointWithSecret,
    },
    errors: ["webhook_endpoint_not_found", "conflict"],
    handle: rotateSecret,
  }),
  route({
    ...AT_ENDPOINT,
    id: "test_webhook",
    method: "POST",
    path: `${WEBHOOKS}/:id/test`,
    summary: "Send a test to a webhook endpoint",
    description:
      "Sends the example event of a kind, signed, at once and regardless of state and filters; " +
      "`webhook.test` by default. It has `test: true` and no `seq`, because it has not happened. " +
      "It is not stored and not repeated. The timeout is 5 s; without a 2xx response the test is " +
      "refused with its result. An endpoint of messages is sent an `OTA_PingRQ`, which not every " +
      "partner supports.",
    body: json(TestBody),
    isBodyOptional: true,
    success: { status: 200, description: "The result.", data: WebhookTest },
    errors: ["webhook_endpoint_not_found", "notification_delivery_failed"],
    handle: test,
  }),
];
