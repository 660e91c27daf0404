/** Why an attempt failed or a delivery became a dead letter, in classes an operator can act on. */

/** By reason, its description for operators. */
export const REASONS = {
  address: "Events may not be sent to this address.",
  dns: "The host name does not resolve to a permitted address.",
  connect: "The connection was refused or failed.",
  tls: "TLS failed: certificate, host name or protocol.",
  timeout: "No answer within the time limit.",
  invalid_answer: "The answer is cut off, is not HTTP, or does not confirm a partner message.",
  http_4xx: "The receiver refused the request.",
  http_5xx: "The receiver failed.",
  gone: "The receiver answered 410: it wants no more events.",
  too_many_redirects: "The receiver answered with a redirect; redirects are not followed.",
  payload_refused: "The receiver refused the payload: 413 or 422.",
  endpoint_disabled: "The endpoint was disabled before the delivery was made.",
  endpoint_narrowed: "The endpoint's filter no longer includes the property.",
  event_lost: "The journal no longer contains the event.",
  nothing_to_send: "All affected nights are in the past.",
} as const;

export type Reason = keyof typeof REASONS;

/** The reason of a status; null for success, which is 2xx only. */
export function reasonOfStatus(status: number): Reason | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return "too_many_redirects";
  if (status === 410) return "gone";
  if (status === 413 || status === 422) return "payload_refused";
  if (status >= 400 && status < 500) return "http_4xx";
  return status >= 500 && status < 600 ? "http_5xx" : "invalid_answer";
}
