/**
 * Goal: with Stripe a booking is paid as with the sandbox, and the journal agrees with Stripe to
 * the cent whatever happens between them. Method: the whole service against a double of Stripe's
 * API in this process; cards misbehave, and the worker is killed between calls.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Answer } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  type Hold,
  type Hotel,
  newHold,
  newKey,
  sendBooking,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { isRunning, Service, until } from "../support/service.ts";
import { auditStripe } from "../support/stripe-audit.ts";
import { DOUBLE_KEY, StripeDouble } from "../support/stripe-double.ts";
import { eventBody, signatureOf } from "../support/stripe-events.ts";

const AMOUNT = 20_000;
const EVENT_SECRET = "whsec_double";
const OK = "pm_card_visa";

let double: StripeDouble;
let service: Service;
let hotel: Hotel;

beforeAll(async () => {
  double = await StripeDouble.start();
  service = await Service.start({
    ...{ PAYMENT_PROVIDER: "stripe", STRIPE_SECRET_KEY: DOUBLE_KEY, STRIPE_API_URL: double.url },
    ...{ STRIPE_WEBHOOK_SECRET: `${EVENT_SECRET},whsec_former`, HOLD_TTL_S: "60" },
  });
  double.events.target = { url: `${service.baseUrl}/webhooks/stripe`, secret: EVENT_SECRET };
  hotel = await createHotel(service, { units: [500] });
});

afterAll(async () => {
  await service.stop();
  await double.stop();
});

interface Attempt {
  readonly hold: Hold;
  readonly key: string;
  readonly token: string;
}

async function begin(token: string): Promise<Attempt> {
  return { hold: await newHold(service, stayRequest(hotel)), key: newKey(), token };
}

const book = ({ hold, ...terms }: Attempt): Promise<Answer> => sendBooking(service, hold, terms);

async function booked(token = OK): Promise<Booking> {
  return (await book(await begin(token))).ok<Booking>(201).data;
}

/** The same call until it is not answered with 504 any more. */
async function final(attempt: Attempt): Promise<Answer> {
  let answer = await book(attempt);
  await until("the payment has a verdict", async () => {
    if (answer.status === 504) answer = await book(attempt);
    return answer.status !== 504;
  });
  return answer;
}

interface Refund {
  readonly refund_id: string;
  readonly state: string;
}

async function cancelled(bookingId: string): Promise<Refund> {
  return (await sendCancel(service, bookingId)).ok<{ refund: Refund }>().data.refund;
}

function refundOf(bookingId: string, { refund_id }: Refund): Promise<Answer> {
  return service.api("GET", `/v1/bookings/${bookingId}/refunds/${refund_id}`);
}

test("a card pays for a booking, and its cancellation is refunded", async () => {
  const { booking_id, payment } = await booked();
  expect(payment).toMatchObject({ state: "captured", amount: AMOUNT });
  expect(await cancelled(booking_id)).toMatchObject({ state: "succeeded" });
  const [intent] = [...double.ledger.intents.values()].slice(-1);
  expect(intent).toMatchObject({ amount: AMOUNT, currency: "eur", status: "succeeded" });
  expect(intent!.metadata).toMatchObject({ payment_id: payment!.payment_id, mode: "live" });
  expect(double.ledger.chargeOf(intent!)).toMatchObject({ amount_refunded: AMOUNT });
});

test.each([
  ["pm_card_chargeDeclinedInsufficientFunds", "insufficient_funds"],
  ["pm_card_authenticationRequired", "authentication_required"],
  ["pm_unknown", "resource_missing"],
])("%s is declined with %s, and another card books the same hold", async (token, code) => {
  const attempt = await begin(token);
  const answer = await book(attempt);
  const { detail } = answer.refused("payment_failed");
  expect(answer.text).not.toContain(token);
  expect(detail).toMatchObject({ hold_id: attempt.hold.hold_id, provider_code: code });
  (await book({ ...attempt, token: OK, key: newKey() })).ok(201);
});

/** The verdict on a payment that ends no sooner than a booking is given up: the two may meet. */
async function late(attempt: Attempt): Promise<Answer> {
  const startedMs = performance.now();
  const answer = await book(attempt);
  expect(performance.now() - startedMs).toBeGreaterThan(9_900);
  if (answer.status !== 504) return answer;
  answer.refused("payment_timeout");
  return final(attempt);
}

test("a silent authorization is answered after 10 s, and nothing is charged", async () => {
  const attempt = await begin("pm_double_hang_at_confirm");
  (await late(attempt)).refused("payment_failed");
  (await book({ ...attempt, token: OK, key: newKey() })).ok(201);
});

test("a capture whose answer never comes becomes the booking of its key", async () => {
  const { data } = (await late(await begin("pm_double_mute_at_capture"))).ok<Booking>(201);
  expect(data.payment).toMatchObject({ state: "captured" });
});

test("a refund may wait, succeed later, and fail after that", async () => {
  const { booking_id } = await booked("pm_double_refundPending");
  const refund = await cancelled(booking_id);
  expect(refund.state).toBe("pending");
  const [made] = [...double.ledger.refunds.values()].slice(-1);
  expect(made!.metadata).toEqual({ refund_id: refund.refund_id });
  for (const state of ["succeeded", "failed"] as const) {
    await double.endRefund(made!, state);
    await until(`the refund has ${state}`, async () => {
      return (await refundOf(booking_id, refund)).ok<Refund>().data.state === state;
    });
  }
  const { data } = (await service.api("GET", `/v1/bookings/${booking_id}`)).ok();
  expect(data).toMatchObject({ payment: { state: "captured", refunded: 0 } });
});

test("a disputed payment is not refunded, and its cancellation waits for the bank", async () => {
  const { booking_id, payment } = await booked();
  const [intent] = [...double.ledger.intents.values()].slice(-1);
  await double.dispute(intent!, "needs_response");
  const stateOf = async () => {
    const path = `/v1/admin/payments/${payment!.payment_id}`;
    const shown = await service.api("GET", path, { agent: service.demo.admin });
    return shown.ok<{ state: string; dispute: { state: string } | null }>().data;
  };
  await until("the dispute is known", async () => (await stateOf()).state === "disputed");
  const post = (path: string, body: object) =>
    service.api("POST", `/v1/admin/bookings/${booking_id}/${path}`, {
      ...{ agent: service.demo.admin, headers: { "idempotency-key": newKey() }, body },
    });
  const refused = (await post("refunds", { reason: "service" })).refused("payment_not_refundable");
  expect(refused.detail).toMatchObject({ state: "disputed", disputed: AMOUNT });
  const ended = (await sendCancel(service, booking_id)).ok();
  expect(ended.data).toMatchObject({ state: "cancelled", refund: null, withheld: "dispute" });
  await double.dispute(intent!, "won");
  await until("the dispute is won", async () => (await stateOf()).dispute?.state === "won");
  (await post("refunds", { reason: "service" })).ok(201);
});

test("an event that is not signed, or about nothing of ours, has no effect", async () => {
  const send = (body: string, signature: string) =>
    service.api("POST", "/webhooks/stripe", {
      ...{ agent: null, raw: body, headers: { "stripe-signature": signature } },
    });
  const body = eventBody("payment_intent.succeeded", { metadata: { payment_id: "pay_unknown" } });
  const signed = await send(body, signatureOf(body, EVENT_SECRET));
  expect(signed.ok().data).toEqual({ is_taken: true });
  const other = eventBody("customer.created", { id: "cus_1" });
  const ignored = await send(other, signatureOf(other, "whsec_former"));
  expect(ignored.ok().data).toEqual({ is_taken: false });
  (await send(body, signatureOf(body, "whsec_other"))).refused("validation_failed");
  const large = eventBody("customer.created", { text: "x".repeat(262_144) });
  (await send(large, signatureOf(large, EVENT_SECRET))).refused("validation_failed");
  await until("the refused event is counted", async () => {
    return /provider_events_total\{.*reading="refused".*\} 1/.test(await service.metrics());
  });
  expect(new Set(double.events.statuses)).toEqual(new Set([200]));
  expect(double.events.statuses.length).toBeGreaterThan(20);
});

test("the worker is killed between calls, and the journal agrees with Stripe to the cent", async () => {
  const cards = ["pm_double_slow", OK, "pm_double_lose_at_capture", "pm_double_break_at_create"];
  const attempts = await Promise.all(Array.from({ length: 24 }, (_, i) => begin(cards[i % 4]!)));
  const answers = Promise.all(attempts.map(final));
  for (let nth = 0; nth < 3; nth += 1) {
    const calls = double.calls.length;
    await until("Stripe is called", () => double.calls.length > calls + 4);
    await until("the worker runs", () => isRunning(service.pids.worker!));
    process.kill(service.pids.worker!, "SIGKILL");
  }
  const outcomes = (await answers).map(({ status }) => status);
  expect(outcomes.every((status) => status === 201 || status === 402 || status === 502)).toBeTrue();
  expect(auditStripe(service.dataDir, double)).toEqual([]);
});

test("no log has the key of the account or the token of a card", () => {
  for (const secret of [DOUBLE_KEY, EVENT_SECRET, "pm_"]) {
    expect(service.log).not.toContain(secret);
  }
});
