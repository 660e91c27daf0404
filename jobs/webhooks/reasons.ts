/** Why an attempt failed or a delivery died, as classes that an operator can act on. */

/** Each with what it means to the operator; the answer's status and its first KiB say the rest. */
export const REASONS = {
  address: "The address is not one that events may be sent to.",
  dns: "The host name does not resolve to an address that may be called.",
  connect: "Nothing took the connection.",
  tls: "The server could not be proven to be the host: certificate, name or protocol.",
  timeout: "No answer within the time.",
  invalid_answer:
    "The answer was cut off, is no HTTP, or does not say of a message for a partner that it was taken.",
  http_4xx: "The receiver refused it.",
  http_5xx: "The receiver failed.",
  gone: "The receiver answered 410: it wants no more events.",
  too_many_redirects: "The receiver answered with a redirect, and none is followed.",
  payload_refused: "The receiver does not take this payload: 413 or 422.",
  endpoint_disabled: "The endpoint was disabled before the delivery was made.",
  endpoint_narrowed: "The endpoint may no longer be shown what lies at this property.",
  event_lost: "The journal no longer holds the event.",
  nothing_to_send: "The nights that it was about are over.",
} as const;

export type Reason = keyof typeof REASONS;

/** What an answer's status comes to; null for success, which only 2xx is. */
export function reasonOfStatus(status: number): Reason | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return "too_many_redirects";
  if (status === 410) return "gone";
  if (status === 413 || status === 422) return "payload_refused";
  if (status >= 400 && status < 500) return "http_4xx";
  return status >= 500 && status < 600 ? "http_5xx" : "invalid_answer";
}
