/**
 * `/v1/admin/webhooks` (domain §11): where a tenant wants its events, in the caller's mode. Nobody
 * gives an endpoint more to see than its own credential may, nor changes one that sees more.
 */
import { listEndpoints } from "../../control/webhook-endpoints.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { pathId } from "../parameters.ts";
import { create, patch, rotateSecret } from "./changes.ts";
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
import { disable, pause, remove, resume } from "./standing.ts";
import { TestBody, test } from "./test-send.ts";

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
  "It is pinged: a signed event of type `webhook.ping` that must be answered with 2xx within 5 s. " +
  "Otherwise it stays paused, and `ping` says why; its events wait until `resume_webhook` succeeds.";
const SHOWN_ONCE = "The secret is shown once: a replay has null in its place.";

const MESSAGES =
  "With a `format` of `ota_…` it is a partner's address: in the place of events it is sent " +
  "OpenTravel messages of the cells that they have changed, as these are when they are sent, one " +
  "of a property at a time. `events` follow from the format, no ping is sent, and only an answer " +
  "with `Success` counts.";

const ENDPOINTS = { tag: "Webhooks", access: ACCESS } as const;
const AT_ENDPOINT = {
  ...ENDPOINTS,
  path: `${WEBHOOKS}/:id`,
  params: { id: pathId("Id of the endpoint.") },
  success: { status: 200, description: "The endpoint.", data: WebhookEndpoint },
  errors: ["webhook_endpoint_not_found"],
} as const;
/** One that says all in its path. */
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
    description: "All endpoints of the tenant and mode that the caller may see; complete.",
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
      `Events from now on are sent to it, as Standard Webhooks 1.0.0. ${PINGED} ${SHOWN_ONCE} ` +
      "A credential of some properties makes endpoints of these alone. At most 50 per tenant and " +
      `mode. ${MESSAGES}`,
    key: "accepted",
    body: endpointBody,
    readsReplica: true,
    success: {
      status: 201,
      description: "The endpoint and its secret.",
      data: WebhookEndpointWithSecret,
    },
    // Somebody may delete it while it is pinged.
    errors: ["conflict", "webhook_endpoint_not_found"],
    handle: create,
  }),
  route({
    ...AT_ENDPOINT,
    id: "get_webhook",
    method: "GET",
    summary: "Get a webhook endpoint",
    description: "As it is now; of its secret only how it ends.",
    handle: show,
  }),
  route({
    ...AT_ENDPOINT,
    id: "update_webhook",
    method: "PATCH",
    summary: "Change a webhook endpoint",
    description:
      "What is left out stays; `headers` are replaced as a whole, but a masked value that is sent " +
      "back stays as it was; to another origin they go only with their values. With another " +
      `\`url\`: ${PINGED}`,
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
    description: "For good. What has not been delivered to it will not be.",
    key: "accepted",
    body: json(EmptyBody),
    isBodyOptional: true,
    success: { status: 200, description: "The endpoint as it was left.", data: WebhookEndpoint },
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
      `${PINGED} One that was disabled gets the events from now on; what it missed is brought by ` +
      "`replay-missing`, and what died by `recover`, which the answer offers.",
    readsReplica: true,
    handle: resume,
  }),
  route({
    ...STEP,
    id: "disable_webhook",
    path: `${WEBHOOKS}/:id/disable`,
    summary: "Disable a webhook endpoint",
    description: "It gets no events until it is resumed, nor are any kept for it.",
    handle: disable,
  }),
  route({
    ...AT_ENDPOINT,
    id: "rotate_webhook_secret",
    method: "POST",
    path: `${WEBHOOKS}/:id/rotate-secret`,
    summary: "Replace the secret of a webhook endpoint",
    description:
      "Both sign every delivery for `overlap_s`, a day unless said; with 0 the old one stops at " +
      `once. ${SHOWN_ONCE}`,
    key: "accepted",
    body: json(RotateSecretBody),
    isBodyOptional: true,
    success: {
      status: 201,
      description: "The endpoint, new secret.",
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
      "The example of a kind, signed and sent at once, whatever the endpoint's state and filters " +
      "are; `webhook.test` unless said. It has `test: true` and no `seq`, because it has not " +
      "happened. Nothing is kept of it, and it is not repeated. An answer is waited for 5 s; where " +
      "none comes, or none that is 2xx, the test is refused with what came of it. An endpoint of " +
      "messages is sent an `OTA_PingRQ`, which not every partner knows.",
    body: json(TestBody),
    isBodyOptional: true,
    success: { status: 200, description: "What came of it.", data: WebhookTest },
    errors: ["webhook_endpoint_not_found", "notification_delivery_failed"],
    handle: test,
  }),
];
