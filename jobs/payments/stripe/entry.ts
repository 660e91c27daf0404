/** Stripe in the registry of providers. The library is loaded only where payments are taken. */
import type { ProviderEntry } from "../provider.ts";

/** Ready with a secret key. */
export const stripe: ProviderEntry = {
  missing: ({ stripeSecretKey }) => (stripeSecretKey ? null : "STRIPE_SECRET_KEY"),
  async open({ stripeSecretKey, stripeApiUrl }, asksForEarlier) {
    const { StripeProvider } = await import("./stripe-provider.ts");
    const account = { secretKey: stripeSecretKey ?? "", apiUrl: stripeApiUrl };
    return new StripeProvider({ ...account, asksForEarlier });
  },
};
