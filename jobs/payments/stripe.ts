/** Stripe as far as this release has it: it can be configured, and says what it lacks. */
import type { ProviderEntry } from "./provider.ts";

/** Never ready: the adapter itself is not part of this release. */
export const stripe: ProviderEntry = {
  missing: ({ stripeSecretKey }) => (stripeSecretKey ? "stripe_adapter" : "STRIPE_SECRET_KEY"),
  open() {
    throw new Error("this release has no Stripe adapter");
  },
};
