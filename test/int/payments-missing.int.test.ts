/**
 * Goal: a service whose payments are not configured starts, says what is missing, and is whole once
 * they are. Method: real starts on one fresh directory, first with a provider that lacks its key.
 */
import { expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Service, WHOLE_DEMO } from "../support/service.ts";

test("PAYMENT_PROVIDER=stripe starts on a fresh directory, and sandbox goes on from there", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "innkeep-stripe-"));
  const service = await Service.startOn(dataDir, {
    ...WHOLE_DEMO,
    PAYMENT_PROVIDER: "stripe",
    LANES: "1",
  });
  try {
    const ready = await service.api("GET", "/readyz", { agent: null });
    const { dependencies } = ready.refused("upstream_unavailable").detail as {
      dependencies: Record<string, { state: string }>;
    };
    expect(dependencies.payments!.state).toBe("down");
    expect(service.log).toContain("no demo supply: payments are not configured");
    const body = {
      ...{ hold_id: "hld_0000000000000000000000000000", quote_id: "quo_1" },
      guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } },
      payment: { method: "card", provider_token: "tok_ok" },
    };
    const headers = {
      ...{ "idempotency-key": crypto.randomUUID() },
      "x-delegated-user": await service.mintDelegation(),
    };
    const booked = await service.api("POST", "/v1/bookings", { body, headers });
    expect(booked.refused("service_not_configured").detail).toEqual({
      missing: "STRIPE_SECRET_KEY",
    });
    await service.restart({ PAYMENT_PROVIDER: "sandbox" });
    const { data } = (await service.api("GET", "/v1/properties")).ok<{ items: object[] }>();
    expect(data.items.length).toBeGreaterThan(10);
  } finally {
    await service.stop();
  }
});
