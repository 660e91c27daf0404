/** The walk of `flow.ts` through webhooks, at a receiver of its own. */
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
    (await on.call("DELETE", path, as())).ok();
    (await on.call("GET", path, as())).refused("webhook_endpoint_not_found");
  } finally {
    await receiver.stop();
  }
}
