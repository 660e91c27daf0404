/** The walk of `flow.ts` through webhooks, at a receiver of its own. */

import { givenDelivery, untilFollowed } from "../support/deliveries.ts";
import { RawReceiver } from "../support/raw-receiver.ts";
import type { Options } from "../support/service.ts";
import type { Recorder } from "./recorder.ts";

/** Makes an endpoint, changes it in every way and deletes it. */
export async function administerWebhooks(
  on: Recorder,
  as: (body?: unknown) => Options,
): Promise<void> {
  const webhooks = "/v1/admin/webhooks";
  const receiver = new RawReceiver();
  try {
    const events = ["booking.confirmed", "booking.cancelled"];
    const terms = { description: "Front desk", headers: { "X-Hotel": "sevilla" } };
    const body = { url: receiver.url, events, ...terms };
    const made = (await on.call("POST", webhooks, as(body))).ok<{ endpoint_id: string }>(201);
    const path = `${webhooks}/${made.data.endpoint_id}`;
    (await on.call("GET", webhooks, as())).ok();
    (await on.call("GET", path, as())).ok();
    (await on.call("PATCH", path, as({ ordering: "per_subject", max_per_s: 20 }))).ok();
    (await on.call("POST", `${path}/rotate-secret`, as({ overlap_s: 3600 }))).ok(201);
    (await on.call("POST", `${path}/test`, as({ kind: "booking.confirmed" }))).ok();
    for (const step of ["pause", "disable", "resume"]) {
      (await on.call("POST", `${path}/${step}`, as())).ok();
    }
    await handleDeliveries(on, as, made.data.endpoint_id);
    (await on.call("DELETE", path, as())).ok();
    (await on.call("GET", path, as())).refused("webhook_endpoint_not_found");
  } finally {
    await receiver.stop();
  }
}

/** Finds a dead letter and does all that can be done about it. */
async function handleDeliveries(
  on: Recorder,
  as: (body?: unknown) => Options,
  endpoint_id: string,
): Promise<void> {
  const path = `/v1/admin/webhooks/${endpoint_id}`;
  const deliveries = "/v1/admin/webhook-deliveries";
  const since = "2026-01-01T00:00:00Z";
  await untilFollowed(on.service, endpoint_id);
  const [dead, other] = [1, 2].map(() => {
    const at = givenDelivery(on.service, { endpoint_id, kind: "booking.confirmed" });
    return `${deliveries}/${at}`;
  });
  const query = `?endpoint_id=${endpoint_id}&unhandled=true&limit=2`;
  (await on.call("GET", `${deliveries}${query}`, as())).ok();
  (await on.call("GET", dead!, as())).ok();
  (await on.call("GET", `${deliveries}/dlv_x`, as())).refused("webhook_delivery_not_found");
  (await on.call("POST", `${path}/pause`, as())).ok();
  (await on.call("POST", `${dead}/replay`, as())).ok(202);
  (await on.call("POST", `${dead}/replay`, as())).refused("webhook_delivery_not_replayable");
  const reason = "The booking was told by telephone.";
  (await on.call("POST", `${other}/discard`, as({ reason }))).ok();
  const asked = await on.call("POST", `${path}/recover`, as({ since, reason: "timeout" }));
  const { recovery_id } = asked.ok<{ recovery_id: string }>().data;
  (await on.call("GET", `${path}/recoveries/${recovery_id}`, as())).ok();
  (await on.call("POST", `${path}/replay-missing`, as({ since }))).ok();
  (await on.call("GET", `${path}/stats`, as())).ok();
}
