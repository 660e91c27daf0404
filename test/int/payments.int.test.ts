/**
 * Goal: the money side of a booking with every magic token, over HTTP and through the
 * real worker. Method: the slow tokens run side by side with the others, on holds that live for
 * 8 s, so that what happens when a hold's time runs out during its payment is seen too. At the end
 * the sandbox provider's own books are compared with the bookings.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Answer, steps } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  type Hold,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  newQuote,
  sendBooking,
  sendCancel,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { Service, until } from "../support/service.ts";

const HOLD_TTL_S = 8;
const AMOUNT = 20_000;

/** A booking under way. */
interface Attempt {
  readonly hold: Hold;
  readonly key: string;
  readonly token: string;
  /** Its first answer and how long that took. */
  readonly answered: Promise<{ readonly answer: Answer; readonly tookMs: number }>;
}

let service: Service;
let hotel: Hotel;
let slow: Readonly<Record<"captured" | "failed" | "expired" | "late", Attempt>>;
/** What must have been captured and paid back in the end, by booking. */
const confirmed: string[] = [];

beforeAll(async () => {
  service = await Service.start({ HOLD_TTL_S: String(HOLD_TTL_S) });
  hotel = await createHotel(service);
  slow = {
    captured: await begin("tok_test_timeout_then_captured"),
    failed: await begin("tok_test_timeout_then_failed", 2),
    expired: await begin("tok_test_timeout_then_failed"),
    late: await begin("tok_test_slow_9s"),
  };
});
afterAll(() => service.stop());

/** Holds (and extends) a room, then sends its booking with the token. */
async function begin(token: string, extensions = 0): Promise<Attempt> {
  const hold = await newHold(service, stayRequest(hotel));
  for (let i = 0; i < extensions; i += 1) {
    (await service.api("POST", `/v1/holds/${hold.hold_id}/extend`)).ok();
  }
  const key = newKey();
  const startedMs = performance.now();
  const answered = sendBooking(service, hold, { token, key }).then((answer) => {
    return { answer, tookMs: performance.now() - startedMs };
  });
  // A failure belongs to the test that awaits it.
  answered.catch(() => {});
  return { hold, key, token, answered };
}

/** The same, finished. */
async function attempt(token: string) {
  const { answered, ...begun } = await begin(token);
  return { ...begun, ...(await answered) };
}

/** Sends the same request again. */
function repeat({ hold, key, token }: Omit<Attempt, "answered">): Promise<Answer> {
  return sendBooking(service, hold, { key, token });
}

async function holdState(hold: Hold) {
  const { data } = (await service.api("GET", `/v1/holds/${hold.hold_id}`)).ok<{
    state: string;
    payment: { payment_id: string; state: string } | null;
    booking_id: string | null;
  }>();
  return data;
}

function note(answer: Answer): Booking {
  const { data } = answer.ok<Booking>(201);
  if (!confirmed.includes(data.booking_id)) confirmed.push(data.booking_id);
  return data;
}

test("while a payment is open its hold is neither bookable nor releasable", async () => {
  const { hold } = slow.late;
  await until("the payment is open", async () => (await holdState(hold)).state === "confirming");
  expect((await holdState(hold)).payment).toMatchObject({ state: "pending" });
  const other = (await sendBooking(service, hold)).refused("hold_not_active");
  expect(other.detail).toEqual({ hold_id: hold.hold_id, state: "confirming" });
  for (const verb of ["release", "extend"]) {
    (await service.api("POST", `/v1/holds/${hold.hold_id}/${verb}`)).refused("hold_not_active");
  }
});

test("any token that is not magic succeeds", async () => {
  for (const token of ["tok_test_ok", "tok_visa", "x", "tok_test_unheard_of"]) {
    const { answer } = await attempt(token);
    expect(note(answer).payment).toMatchObject({ state: "captured", amount: AMOUNT });
    expect(answer.isReplayed).toBe(false);
  }
});

test("a declined payment is sealed under its key; another key can book the hold", async () => {
  for (const [token, code] of [
    ["tok_test_declined", "card_declined"],
    ["tok_test_insufficient_funds", "insufficient_funds"],
  ] as const) {
    const declined = await attempt(token);
    const { hold, answer } = declined;
    const { detail } = answer.refused("payment_failed");
    expect(detail).toMatchObject({ hold_id: hold.hold_id, provider_code: code });
    expect(detail.provider_message).toBeString();
    expect(answer.isReplayed).toBe(false);
    expect(await holdState(hold)).toMatchObject({ state: "held", payment: { state: "failed" } });
    const again = await repeat(declined);
    expect(again).toMatchObject({ status: 402, text: answer.text, isReplayed: true });
    note(await sendBooking(service, hold));
    expect((await repeat(declined)).text).toBe(answer.text);
  }
});

test("after a provider error the same key starts a new attempt on the same hold", async () => {
  const failed = await attempt("tok_test_provider_error");
  const { hold, answer } = failed;
  const first = answer.refused("payment_provider_error");
  expect(first.retry_after).toBe(2);
  expect(first.detail).toMatchObject({ hold_id: hold.hold_id });
  expect(await holdState(hold)).toMatchObject({
    state: "held",
    payment: { payment_id: first.detail.payment_id, state: "failed" },
  });
  const answers = await Promise.all([1, 2, 3].map(() => repeat(failed)));
  const ids = answers.map((each) => each.refused("payment_provider_error").detail.payment_id);
  expect(ids).not.toContain(first.detail.payment_id);
  note(await sendBooking(service, hold));
});

test("of two bookings of one hold exactly one is confirmed", async () => {
  const hold = await newHold(service, stayRequest(hotel));
  const answers = await Promise.all(Array.from({ length: 8 }, () => sendBooking(service, hold)));
  const won = answers.filter(({ status }) => status === 201);
  expect(won).toHaveLength(1);
  note(won[0]!);
  for (const answer of answers) if (answer !== won[0]) answer.refused("hold_not_active");
});

test("a booking with nothing due makes no payment and needs no refund", async () => {
  const free = await createHotel(service, { rate: 0 });
  const { quote_id, price_breakdown } = await newQuote(service, stayRequest(free));
  expect(price_breakdown).toMatchObject({ due_now: 0 });
  const hold = (await sendHold(service, quote_id)).ok<Hold>(201).data;
  const key = newKey();
  const answer = await sendBooking(service, hold, { key });
  const booking = answer.ok<Booking>(201);
  expect(booking.data.payment).toBeNull();
  expect(booking.receipt?.subject).toMatchObject({ captured: 0 });
  const again = await sendBooking(service, hold, { key });
  expect(again).toMatchObject({ text: answer.text, isReplayed: true });
  const cancelled = (await sendCancel(service, booking.data.booking_id)).ok();
  expect(cancelled.data).toMatchObject({ refund: null, fee: { amount: 0 } });
  expect(steps(cancelled.next_actions)).not.toContain("get_refund");
});

test("a refund that the provider refuses is reported, and the cancellation is kept", async () => {
  const { answer } = await attempt("tok_test_refund_fails");
  const { booking_id } = note(answer);
  const cancelled = (await sendCancel(service, booking_id)).ok<{ refund: { refund_id: string } }>();
  const failure = {
    state: "failed",
    failure_reason: "The payment provider declined the refund.",
    next_step: expect.stringContaining("not repeated by itself"),
  };
  expect(cancelled.data).toMatchObject({ state: "cancelled", refund: failure });
  const path = `/v1/bookings/${booking_id}/refunds/${cancelled.data.refund.refund_id}`;
  const refund = (await service.api("GET", path)).ok();
  expect(refund.data).toMatchObject(failure);
  expect(refund.receipt).toBeUndefined();
  const { data } = (await service.api("GET", `/v1/bookings/${booking_id}`)).ok();
  const payment = { state: "captured", refunded: 0 };
  expect(data).toMatchObject({ state: "cancelled", payment, refunds: [failure] });
});

test("a cancellation that waits for its refund is one cancellation for all who ask", async () => {
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  confirmed.push(booking_id);
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => sendCancel(service, booking_id, { key })),
  );
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]!.ok().data).toMatchObject({ refund: { amount: AMOUNT, state: "succeeded" } });
  expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
});

test("a capture within the 10 s confirms although the hold's time has run out", async () => {
  const { answer, tookMs } = await slow.late.answered;
  note(answer);
  expect(answer.isReplayed).toBe(false);
  expect(tookMs).toBeGreaterThan(HOLD_TTL_S * 1000);
});

test("a silent provider is 504 at 10 s, and the same key learns of the capture", async () => {
  const { hold, answered } = slow.captured;
  const { answer, tookMs } = await answered;
  const timeout = answer.refused("payment_timeout");
  expect(tookMs).toBeWithin(10_000, 13_000);
  expect(timeout.retry_after).toBe(5);
  expect(steps(timeout.next_actions)).toEqual(["retry POST /v1/bookings"]);
  const { state, payment } = await holdState(hold);
  expect(state).toBe("confirming");
  expect(timeout.detail).toEqual({ hold_id: hold.hold_id, payment_id: payment!.payment_id });
  const found = await repeat(slow.captured);
  expect(found.isReplayed).toBe(true);
  const { booking_id } = note(found);
  expect((await repeat(slow.captured)).text).toBe(found.text);
  expect(await holdState(hold)).toMatchObject({ state: "consumed", booking_id });
});

test("a silent provider that declined seals a refusal; the hold is free again", async () => {
  const { hold, answered } = slow.failed;
  const { detail } = (await answered).answer.refused("payment_timeout");
  expect(detail.payment_id).toStartWith("pay_");
  const found = await repeat(slow.failed);
  found.refused("payment_failed");
  expect(found.isReplayed).toBe(true);
  expect((await repeat(slow.failed)).text).toBe(found.text);
  expect((await holdState(hold)).state).toBe("held");
  note(await sendBooking(service, hold));
});

test("a hold whose time ran out during a payment that failed has expired", async () => {
  const { hold, answered } = slow.expired;
  (await answered).answer.refused("payment_timeout");
  (await repeat(slow.expired)).refused("payment_failed");
  expect((await holdState(hold)).state).toBe("expired");
  (await sendBooking(service, hold)).refused("hold_expired");
});

test("the provider captured exactly what was confirmed, once each", () => {
  const path = join(service.dataDir, "sandbox-provider.db");
  const db = new Database(path, { readonly: true });
  const charges = db
    .query<{ ref: string; amount: number; state: string }, []>("SELECT * FROM charges")
    .all();
  db.close();
  const captured = charges.filter(({ state }) => state === "captured");
  expect(captured).toHaveLength(confirmed.length);
  for (const { amount } of captured) expect(amount).toBe(AMOUNT);
});
