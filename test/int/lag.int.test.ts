/**
 * Goal: who has paid gets the booking, whatever the process that answers has seen of the journal
 * (house rule 3). Method: two front ends on one `DATA_DIR`, of which one stops following; a hotel
 * is made, put on sale and priced through the other one meanwhile, so that the one that lags knows
 * neither the hotel nor the version that prices are rendered from; bookings go through it.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  type Hold,
  newHold,
  newKey,
  sendBooking,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { SecondApi } from "../support/second-api.ts";
import { Service, until } from "../support/service.ts";

const BOOKINGS = 20;
/** Far shorter than an outcome waits for the replica. */
const SHORT_LAG_MS = 1_000;
/** Fields that are rendered from the version of the property that the quote names. */
const UNFOLDED = ["price_breakdown", "policy_snapshot"] as const;

let fresh: Service;
let lagging: SecondApi;
/** Another agent of the tenant. */
let colleague: DemoAgent;

beforeAll(async () => {
  fresh = await Service.start({ API_PROCESSES: "1" });
  [colleague] = (await fresh.newAgents([{}])) as [DemoAgent];
  lagging = await SecondApi.start(fresh);
});
afterEach(() => lagging.endLag());
afterAll(async () => {
  await lagging?.stop();
  await fresh.stop();
});

interface Sent {
  readonly hold: Hold;
  readonly key: string;
  readonly token: string;
  readonly answered: Promise<Answer>;
}

/** A hotel made behind the back of the process that lags, and holds of it. */
async function holdsUnseen(count: number): Promise<Hold[]> {
  lagging.startLag();
  const hotel = await createHotel(fresh);
  (await lagging.api("GET", `/v1/properties/${hotel.id}`)).refused("property_not_found");
  const holds = Array.from({ length: count }, () => newHold(fresh, stayRequest(hotel)));
  return Promise.all(holds);
}

/** Books them all at once through the process that lags. */
function bookAll(holds: readonly Hold[]): Sent[] {
  return holds.map((hold, i) => {
    const [key, token] = [newKey(), i % 2 === 0 ? "tok_test_ok" : "tok_visa"];
    return { hold, key, token, answered: sendBooking(lagging, hold, { key, token }) };
  });
}

async function stateOf({ hold_id }: Hold): Promise<string> {
  const { data } = (await fresh.api("GET", `/v1/holds/${hold_id}`)).ok<{ state: string }>();
  return data.state;
}

/** The stored answer, as a process that has seen everything gives it. */
async function replayed({ hold, key, token }: Sent): Promise<Answer> {
  const answer = await sendBooking(fresh, hold, { key, token });
  answer.ok(201);
  expect(answer.isReplayed).toBeTrue();
  return answer;
}

type Data = Booking & Readonly<Record<string, unknown>>;

/** An answer without what only the replica could have told. */
function withoutUnfolded(answer: Answer) {
  const { data, ...envelope } = answer.ok<Data>(201);
  const own = Object.entries(data).filter(([name]) => !UNFOLDED.some((one) => one === name));
  return { ...envelope, data: Object.fromEntries(own) };
}

test("an answer after a short lag is complete and equal to each replay", async () => {
  const sent = bookAll(await holdsUnseen(BOOKINGS));
  let answered = 0;
  for (const each of sent) void each.answered.then(() => (answered += 1));
  const states = async () => Promise.all(sent.map(({ hold }) => stateOf(hold)));
  await until("a booking is confirmed", async () => (await states()).includes("consumed"));
  const endMs = performance.now() + SHORT_LAG_MS;
  await until("all are, or the time is up", async () => {
    const isOver = performance.now() > endMs;
    return isOver || (await states()).every((state) => state === "consumed");
  });
  expect(answered).toBe(0);
  lagging.endLag();
  for (const each of sent) {
    const answer = await each.answered;
    const { data } = answer.ok<Data>(201);
    expect(Object.keys(data)).toContainValues([...UNFOLDED]);
    expect(answer.isReplayed).toBeFalse();
    expect(answer.text).toBe((await replayed(each)).text);
  }
});

test("a lag that lasts leaves out price and policy alone, and only until it ends", async () => {
  const sent = bookAll(await holdsUnseen(BOOKINGS));
  const answers = await Promise.all(sent.map(({ answered }) => answered));
  for (const [i, answer] of answers.entries()) {
    const { data, receipt } = answer.ok<Data>(201);
    for (const name of UNFOLDED) expect(data).not.toHaveProperty(name);
    expect(data).toMatchObject({ state: "confirmed", hold_id: sent[i]!.hold.hold_id });
    expect(data.payment).toMatchObject({ state: "captured", amount: 20_000 });
    expect(receipt).toMatchObject({ kind: "booking_confirmed" });
    expect(receipt!.subject).toMatchObject({ booking_id: data.booking_id });
    expect(answer.isReplayed).toBeFalse();
    const whole = await replayed(sent[i]!);
    for (const name of UNFOLDED) expect(whole.ok<Data>(201).data).toHaveProperty(name);
    expect(withoutUnfolded(answer)).toEqual(withoutUnfolded(whole));
    const path = `/v1/bookings/${data.booking_id}`;
    const { confirmation_code } = (await lagging.api("GET", path)).ok<Data>().data;
    expect(confirmation_code).toBe(data.confirmation_code);
    expect((await fresh.api("GET", path)).ok<Data>().data).toHaveProperty("policy_snapshot");
  }
  lagging.endLag();
  const { hold, key, token } = sent[0]!;
  const again = await sendBooking(lagging, hold, { key, token });
  expect(again).toMatchObject({ isReplayed: true, text: (await replayed(sent[0]!)).text });
});

test("while outcomes wait for the replica the process goes on answering others", async () => {
  const sent = bookAll(await holdsUnseen(BOOKINGS));
  const hasAll = async () => {
    return (await Promise.all(sent.map(({ hold }) => stateOf(hold)))).includes("consumed");
  };
  await until("a booking is confirmed", hasAll);
  let isAnswered = false;
  void Promise.any(sent.map(({ answered }) => answered)).then(() => (isAnswered = true));
  (await lagging.api("GET", "/healthz", { agent: null })).ok();
  const body = { quote_id: "qt_x" };
  const headers = { "idempotency-key": newKey() };
  (await lagging.api("POST", "/v1/holds", { headers, body })).refused("quote_not_found");
  expect(isAnswered).toBeFalse();
  lagging.endLag();
  for (const { answered } of sent) (await answered).ok(201);
});

test("the calls after a quote work through a process that has not seen it", async () => {
  const [hold] = await holdsUnseen(1);
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { "x-delegated-user": await fresh.mintDelegation() };
    const sent = { headers, ...(body === undefined ? {} : { body }) };
    return lagging.api(method, path, sent);
  };
  const other = await sendHold(lagging, hold!.quote_id);
  const { hold_id } = other.ok<Hold>(201).data;
  (await call("POST", `/v1/holds/${hold_id}/release`)).ok();
  (await call("POST", `/v1/holds/${hold!.hold_id}/extend`)).ok();
  const { booking_id } = (await sendBooking(lagging, hold!)).ok<Booking>(201).data;
  const path = `/v1/bookings/${booking_id}`;
  for (const part of ["", "/cancellation-quote"]) (await call("GET", path + part)).ok();
  // Told without its price, an audit would have another hash.
  (await call("GET", `${path}/audit`)).refused("upstream_unavailable");
  const cancelled = (await call("POST", `${path}/cancel`, { note: "Changed plans" })).ok<{
    readonly refund: { readonly refund_id: string };
  }>();
  const { refund_id } = cancelled.data.refund;
  (await call("GET", `${path}/refunds/${refund_id}`)).ok();
  const shown = (await call("GET", path)).ok<{ state: string; cancellation: { note: string } }>();
  expect(shown.data).toMatchObject({ state: "cancelled", cancellation: { note: "Changed plans" } });
});

test("an amount that a token is bound to binds on every process", async () => {
  const [dear, right] = await holdsUnseen(2);
  const book = async (hold: Hold, maxAmount: number, front: Service | SecondApi) => {
    const delegation = await fresh.mintDelegation({ maxAmount });
    return sendBooking(front, hold, { delegation });
  };
  for (const front of [fresh, lagging]) {
    const { detail } = (await book(dear!, 19_999, front)).refused("delegation_invalid");
    expect(detail).toEqual({ reason: "audience_mismatch", claim: "max_amount" });
  }
  expect(await stateOf(dear!)).toBe("held");
  (await book(right!, 20_000, lagging)).ok(201);
});

test("a token bound to an amount reveals nothing of another caller's hold", async () => {
  const [foreign] = await holdsUnseen(1);
  lagging.endLag();
  const delegation = await fresh.mintDelegation({ maxAmount: 1 });
  for (const front of [fresh, lagging]) {
    const refusals = [foreign!, { ...foreign!, hold_id: "hld_x" }].map(async (hold) => {
      const answer = await sendBooking(front, hold, { agent: colleague, delegation });
      expect(answer.refused("hold_not_found").detail).toEqual({ hold_id: hold.hold_id });
    });
    await Promise.all(refusals);
  }
});
