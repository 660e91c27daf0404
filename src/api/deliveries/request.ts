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
  const events = publicEvents(row, chain, replica.eventLookups);
  return sentOf(events, delivery, endpoint, {
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

/** Characters that move the cursor or change the text direction. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The same JSON without characters that a terminal interprets. Messages for partners contain only
 * ids, dates and numbers.
 */
function visible(body: string): string {
  if (!body.startsWith("{")) return body;
  return body.replace(UNPRINTABLE, (sign) => {
    const units = Array.from({ length: sign.length }, (_, i) => sign.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}

/** The text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface CurlTerms {
  readonly id: string;
  readonly body: string;
  readonly contentType?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * POSIX shell commands that sign and send the event. A signature is valid for minutes and needs a
 * secret, so it is made when they run, with the secret that the operator has put into
 * WEBHOOK_SECRET. Masked header values stay masked.
 */
export function curlOf(
  url: string,
  { id, body, contentType = "application/json", headers }: CurlTerms,
): string {
  const own = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const sent = [
    ...[`"content-type: ${contentType}"`, '"webhook-id: $id"', '"webhook-timestamp: $at"'],
    '"webhook-signature: v1,$signature"',
  ];
  return [
    `( : "\${WEBHOOK_SECRET:?set it to the endpoint's whsec_ secret}"`,
    `id=${quoted(id)}; at=$(date +%s)`,
    `body=${quoted(visible(body))}`,
    `key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
    `signature=$(printf %s "$id.$at.$body" |`,
    `  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)`,
    `curl -i -X POST ${quoted(new URL(url).href)} \\`,
    ...[...own, ...sent.map((header) => `-H ${header}`)].map((header) => `  ${header} \\`),
    `  --data-binary "$body" )`,
  ].join("\n");
}
