/**
 * The payment providers of this release. A provider is a file with an implementation of the port
 * and an entry, and a line in the registry; nothing else knows one provider from another.
 */
import type { PaymentProvider, ProviderEntry, ProviderSettings } from "./provider.ts";
import { sandbox } from "./sandbox.ts";
import { stripe } from "./stripe.ts";

const PROVIDERS = {
  sandbox,
  stripe,
} as const satisfies Readonly<Record<string, ProviderEntry>>;

/** What `PAYMENT_PROVIDER` may be. */
export type PaymentProviderName = keyof typeof PROVIDERS;
export const PAYMENT_PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly PaymentProviderName[];

/** The settings, and whose they are; every configuration has them. */
export interface PaymentSettings extends ProviderSettings {
  readonly paymentProvider: PaymentProviderName;
}

/**
 * What lacks before payments can be taken: the name of a setting, or of a part that this release
 * does not have. Null when they can be taken.
 */
export function missingForPayments(settings: PaymentSettings): string | null {
  return PROVIDERS[settings.paymentProvider].missing(settings);
}

/**
 * Opens the configured provider; closing it is the caller's.
 *
 * @throws Error when something is missing, or as the provider itself does.
 */
export function openPaymentProvider(settings: PaymentSettings): PaymentProvider {
  const { paymentProvider } = settings;
  const missing = missingForPayments(settings);
  if (missing !== null) throw new Error(`payments by ${paymentProvider} lack ${missing}`);
  return PROVIDERS[paymentProvider].open(settings);
}
