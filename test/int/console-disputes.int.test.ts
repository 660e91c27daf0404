/**
 * Goal: a dispute about a payment is seen at the console while the bank decides, and no longer.
 * Method: the whole service against a double of Stripe's API, which sends the bank's word.
 */
import { afterAll, expect, test } from "bun:test";
import { createHotel, newHold, sendBooking, stayRequest } from "../support/client.ts";
import { signedIn } from "../support/console.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";
import { DOUBLE_KEY, StripeDouble } from "../support/stripe-double.ts";

const EVENT_SECRET = "whsec_double";

const double = await StripeDouble.start();
afterAll(() => double.stop());
const service = await serviceOfFile({
  ...{ PAYMENT_PROVIDER: "stripe", STRIPE_SECRET_KEY: DOUBLE_KEY, STRIPE_API_URL: double.url },
  STRIPE_WEBHOOK_SECRET: EVENT_SECRET,
});
double.events.target = { url: `${service.baseUrl}/webhooks/stripe`, secret: EVENT_SECRET };

test("an open dispute is listed and withholds the payment; a decided one is gone", async () => {
  const hotel = await createHotel(service);
  const hold = await newHold(service, stayRequest(hotel));
  const booked = await sendBooking(service, hold, { token: "pm_card_visa" });
  const { booking_id } = booked.ok<{ readonly booking_id: string }>(201).data;
  const link = `href="/console/bookings/${booking_id}"`;
  const person = await signedIn(service);
  const list = async () => (await person.get("/console/money")).html;
  expect(await list()).not.toContain(link);
  const [intent] = [...double.ledger.intents.values()].slice(-1);
  await double.dispute(intent!, "needs_response");
  await until("the dispute is listed", async () => (await list()).includes(link));
  const html = await list();
  expect(html).toContain("€200.00");
  expect(html).toContain("Answer the bank at the payment provider");
  expect(html).toContain("Every open dispute is here.");
  const refund = await person.get(`/console/bookings/${booking_id}/refund`);
  expect(refund.html).toContain("Withheld by a dispute");
  expect(refund.html).toContain("Nothing remains");
  await double.dispute(intent!, "won");
  await until("the dispute is gone", async () => !(await list()).includes(link));
});
