/**
 * Goal: money that a person has reserved on Stripe's page is taken once, by the booking that it was
 * reserved for, or given back. Method: pages and provider against a double of Stripe's API.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { deriveId } from "../../../engine/core/ids.ts";
import { DOUBLE_KEY, StripeDouble } from "../../../test/support/stripe-double.ts";
import type { CreateCharge, OpenPaymentPage } from "../provider.ts";
import { StripePages } from "./payment-pages.ts";
import { StripeProvider } from "./stripe-provider.ts";

const AMOUNT = 21_200;
const NOT_USABLE = { ok: true, state: "declined", code: "authorization_not_usable" } as const;

let double: StripeDouble;
let pages: StripePages;
let provider: StripeProvider;

beforeEach(async () => {
  double = await StripeDouble.start();
  const account = { secretKey: DOUBLE_KEY, apiUrl: double.url };
  pages = new StripePages(account);
  provider = new StripeProvider({ ...account, asksForEarlier: false });
});

afterEach(async () => {
  provider.close();
  await double.stop();
});

const PAGE: OpenPaymentPage = {
  ...{ key: "5ec2e7", about: { tenant_id: "tenant", mode: "live" } },
  ...{ amount: AMOUNT, currency: "EUR", title: "Hotel Sol, 24 – 26 Nov" },
  returnUrl: "https://inn.example/checkout/x",
};

async function opened(page = PAGE): Promise<string> {
  const reply = await pages.open(page);
  if (!reply.ok) throw new Error(JSON.stringify(reply));
  return reply.ref;
}

/** The token of a page on which somebody has paid. */
async function tokenOf(ref: string): Promise<string> {
  expect(double.pages.pay(ref, "pm_card_visa")).toBe(PAGE.returnUrl);
  const read = await pages.read(ref);
  return read.ok && read.state === "authorized" ? read.token : JSON.stringify(read);
}

function chargeOf(token: string, over: Partial<CreateCharge> = {}): CreateCharge {
  const key = deriveId("pay", Date.now(), randomBytes(16).toString("hex"));
  const about = { tenant_id: "tenant", mode: "live", booking_key: `of ${key}` } as const;
  return { key, about, token, amount: AMOUNT, currency: "EUR", method: "card", ...over };
}

async function takenBy(charge: CreateCharge) {
  const reply = await provider.create(charge);
  if (!(reply.ok && "ref" in reply)) return reply;
  const { signal } = new AbortController();
  const { ref } = reply;
  return provider.confirm({ ref, key: `${ref}-1`, signal, isWanted: () => true });
}

const intents = () => [...double.ledger.intents.values()].map(({ status }) => status);

test("the same key opens the same page, and nothing is reserved before somebody pays", async () => {
  const ref = await opened();
  expect(await opened()).toBe(ref);
  expect(await pages.read(ref)).toEqual({
    ...{ ok: true, state: "open", url: expect.stringContaining(ref) },
  });
  expect(intents()).toEqual([]);
});

test("what was reserved is captured by the booking with its token, once", async () => {
  const ref = await opened();
  const token = await tokenOf(ref);
  const charge = chargeOf(token);
  expect(await provider.create(charge)).toMatchObject({ ok: true });
  expect(await takenBy(charge)).toEqual({ ok: true, state: "captured" });
  expect(await takenBy(charge)).toEqual({ ok: true, state: "captured" });
  expect(await takenBy(chargeOf(token))).toEqual(NOT_USABLE);
  expect(intents()).toEqual(["succeeded"]);
  expect(await pages.read(ref)).toEqual({ ok: true, state: "ended" });
  expect(await pages.end(ref)).toEqual({ ok: true });
  expect(intents()).toEqual(["succeeded"]);
  const listed = await provider.changedSince(0, null);
  expect(listed).toMatchObject({ charges: [{ key: charge.key, amount: AMOUNT }] });
});

test("two bookings that take it at the same moment are one that has it", async () => {
  const token = await tokenOf(await opened());
  const replies = await Promise.all(Array.from({ length: 8 }, () => takenBy(chargeOf(token))));
  const captured = replies.filter(
    ({ ok, ...rest }) => "state" in rest && rest.state === "captured",
  );
  expect(captured).toHaveLength(1);
  expect(double.ledger.movements.size).toBe(1);
});

test.each([
  ["another amount", { amount: AMOUNT + 1 }],
  ["another currency", { currency: "USD" }],
  ["another tenant", { about: { tenant_id: "other", mode: "live", booking_key: "b" } }],
  ["the other mode", { about: { tenant_id: "tenant", mode: "test", booking_key: "b" } }],
  ["a guessed secret", { token: "pi_000000001.5ec2e8" }],
  ["an unknown intent", { token: "pi_000000009.5ec2e7" }],
] as const)("a booking with %s takes nothing", async (_, over) => {
  const token = await tokenOf(await opened());
  expect(token).toBe("pi_000000001.5ec2e7");
  expect(await takenBy(chargeOf(token, over))).toEqual(NOT_USABLE);
  expect(intents()).toEqual(["requires_capture"]);
});

test("the bare id of somebody's intent takes nothing", async () => {
  await tokenOf(await opened());
  const reply = await provider.create(chargeOf("pi_000000001"));
  expect(reply).toMatchObject({ ok: true, state: "declined" });
  expect(intents()).toEqual(["requires_capture"]);
});

test("an ended page takes no card, and gives back what was reserved", async () => {
  const open = await opened();
  expect(await pages.end(open)).toEqual({ ok: true });
  expect(await pages.read(open)).toEqual({ ok: true, state: "ended" });
  const paid = await opened({ ...PAGE, key: "another" });
  await tokenOf(paid);
  expect(await pages.end(paid)).toEqual({ ok: true });
  expect(intents()).toEqual(["canceled"]);
  expect(await pages.end("cs_of_another_account")).toEqual({ ok: true });
});

test("a page that Stripe does not open is a failure, not an exception", async () => {
  const other = new StripePages({ secretKey: "sk_wrong", apiUrl: double.url });
  expect(await other.open(PAGE)).toMatchObject({ ok: false, error: "provider_error" });
  await double.stop();
  expect(await pages.read("cs_000000001")).toMatchObject({ ok: false });
});
