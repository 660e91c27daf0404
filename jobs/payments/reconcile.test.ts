/**
 * Goal: what differs between the journal and the provider is found in both directions, and healed
 * where another look heals it. Method: the real engine and worker with a double of Stripe's API,
 * where things happen of which no event comes.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import {
  cancelBooking,
  createProperty,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
  roomType,
} from "../../test/support/builders.ts";
import { EngineRig, type RigPayments } from "../../test/support/engine-rig.ts";
import { DOUBLE_KEY, StripeDouble } from "../../test/support/stripe-double.ts";
import { DailyReconciliation } from "./daily-reconciliation.ts";
import { type Reconciliation, reconcile } from "./reconcile.ts";
import { StripeProvider } from "./stripe/stripe-provider.ts";

const DAY_MS = 86_400_000;
const AMOUNT = 20_000;
const TREE = propertyTree({ room_types: [roomType({ default_inventory: 1_000 })] });

let rig: EngineRig;
let double: StripeDouble;
let provider: StripeProvider;
let payments: RigPayments;
/** Charges of earlier tests are no one's business. */
let sinceMs = 0;

beforeAll(async () => {
  rig = await EngineRig.start();
  const actor = { kind: "operator", id: "agt_ops" } as const;
  await rig.submit(createProperty(TREE, { actor }));
  await rig.submit(promoteProperty(TREE, { actor }));
});

afterAll(() => rig.stop());

beforeEach(async () => {
  rig.lone.advance(3 * DAY_MS);
  sinceMs = rig.lone.now();
  rig.lone.advance(3_600_000);
  double = await StripeDouble.start(rig.lone.now);
  const account = { secretKey: DOUBLE_KEY, apiUrl: double.url };
  provider = new StripeProvider({ ...account, asksForEarlier: false });
  payments = await rig.startPayments(provider);
});

afterEach(async () => {
  await payments.end();
  provider.close();
  await double.stop();
});

/** A booking that was sent with this card; the payment is decided. */
async function booked(token = "pm_card_visa") {
  const now = rig.lone.now();
  const date = (inDays: number) => new Date(now + inDays * DAY_MS).toISOString().slice(0, 10);
  const stay = { check_in: date(30), check_out: date(32) };
  const hold = await rig.hold(placeHold(frozenQuote(TREE, { created_at: now, stay })));
  await rig.submit(rig.booking(hold, token));
  const payment = rig.paymentOf(hold.hold_id)!;
  return { payment, intent: double.ledger.intent(payment.provider_ref!) };
}

/** A booking whose refund has succeeded. */
async function refunded() {
  const it = await booked();
  await rig.submit(cancelBooking(it.payment.booking_id));
  const [refund] = double.ledger.refunds.values();
  expect(rig.lone.records.payment(it.payment.payment_id)).toMatchObject({ refunded: AMOUNT });
  return { ...it, refund: refund! };
}

const { log } = { log: () => {} };

async function found(refundsOrphans = false) {
  const { records } = rig.lone;
  const { findings } = await reconcile({ provider, records, sinceMs, refundsOrphans, log });
  const orphans = findings.flatMap((each) => each.orphans);
  const differences = findings.flatMap((each) => each.differences);
  return { orphans, differences };
}

/** What the daily run still finds, after it has read again what differs. */
async function daily(): Promise<Reconciliation["findings"]> {
  const { records, now } = rig.lone;
  const reports: Reconciliation[] = [];
  const settle = payments.worker.settle.bind(payments.worker);
  const report = (each: Reconciliation) => void reports.push(each);
  await new DailyReconciliation({ provider, records, settle, report, now, log }).run();
  expect(reports).toHaveLength(1);
  return reports[0]!.findings;
}

test("equal books have no findings, whatever happened to the calls", async () => {
  await booked();
  await booked("pm_card_chargeDeclined");
  await booked("pm_double_break_at_create");
  await refunded();
  expect(await found()).toEqual({ orphans: [], differences: [] });
});

test("a refund that failed unheard is a difference, which the daily run heals", async () => {
  const { payment, refund } = await refunded();
  double.ledger.endRefund(refund, "failed");
  const { payment_id } = payment;
  expect((await found()).differences).toEqual([
    {
      payment_id,
      provider: { amount: AMOUNT, currency: "EUR", state: "captured", refunded: 0 },
      journal: { amount: AMOUNT, currency: "EUR", state: "refunded", refunded: AMOUNT },
    },
  ]);
  expect(await daily()).toEqual([]);
  expect(rig.lone.records.payment(payment_id)).toMatchObject({ state: "captured", refunded: 0 });
});

test("a refund that is made while the charges are listed is no finding of the day", async () => {
  const { payment } = await booked();
  const { records } = rig.lone;
  const list = provider.changedSince.bind(provider);
  let isFirst = true;
  // The page is read before the cancellation and compared after it.
  provider.changedSince = async (...asked) => {
    const page = await list(...asked);
    if (isFirst) await rig.submit(cancelBooking(payment.booking_id));
    isFirst = false;
    return page;
  };
  expect(await daily()).toEqual([]);
  expect(records.payment(payment.payment_id)).toMatchObject({ refunded: AMOUNT });
});

test("a dispute that was not heard of is noted by the daily run", async () => {
  const { payment, intent } = await booked();
  double.ledger.dispute(intent, "needs_response");
  expect(await daily()).toEqual([]);
  expect(rig.lone.records.payment(payment.payment_id)?.dispute).toMatchObject({ state: "open" });
});

test("a charge whose payment failed here is a difference, and can be given back", async () => {
  const { payment, intent } = await booked("pm_double_close_at_confirm");
  expect(payment.state).toBe("failed");
  Object.assign(intent, { status: "requires_confirmation", payment_method: "pm_card_visa" });
  double.ledger.confirm(intent);
  double.ledger.capture(intent);
  expect((await found()).differences).toMatchObject([
    { provider: { state: "captured" }, journal: { state: "failed" } },
  ]);
  expect(await daily()).toHaveLength(1);
  expect(await found(true)).toEqual({ orphans: [], differences: [] });
  expect(double.ledger.chargeOf(intent).amount_refunded).toBe(AMOUNT);
});

test("a captured payment that the provider does not know is missing there", async () => {
  const { payment, intent } = await booked();
  double.ledger.intents.delete(intent.id);
  expect((await found()).differences).toMatchObject([
    { payment_id: payment.payment_id, provider: { state: "missing" } },
  ]);
});

test("a second registration of a payment is no difference, unless it took money", async () => {
  const { intent } = await booked();
  const { amount, currency, metadata } = intent;
  const stray = double.ledger.create({ amount, currency, metadata }, "pm_card_visa");
  expect(await found()).toEqual({ orphans: [], differences: [] });
  double.ledger.confirm(stray);
  double.ledger.capture(stray);
  expect((await found()).differences).toMatchObject([{ provider: { state: "captured_twice" } }]);
});

test("a charge that the journal lost is an orphan, and is given back on request", async () => {
  const metadata = { payment_id: "pay_lost", tenant_id: "t", mode: "live", booking_key: "k" };
  const lost = double.ledger.create({ amount: AMOUNT, currency: "eur", metadata }, "pm_card_visa");
  double.ledger.confirm(lost);
  double.ledger.capture(lost);
  expect((await found()).orphans).toMatchObject([{ payment_id: "pay_lost", state: "standing" }]);
  expect((await found(true)).orphans).toMatchObject([{ state: "refunded" }]);
});

test("a provider that does not answer is asked again later", async () => {
  await booked();
  double.failsNextList = true;
  await expect(found()).rejects.toThrow("cannot list charges");
});
