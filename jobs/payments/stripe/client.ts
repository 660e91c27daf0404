/**
 * The library's client: one API version, and no retries, because the saga repeats calls. Only a
 * call whose connection was closed is repeated by the library, once and under its key.
 */
import Stripe from "stripe";

/** The types of the library are those of this version. */
const API_VERSION = "2026-10-28.endive";
/** Longer than a booking may take, so that only broken connections end by it. */
const CALL_MS_MAX = 15_000;

/** The account, and the address of the API. */
export interface StripeAccount {
  readonly secretKey: string;
  readonly apiUrl: string;
}

/** Opens a client; no call is made. */
export function openClient({ secretKey, apiUrl }: StripeAccount): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl);
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: 0,
    timeout: CALL_MS_MAX,
    // Sends figures about earlier calls otherwise.
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(),
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port !== "" && { port }),
  });
}
