/** Webhook endpoints of receivers, made as an operator makes them. */
import type { Receiver } from "./receivers.ts";
import type { Front } from "./service.ts";

export interface EndpointTerms {
  readonly events?: readonly string[];
  readonly max_in_flight?: number;
  readonly ordering?: "none" | "per_subject";
}

/**
 * Makes an endpoint of a receiver that answers its ping, and has the receiver believe its secret.
 * Returns the endpoint's id.
 */
export async function newEndpoint(
  service: Front,
  receiver: Receiver,
  terms: EndpointTerms = {},
): Promise<string> {
  const body = { url: receiver.url, events: ["*"], ...terms };
  const made = await service.api("POST", "/v1/admin/webhooks", {
    ...{ agent: service.demo.admin, body },
  });
  const { data } = made.ok<{ endpoint_id: string; state: string; secret: string }>(201);
  if (data.state !== "active") throw new Error(`${receiver.name} was not made active: ${made}`);
  receiver.trust(data.secret);
  return data.endpoint_id;
}
