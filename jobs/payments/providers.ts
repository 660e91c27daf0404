/**
 * The payment providers of this release. To add one, implement the port in a file and register it
 * here; no other code depends on a particular provider.
 */
import type { PaymentPages, PaymentProvider, ProviderEntry, ProviderSettings } from "./provider.ts";
import { sandbox } from "./sandbox.ts";
import { stripe } from "./stripe/entry.ts";

const PROVIDERS = {
  sandbox,
  stripe,
} as const satisfies Readonly<Record<string, ProviderEntry>>;

/** Values of `PAYMENT_PROVIDER`. */
export type PaymentProviderName = keyof typeof PROVIDERS;
export const PAYMENT_PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly PaymentProviderName[];

/** The chosen provider with the settings. */
export interface PaymentSettings extends ProviderSettings {
  readonly paymentProvider: PaymentProviderName;
}

/** The setting or part that payments need and lack; null when payments can be taken. */
export function missingForPayments(settings: PaymentSettings): string | null {
  return PROVIDERS[settings.paymentProvider].missing(settings);
}

/**
 * Opens the configured provider; the caller closes it. `asksForEarlier`: see `ProviderEntry`.
 *
 * @throws Error when something is missing, or the provider's own error.
 */
export async function openPaymentProvider(
  settings: PaymentSettings,
  asksForEarlier = false,
): Promise<PaymentProvider> {
  const { paymentProvider } = settings;
  const missing = missingForPayments(settings);
  if (missing !== null)
    throw new Error(`payments by ${paymentProvider} are not configured: missing ${missing}`);
  return PROVIDERS[paymentProvider].open(settings, asksForEarlier);
}

/** The pages of the configured provider; null where it has none, or something is missing. */
export async function openPaymentPages(settings: PaymentSettings): Promise<PaymentPages | null> {
  if (missingForPayments(settings) !== null) return null;
  const entry: ProviderEntry = PROVIDERS[settings.paymentProvider];
  return (await entry.openPages?.(settings)) ?? null;
}
