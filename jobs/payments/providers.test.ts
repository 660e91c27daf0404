/** Goal: a provider reports missing settings before any payment, and a ready one takes money. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  missingForPayments,
  openPaymentProvider,
  PAYMENT_PROVIDER_NAMES,
  type PaymentSettings,
} from "./providers.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "innkeep-providers-"));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

function settings(over: Partial<PaymentSettings>): PaymentSettings {
  return {
    paymentProvider: "sandbox",
    stripeSecretKey: null,
    stripeApiUrl: "http://127.0.0.1:1",
    dataDir,
    ...over,
  };
}

test("the sandbox needs no settings and keeps its ledger in the data directory", async () => {
  expect(missingForPayments(settings({}))).toBeNull();
  const provider = await openPaymentProvider(settings({}));
  const about = { tenant_id: "t", mode: "live", booking_key: "b" } as const;
  const charge = {
    key: "p",
    about,
    amount: 100,
    currency: "EUR",
    token: "tok_visa",
    method: "card",
  };
  expect(await provider.create(charge)).toEqual({ ok: true, ref: "sbx_p" });
  provider.close();
  expect(readdirSync(dataDir)).toContain("sandbox-provider.db");
});

test("Stripe needs its key", () => {
  const paymentProvider = "stripe";
  expect(missingForPayments(settings({ paymentProvider }))).toBe("STRIPE_SECRET_KEY");
  const stripeSecretKey = "sk_test_1";
  const withKey = settings({ paymentProvider, stripeSecretKey });
  expect(missingForPayments(withKey)).toBeNull();
});

test.each(PAYMENT_PROVIDER_NAMES)("%s opens exactly when nothing is missing", async (name) => {
  for (const stripeSecretKey of [null, "sk_test_1"]) {
    const of = settings({ paymentProvider: name, stripeSecretKey });
    const missing = missingForPayments(of);
    if (missing === null) (await openPaymentProvider(of)).close();
    else await expect(openPaymentProvider(of)).rejects.toThrow(missing);
  }
});
