/** What the next attempt of a delivery would send. */
import { publicEvents } from "../../../engine/core/public-events.ts";
import { GUEST_SCOPE, sentOf } from "../../../jobs/webhooks/send/bodies.ts";
import { AFTER_DEAD_LETTER } from "../../../jobs/webhooks/send/send.ts";
import type { Delivery } from "../../../jobs/webhooks/store/delivery.ts";
import { coversScope } from "../../access/control/principal.ts";
import type { StoredEndpoint } from "../../access/control/webhook-endpoints.ts";
import { guestById } from "../../access/privacy/guest.ts";
import type { Call } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import { MASK } from "../webhooks/requests.ts";
import { curlOf } from "./curl.ts";

/** Whether the caller may see everything that the endpoint receives. */
export function seesWhatItIsSent({ principal }: Call, { scopes }: StoredEndpoint): boolean {
  return !scopes.includes(GUEST_SCOPE) || coversScope(principal.scopes, GUEST_SCOPE);
}

/** The request to this endpoint, or why there is none. */
function sentTo(
  { replica, keys, engineNow }: Context,
  delivery: Delivery,
  endpoint: StoredEndpoint,
) {
  const row = replica.row(delivery.row);
  const chain = replica.chainAt(delivery.row);
  if (!row || chain === null) return "event_lost";
  const told = publicEvents(row, chain, replica.eventLookups);
  return sentOf(told, delivery, endpoint, {
    source: replica,
    openGuest: (bookingId) => guestById(keys.encryption, replica.records, bookingId),
    nowMs: engineNow(),
  });
}

/** The request with shell commands that send it; null when there is none. */
export function requestOf(context: Context, delivery: Delivery, endpoint: StoredEndpoint) {
  const sent = sentTo(context, delivery, endpoint);
  if (typeof sent === "string") return null;
  const { url } = endpoint;
  const masked = Object.keys(endpoint.headers).map((name) => [name.toLowerCase(), MASK]);
  const after = sent.afterDeadLetter ? { [AFTER_DEAD_LETTER]: sent.afterDeadLetter } : {};
  const headers = { ...Object.fromEntries(masked), ...after };
  return { url, headers, body: sent.body, curl: curlOf(url, { ...sent, headers }) };
}
