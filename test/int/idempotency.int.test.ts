/**
 * Goal: a key has one effect and one answer, despite repeats and crashes. Method: 2,000 seeded
 * cases of up to 64 simultaneous twins over all ways to carry a key; twins must get the same bytes,
 * all but one marked as replays. Finally the journal is counted: exactly one hold per case.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { importJWK, SignJWT } from "jose";
import { Replica } from "../../engine/log/replica.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { Random } from "../../src/ops/demo/random.ts";
import type { Answer } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  type Hold,
  type Hotel,
  newHold,
  newKey,
  newQuote,
  sendBooking,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { Service } from "../support/service.ts";

const SEED = process.env.SEED ?? crypto.randomUUID();
const CASES = 2_000;
const LANES = 8;

let service: Service;
let hotel: Hotel;
let agent: DemoAgent;
let colleague: DemoAgent;
let stranger: DemoAgent;

beforeAll(async () => {
  console.log(`SEED=${SEED}`);
  service = await Service.start();
  hotel = await createHotel(service, { units: [20_000] });
  agent = service.demo.agent;
  stranger = service.demo.second_tenant.agent;
  [colleague] = (await service.newAgents([{}])) as [DemoAgent];
});
afterAll(() => service.stop());

/** Reads the journal as it is now. */
function fromJournal<T>(read: (replica: Replica) => T): T {
  const replica = new Replica(join(service.dataDir, "engine", "0.db"));
  try {
    replica.catchUp(10_000);
    return read(replica);
  } finally {
    replica.close();
  }
}

/** Open holds of each quote. */
function heldByQuote(): Map<string, number> {
  return fromJournal(({ state }) => {
    const counts = new Map<string, number>();
    for (const { quote } of state.holds.values()) {
      counts.set(quote.quote_id, (counts.get(quote.quote_id) ?? 0) + 1);
    }
    return counts;
  });
}

const CARRIERS = {
  header: (key: string) => ({ headers: { "idempotency-key": key }, body: {} }),
  quoted: (key: string) => ({ headers: { "idempotency-key": `"${key}"` }, body: {} }),
  body: (key: string) => ({ headers: {}, body: { idempotency_key: key } }),
  both: (key: string) => {
    return { headers: { "idempotency-key": key }, body: { idempotency_key: key } };
  },
} as const;
type Carrier = keyof typeof CARRIERS;

function holdWith(carrier: Carrier, key: string, quoteId: string, by = agent): Promise<Answer> {
  const { headers, body } = CARRIERS[carrier](key);
  const sent = { quote_id: quoteId, ...body };
  return service.api("POST", "/v1/holds", { agent: by, headers, body: sent });
}

/** All answers are one answer: the same bytes, and all but one are marked as replays. */
function expectOne(answers: readonly Answer[], status: number): void {
  const seen = new Set(answers.map((answer) => `${answer.status} ${answer.text}`));
  expect({ SEED, seen: [...seen] }).toEqual({ SEED, seen: [`${status} ${answers[0]!.text}`] });
  expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
}

/** Mostly few twins, sometimes all 64. */
function twinCount(random: Random): number {
  return random.chance(0.03) ? random.pick([16, 32, 64]) : random.int(2, 5);
}

/** One case: twins of a hold, then a repeat, then what is no repeat. Returns the quotes it held. */
async function holdCase(random: Random, quotes: readonly string[]): Promise<string[]> {
  const key = random.chance(0.2) ? `${newKey()}"` : newKey();
  const carriers: readonly Carrier[] = key.includes('"')
    ? ["body"]
    : ["header", "quoted", "body", "both"];
  const [quoteId, otherId] = [random.pick(quotes), random.pick(quotes)];
  const isUnknown = random.chance(0.15);
  const wanted = isUnknown ? `qt_${random.int(1, 1e9)}` : quoteId;
  const twins = Array.from({ length: twinCount(random) }, () =>
    holdWith(random.pick(carriers), key, wanted),
  );
  const answers = await Promise.all(twins);
  expectOne(answers, isUnknown ? 404 : 201);
  const held = isUnknown ? [] : [quoteId];
  const carrier = random.pick(carriers);
  const { status, text } = answers[0]!;
  switch (random.int(0, 4)) {
    case 0: {
      const again = await holdWith(carrier, key, wanted);
      expect(again).toMatchObject({ status, text, isReplayed: true });
      break;
    }
    case 1: {
      const other = otherId === wanted ? `${wanted}x` : otherId;
      (await holdWith(carrier, key, other)).refused("idempotency_conflict");
      break;
    }
    case 2:
      (await holdWith(carrier, key, wanted, colleague)).refused("quote_not_found");
      break;
    case 3:
      (await holdWith(carrier, key, wanted, stranger)).refused("quote_not_found");
      break;
    default:
  }
  return held;
}

test("2,000 cases of simultaneous twins have one effect and one answer each", async () => {
  const quotes: string[] = [];
  for (let i = 0; i < 200; i += 1) {
    quotes.push((await newQuote(service, stayRequest(hotel, { inDays: 30 + (i % 60) }))).quote_id);
  }
  const wanted = new Map<string, number>();
  let left = CASES;
  const lane = async (mine: Random) => {
    while (left > 0) {
      left -= 1;
      for (const id of await holdCase(mine, quotes)) wanted.set(id, (wanted.get(id) ?? 0) + 1);
    }
  };
  const lanes = Array.from({ length: LANES }, (_, i) => lane(new Random(`${SEED} ${i}`)));
  await Promise.all(lanes);
  const held = heldByQuote();
  const found = quotes.map((id) => [id, held.get(id) ?? 0]);
  expect(found).toEqual(quotes.map((id) => [id, wanted.get(id) ?? 0]));
});

test("no agent can take another agent's key or see its outcome", async () => {
  const { quote_id } = await newQuote(service, stayRequest(hotel));
  const key = `hold-${quote_id}`;
  const squatted = await sendHold(service, quote_id, { agent: colleague, key });
  squatted.refused("quote_not_found");
  const own = await sendHold(service, quote_id, { key });
  const { hold_id } = own.ok<Hold>(201).data;
  expect(own.isReplayed).toBeFalse();
  const later = await sendHold(service, quote_id, { agent: colleague, key });
  expect([later.text, later.isReplayed]).toEqual([squatted.text, true]);
  const theirs = (await newQuote(service, stayRequest(hotel), { agent: colleague })).quote_id;
  const other = await sendHold(service, theirs, { agent: colleague, key: newKey() });
  expect(other.ok<Hold>(201).data.hold_id).not.toBe(hold_id);
  const conflict = await sendHold(service, theirs, { key });
  expect(conflict.refused("idempotency_conflict").detail).toEqual({ key_scope: "agent" });
  const bookingKey = newKey();
  const booked = await sendBooking(service, own.ok<Hold>(201).data, { key: bookingKey });
  const { booking_id } = booked.ok<Booking>(201).data;
  const tried = await sendBooking(service, own.ok<Hold>(201).data, {
    ...{ agent: colleague, key: bookingKey },
  });
  tried.refused("hold_not_found");
  expect(tried.text).not.toContain(booking_id);
});

test("a key is separate in each tenant, mode and path", async () => {
  const { test_agent, test_admin, second_tenant } = service.demo;
  const key = newKey();
  const theirs = await createHotel(service, { operator: second_tenant.admin });
  const testing = await createHotel(service, { operator: test_admin });
  const holds = await Promise.all([
    newHold(service, stayRequest(hotel), { key }),
    newHold(service, stayRequest(theirs), { agent: second_tenant.agent, key }),
    newHold(service, stayRequest(testing), { agent: test_agent, key }),
  ]);
  expect(new Set(holds.map(({ hold_id }) => hold_id)).size).toBe(3);
  const headers = { "idempotency-key": key };
  const extend = () => service.api("POST", `/v1/holds/${holds[0]!.hold_id}/extend`, { headers });
  const extended = [await extend(), await extend()];
  expectOne(extended, 200);
  expect(extended[0]!.ok().data.extensions).toBe(1);
  const release = `/v1/holds/${holds[0]!.hold_id}/release`;
  expect((await service.api("POST", release, { headers })).isReplayed).toBe(false);
});

test("twins of a booking make one booking, and a sealed refusal stays what it was", async () => {
  for (const count of [2, 8, 64]) {
    const hold = await newHold(service, stayRequest(hotel));
    const key = newKey();
    const delegations = await Promise.all(
      Array.from({ length: count }, () => service.mintDelegation()),
    );
    const answers = await Promise.all(
      delegations.map((delegation) => sendBooking(service, hold, { key, delegation })),
    );
    expectOne(answers, 201);
    const other = await newHold(service, stayRequest(hotel));
    (await sendBooking(service, other, { key })).refused("idempotency_conflict");
    const wrong = newKey();
    const refusals = await Promise.all(
      delegations.map((delegation) => sendBooking(service, hold, { key: wrong, delegation })),
    );
    expectOne(refusals, 409);
    refusals[0]!.refused("hold_not_active");
  }
});

test("a refusal that is not sealed is judged anew under the same key", async () => {
  const single = await createHotel(service, { units: [1] });
  const key = newKey();
  const headers = { "idempotency-key": key };
  const bad = await service.api("POST", "/v1/holds", { headers, body: { quote_id: 5 } });
  bad.refused("validation_failed");
  const { quote_id } = await newQuote(service, stayRequest(single));
  const first = await sendHold(service, quote_id, { key });
  const { hold_id } = first.ok<Hold>(201).data;
  const full = newKey();
  const refused = await sendHold(service, quote_id, { key: full });
  refused.refused("allocation_failed");
  (await service.api("POST", `/v1/holds/${hold_id}/release`)).ok();
  expect(await sendHold(service, quote_id, { key: full })).toMatchObject({
    ...{ status: 409, text: refused.text, isReplayed: true },
  });
  expect(await sendHold(service, quote_id, { key })).toMatchObject({ text: first.text });
  (await sendHold(service, quote_id)).ok(201);
});

/** A token of the demo issuer with these claims besides the good ones. */
async function signed(more: object): Promise<string> {
  const { iss, aud, alg, kid, private_jwk } = service.demo.delegation;
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss, aud, sub: "traveler-1", iat: now, exp: now + 300, ...more };
  return new SignJWT(claims)
    .setProtectedHeader({ alg, kid })
    .sign(await importJWK(private_jwk, alg));
}

test("a token bound to other terms gets the outcome of its known key and starts nothing", async () => {
  const hold = await newHold(service, stayRequest(hotel));
  const bound = { azp: "agt_x", client_id: "agt_x", hold_id: "hld_x", max_amount: 1 };
  const tokens = await Promise.all(
    Object.entries(bound).map(async ([claim, value]) => {
      return { claim, delegation: await signed({ [claim]: value }) };
    }),
  );
  const key = newKey();
  const refusedEach = async (by: string) => {
    for (const { claim, delegation } of tokens) {
      const refused = await sendBooking(service, hold, { key: by, delegation });
      expect(refused.refused("delegation_invalid").detail).toEqual({
        ...{ reason: "audience_mismatch", claim },
      });
    }
  };
  await refusedEach(key);
  const { agent_id } = agent;
  const own = await signed({ azp: agent_id, client_id: agent_id, hold_id: hold.hold_id });
  const booked = await sendBooking(service, hold, { key, delegation: own });
  booked.ok(201);
  for (const { delegation } of tokens) {
    const replay = await sendBooking(service, hold, { key, delegation });
    expect(replay).toMatchObject({ status: 201, text: booked.text, isReplayed: true });
  }
  await refusedEach(newKey());
});

test("an expired delegation gets the outcome of its known key and starts nothing", async () => {
  const now = Math.floor(Date.now() / 1000);
  const delegation = await signed({ iat: now - 400, exp: now - 100 });
  const hold = await newHold(service, stayRequest(hotel));
  const key = newKey();
  const early = (await sendBooking(service, hold, { key, delegation })).refused(
    "delegation_invalid",
  );
  expect(early.detail).toEqual({ reason: "expired" });
  const booked = await sendBooking(service, hold, { key });
  const { booking_id } = booked.ok<Booking>(201).data;
  const replay = await sendBooking(service, hold, { key, delegation });
  expect(replay).toMatchObject({ status: 201, text: booked.text, isReplayed: true });
  (await sendBooking(service, hold, { delegation })).refused("delegation_invalid");
  const path = `/v1/bookings/${booking_id}/cancel`;
  const cancel = (token: string) => {
    const headers = { "idempotency-key": key, "x-delegated-user": token };
    return service.api("POST", path, { headers });
  };
  (await cancel(delegation)).refused("delegation_invalid");
  const cancelled = await cancel(await service.mintDelegation());
  cancelled.ok();
  expect((await cancel(delegation)).text).toBe(cancelled.text);
});

/** Repeats a request with its key, as clients do, until it has an answer that stands. */
async function insist(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status < 500) return answer;
    expect([503, 504]).toContain(answer.status);
    await Bun.sleep(100);
  }
}

test("twins converge on one effect while the engine is killed under them", async () => {
  const requests = Array.from({ length: 90 }, (_, i) => stayRequest(hotel, { inDays: 100 + i }));
  const quotes = await Promise.all(requests.map((request) => newQuote(service, request)));
  const ids = quotes.map(({ quote_id }) => quote_id);
  for (let round = 0; round < 3; round += 1) {
    const mine = ids.slice(30 * round, 30 * (round + 1));
    const booked = await newHold(service, stayRequest(hotel));
    const bookingKey = newKey();
    const work = mine.map(async (quoteId) => {
      const key = newKey();
      const twins = () => insist(() => sendHold(service, quoteId, { key }));
      return Promise.all([twins(), twins(), twins()]);
    });
    const bookings = [1, 2].map(() =>
      insist(() => sendBooking(service, booked, { key: bookingKey })),
    );
    process.kill(service.pids.engine!, "SIGKILL");
    for (const answers of await Promise.all(work)) {
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      answers[0]!.ok(201);
    }
    const [one, two] = await Promise.all(bookings);
    one!.ok(201);
    expect(two!.text).toBe(one!.text);
  }
  const held = heldByQuote();
  expect(ids.map((id) => held.get(id))).toEqual(ids.map(() => 1));
});

test("a key is one however its path is written: percent-encoding makes no second call of it", async () => {
  const { hold_id } = await newHold(service, stayRequest(hotel));
  const headers = { "idempotency-key": newKey() };
  const spelled = [hold_id, hold_id.replace("hld", "%68%6c%64"), hold_id.replace("_", "%5F")];
  const answers: Answer[] = [];
  for (const id of spelled) {
    answers.push(await service.api("POST", `/v1/holds/${id}/extend`, { headers }));
  }
  expect(answers.map(({ isReplayed }) => isReplayed)).toEqual([false, true, true]);
  for (const answer of answers) expect(answer.text).toBe(answers[0]!.text);
});
