/**
 * Stripe in the registry of providers, and its events. The library is loaded only where payments
 * are taken or events are read.
 */
import type { ProviderEntry } from "../provider.ts";
import type { EventReading, SignedEvent } from "./webhook.ts";

/** Ready with a secret key. */
export const stripe: ProviderEntry = {
  missing: ({ stripeSecretKey }) => (stripeSecretKey ? null : "STRIPE_SECRET_KEY"),
  async open({ stripeSecretKey, stripeApiUrl }, asksForEarlier) {
    const { StripeProvider } = await import("./stripe-provider.ts");
    const account = { secretKey: stripeSecretKey ?? "", apiUrl: stripeApiUrl };
    return new StripeProvider({ ...account, asksForEarlier });
  },
  async openPages({ stripeSecretKey, stripeApiUrl }) {
    const { StripePages } = await import("./payment-pages.ts");
    return new StripePages({ secretKey: stripeSecretKey ?? "", apiUrl: stripeApiUrl });
  },
};

/** Reads an event that Stripe sent; see `webhook.ts`. */
export async function readStripeEvent(event: SignedEvent): Promise<EventReading> {
  const { readEvent } = await import("./webhook.ts");
  return readEvent(event);
}
