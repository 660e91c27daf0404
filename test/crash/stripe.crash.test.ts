/**
 * Goal: however calls to Stripe end and whenever the worker dies, no money is taken without a
 * booking or a refund, and none twice. Method: 2,000 bookings and cancellations by 40 clients with
 * cards that misbehave in every way, events that come twice and out of order, and `kill -9` of the
 * worker; then both books are compared.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type Booking,
  createHotel,
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

const BOOKINGS = 2_000;
const CLIENTS = 40;
const KILLS = 8;
const LIMIT_MS = 600_000;
const SECRET = "whsec_crash";
const OK = "pm_card_visa";

const CALLS = ["create", "confirm", "capture"] as const;
const FAULTS = ["close", "lose", "fail", "break", "lock", "throttle", "mute"] as const;
/** Of every 40 bookings, one for each way to fail; the others pay at once. */
const CARDS = [
  ...CALLS.flatMap((call) => FAULTS.map((fault) => `pm_double_${fault}_at_${call}`)),
  ...["close", "lose", "fail", "break", "lock"].map((fault) => `pm_double_${fault}_at_refund`),
  ...["pm_card_chargeDeclined", "pm_card_authenticationRequired", "pm_double_captureRefused"],
  ...["pm_double_slow", "pm_double_refundPending"],
];

let double: StripeDouble;
let service: Service;
let hotel: Hotel;

beforeAll(async () => {
  double = await StripeDouble.start();
  service = await Service.start({
    ...{ PAYMENT_PROVIDER: "stripe", STRIPE_SECRET_KEY: DOUBLE_KEY, STRIPE_API_URL: double.url },
    ...{ STRIPE_WEBHOOK_SECRET: SECRET, HOLD_TTL_S: "600" },
  });
  double.events.target = { url: `${service.baseUrl}/webhooks/stripe`, secret: SECRET };
  hotel = await createHotel(service, { units: [BOOKINGS] });
}, LIMIT_MS);

afterAll(async () => {
  await service.stop();
  await double.stop();
});

/** Books with a card until the answer of the key stays; a third of the bookings is cancelled. */
async function live(nth: number): Promise<number> {
  const token = CARDS[nth % 40] ?? OK;
  const hold = await newHold(service, stayRequest(hotel));
  const key = newKey();
  let answer = await sendBooking(service, hold, { token, key });
  for (let left = 60; answer.status === 504 && left > 0; left -= 1) {
    await Bun.sleep(1_000);
    answer = await sendBooking(service, hold, { token, key });
  }
  if (answer.status === 201 && nth % 3 === 0) {
    await sendCancel(service, answer.ok<Booking>(201).data.booking_id);
  }
  return answer.status;
}

test(
  "2,000 payments, every misbehaviour and eight dead workers: both books agree",
  async () => {
    let next = 0;
    const statuses: number[] = [];
    const client = async () => {
      for (let nth = next++; nth < BOOKINGS; nth = next++) statuses.push(await live(nth));
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await until(
        "more is booked",
        () => statuses.length >= (kill * BOOKINGS) / (KILLS + 1),
        LIMIT_MS,
      );
      await until("the worker runs", () => isRunning(service.pids.worker!));
      process.kill(service.pids.worker!, "SIGKILL");
    }
    await clients;
    for (const refund of double.ledger.refunds.values()) {
      if (refund.status === "pending") await double.endRefund(refund, "succeeded");
    }
    await until(
      "nothing is open",
      () => auditStripe(service.dataDir, double).length === 0,
      120_000,
    );
    const count = (status: number) => statuses.filter((each) => each === status).length;
    expect(count(201)).toBeGreaterThan(BOOKINGS / 2);
    expect(count(201) + count(402) + count(502)).toBe(BOOKINGS);
  },
  LIMIT_MS,
);
