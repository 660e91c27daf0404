/** Stripe: configurable, but this release has no adapter for it. */
import type { ProviderEntry } from "./provider.ts";

/** Never ready. */
export const stripe: ProviderEntry = {
  missing: ({ stripeSecretKey }) => (stripeSecretKey ? "stripe_adapter" : "STRIPE_SECRET_KEY"),
  open() {
    throw new Error("this release has no Stripe adapter");
  },
};
