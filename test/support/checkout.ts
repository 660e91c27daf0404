/** Checkout sessions, and the page as a browser without script sees it. */
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { type Hold, newKey } from "./client.ts";
import type { Service } from "./service.ts";

export interface Session {
  readonly session_id: string;
  readonly hold_id: string;
  readonly state: string;
  readonly url: string;
  readonly continue_url: string;
  readonly booking_id: string | null;
  readonly return_url: string | null;
  readonly expires_at: string;
}

interface Handing {
  readonly agent?: DemoAgent;
  readonly key?: string;
  readonly return_url?: string;
}

/** Asks for the page of a hold; the answer may be a refusal. */
export function sendHandover(
  service: Pick<Service, "api">,
  { hold_id }: Pick<Hold, "hold_id">,
  { agent, key = newKey(), return_url }: Handing = {},
) {
  const headers = { "idempotency-key": key };
  const options = { body: { hold_id, return_url }, headers, ...(agent && { agent }) };
  return service.api("POST", "/v1/checkout/sessions", options);
}

/** Hands a hold over; the session. */
export async function handedOver(
  service: Pick<Service, "api">,
  hold: Pick<Hold, "hold_id">,
  agent?: DemoAgent,
): Promise<Session> {
  return (await sendHandover(service, hold, agent && { agent })).ok<Session>(201).data;
}

/** Path of a session's page. */
export function pageOf({ url }: Session): string {
  return new URL(url).pathname;
}
