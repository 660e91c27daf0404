/**
 * Goal: whatever happens to a call, money moves once, and the next call finds what happened.
 * Method: the adapter against a double of Stripe's API, which fails by payment method.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { deriveId } from "../../../engine/core/ids.ts";
import { DOUBLE_KEY, StripeDouble } from "../../../test/support/stripe-double.ts";
import type { ConfirmCharge, CreateCharge } from "../provider.ts";
import { fromStripeAmount, toStripeAmount } from "./amounts.ts";
import { StripeProvider } from "./stripe-provider.ts";

const AMOUNT = 12_000;
const CAPTURED = { ok: true, state: "captured" } as const;
const SUCCEEDED = { ok: true, state: "succeeded" } as const;

let double: StripeDouble;
let provider: StripeProvider;

beforeEach(async () => {
  double = await StripeDouble.start();
  provider = open(DOUBLE_KEY);
});

afterEach(async () => {
  provider.close();
  await double.stop();
});

function open(secretKey: string): StripeProvider {
  return new StripeProvider({ secretKey, apiUrl: double.url, asksForEarlier: false });
}

function chargeOf(token: string, over: Partial<CreateCharge> = {}): CreateCharge {
  const key = deriveId("pay", Date.now(), randomBytes(16).toString("hex"));
  const about = { tenant_id: "tenant", mode: "live", booking_key: `of ${key}` } as const;
  return { key, about, token, amount: AMOUNT, currency: "EUR", method: "card", ...over };
}

async function registered(charge: CreateCharge): Promise<string> {
  const reply = await provider.create(charge);
  return reply.ok && "ref" in reply ? reply.ref : JSON.stringify(reply);
}

function confirm(ref: string, over: Partial<ConfirmCharge> = {}) {
  const { signal } = new AbortController();
  return provider.confirm({ ref, key: `${ref}-1`, signal, isWanted: () => true, ...over });
}

async function captured(token: string): Promise<string> {
  const ref = await registered(chargeOf(token));
  expect(await confirm(ref)).toEqual(CAPTURED);
  return ref;
}

const refund = (ref: string, amount = 5_000, key = "rfd_1") =>
  provider.refund({ ref, key, amount, currency: "EUR" });

const statesOf = () => [...double.ledger.intents.values()].map(({ status }) => status);

test.each([
  ["fail", "a second intent"],
  ["break", "the one that is there"],
])("a stored 500 to a registration (%s) leads to %s, each time the same", async (fault) => {
  const charge = chargeOf(`pm_double_${fault}_at_create`);
  const ref = await registered(charge);
  expect(ref).toStartWith("pi_");
  expect(await registered(charge)).toBe(ref);
  expect(statesOf()).toEqual(["requires_confirmation"]);
  expect(await confirm(ref)).toEqual(CAPTURED);
});

test.each(["close", "lose"])(
  "a registration whose answer is lost (%s) is repeated",
  async (fault) => {
    const charge = chargeOf(`pm_double_${fault}_at_create`);
    expect(await provider.create(charge)).toMatchObject({ ok: false, error: "provider_error" });
    expect(await registered(charge)).toStartWith("pi_");
    expect(double.ledger.intents.size).toBe(1);
  },
);

test.each([
  ["an unknown payment method", { token: "pm_unknown" }, "resource_missing"],
  ["an amount below the least", { amount: 49 }, "amount_too_small"],
])("%s declines the payment for good", async (_what, over, code) => {
  const reply = await provider.create(chargeOf("pm_card_visa", over));
  expect(reply).toEqual({ ok: true, state: "declined", code });
});

test("a token of a card is charged as a payment method", async () => {
  await captured("tok_visa");
  expect(statesOf()).toEqual(["succeeded"]);
});

test("a payment that is not wanted any more is cancelled between authorization and capture", async () => {
  const ref = await registered(chargeOf("pm_card_visa"));
  expect(await confirm(ref, { isWanted: () => false })).toMatchObject({ ok: false });
  expect(statesOf()).toEqual(["canceled"]);
  expect(double.calls.some((call) => call.endsWith("/capture"))).toBeFalse();
});

test("a caller that gives up during the authorization is not charged", async () => {
  const ref = await registered(chargeOf("pm_card_visa"));
  const caller = new AbortController();
  const isWanted = () => true;
  const reply = confirm(ref, { signal: caller.signal, isWanted });
  caller.abort();
  expect(await reply).toEqual({ ok: false, error: "timeout" });
  expect(statesOf()).toEqual(["canceled"]);
});

test("a card that asks for authentication is cancelled, and every read says why", async () => {
  const ref = await registered(chargeOf("pm_card_authenticationRequired"));
  expect(await confirm(ref)).toMatchObject({ state: "declined", code: "authentication_required" });
  expect(statesOf()).toEqual(["canceled"]);
  const declined = { ok: true, state: "declined", code: "authentication_required" } as const;
  expect(await provider.read(ref)).toMatchObject(declined);
});

test.each(["lock", "throttle", "close", "fail"])(
  "%s at the authorization is no outcome",
  async (fault) => {
    const ref = await registered(chargeOf(`pm_double_${fault}_at_confirm`));
    expect(await confirm(ref)).toMatchObject({ ok: false, error: "provider_error" });
    expect(await provider.read(ref)).toEqual({ ok: true, state: "created" });
    expect(await provider.cancel(ref)).toEqual({ ok: true, state: "cancelled" });
  },
);

test.each(["lose", "break"])(
  "a capture whose answer is lost (%s) is found by all calls",
  async (fault) => {
    const ref = await registered(chargeOf(`pm_double_${fault}_at_capture`));
    expect(await confirm(ref)).toMatchObject({ ok: false, error: "provider_error" });
    expect(await provider.read(ref)).toEqual(CAPTURED);
    expect(await provider.cancel(ref)).toEqual(CAPTURED);
  },
);

test("a refused capture takes no money and can be cancelled", async () => {
  const ref = await registered(chargeOf("pm_double_captureRefused"));
  const code = "capture_charge_authorization_expired";
  expect(await confirm(ref)).toMatchObject({ ok: false, code });
  expect(await provider.read(ref)).toEqual({ ok: true, state: "created" });
  expect(await provider.cancel(ref)).toEqual({ ok: true, state: "cancelled" });
});

test.each([
  ["lose", false],
  ["break", true],
  ["fail", false],
])("a refund whose answer is lost (%s) is made once", async (fault, isKnownAtOnce) => {
  const ref = await captured(`pm_double_${fault}_at_refund`);
  expect((await refund(ref)).ok).toBe(isKnownAtOnce);
  expect(await refund(ref)).toEqual(SUCCEEDED);
  expect(await refund(ref)).toEqual(SUCCEEDED);
  expect([...double.ledger.refunds.values()].map(({ amount }) => amount)).toEqual([5_000]);
});

test("a refund that waits longer than Stripe keeps keys is not made again", async () => {
  const ref = await captured("pm_double_refundPending");
  expect(await refund(ref)).toEqual({ ok: true, state: "pending" });
  double.forgetKeys();
  expect(await refund(ref)).toEqual({ ok: true, state: "pending" });
  const [made] = double.ledger.refunds.values();
  double.ledger.endRefund(made!, "succeeded");
  expect(await refund(ref)).toEqual(SUCCEEDED);
  double.ledger.endRefund(made!, "failed");
  const failed = { ok: true, state: "failed", code: "lost_or_stolen_card" } as const;
  expect(await provider.readRefund({ ref, key: "rfd_1" })).toEqual(failed);
  expect(double.ledger.refunds.size).toBe(1);
});

test("a dispute is read with its payment, and an inquiry is none", async () => {
  const charge = chargeOf("pm_card_visa");
  const ref = await registered(charge);
  await confirm(ref);
  const intent = double.ledger.intent(ref);
  const { id } = double.ledger.dispute(intent, "warning_needs_response");
  expect(await provider.readDispute(id)).toEqual({ ok: false, error: "not_found" });
  for (const [status, state] of [
    ["needs_response", "open"],
    ["under_review", "open"],
    ["lost", "lost"],
    ["won", "won"],
  ] as const) {
    double.ledger.dispute(intent, status);
    expect(await provider.readDispute(id)).toEqual({
      ...{ ok: true, key: charge.key, state, amount: AMOUNT, reason: "fraudulent" },
      due_by: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  }
  expect(await provider.readDispute("du_unknown")).toEqual({ ok: false, error: "not_found" });
});

test("charges of other systems on the account are not listed, and a failed page is no list", async () => {
  await captured("pm_card_visa");
  const other = { amount: 100, currency: "eur", metadata: { order_id: "1" } };
  double.ledger.create(other, "pm_card_visa");
  double.failsNextList = true;
  expect(await provider.changedSince(0, null)).toMatchObject({ ok: false });
  const page = await provider.changedSince(0, null);
  expect(page).toMatchObject({ ok: true, next: null });
  expect(page.ok && page.charges.map(({ amount }) => amount)).toEqual([AMOUNT]);
});

test("a wrong key is a failure that does not repeat the key", async () => {
  provider.close();
  provider = open("sk_test_wrong_secret");
  const reply = await provider.create(chargeOf("pm_card_visa"));
  expect(reply).toMatchObject({ ok: false, error: "provider_error", code: "api_key_invalid" });
  expect(JSON.stringify(reply)).not.toContain("wrong_secret");
});

test("registration, authorization and capture of 700 ms each take less than 3 s", async () => {
  const start = performance.now();
  await captured("pm_double_slow");
  expect(performance.now() - start).toBeWithin(2_100, 3_000);
});

test.each([
  ["EUR", 1_234, 1_234],
  ["JPY", 1_234, 1_234],
  ["KWD", 1_230, 1_230],
  ["ISK", 1_234, 123_400],
  ["UGX", 1_234, 123_400],
  ["MGA", 1_200, 12],
])("Stripe's units of %s: %d are %d", (currency, ours, theirs) => {
  expect(toStripeAmount(ours, currency)).toBe(theirs);
  expect(fromStripeAmount(theirs, currency)).toBe(ours);
});
