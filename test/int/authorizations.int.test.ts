/**
 * Goal: a booking above a limit is asked for, approved by a person and made by next actions alone;
 * one booking uses each approval. Method: real bookings of limited agents, every reason, calls at
 * once, and kills of the engine.
 */
import { afterAll, expect, test } from "bun:test";
import type { NextAction } from "../../src/actions/next-action.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { type Answer, steps } from "../support/answer.ts";
import {
  type Booking,
  bookingBody,
  createHotel,
  type Hold,
  newAuthorization,
  newHold,
  newKey,
  type Quote,
  sendBooking,
  stayRequest,
} from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { serviceOfFile } from "../support/service-of-file.ts";
import { ShiftedClock } from "../support/shifted-clock.ts";

const clock = new ShiftedClock();
afterAll(() => clock.close());
const service = await serviceOfFile(clock.env);
const hotel = await createHotel(service, { units: [500, 500], rate: 10_000 });
const operator = service.demo.admin;
const ADMIN = "/v1/admin/booking-authorizations";
const POLICY = "/v1/admin/authorization-policy";
const LIMITS = {
  ...{ rpm: null, burst: null, max_open_holds: null, max_open_quotes: null },
  max_booking_amount: { amount: 5_000, currency: "EUR" },
};

interface Authorization {
  readonly authorization_id: string;
  readonly state: string;
  readonly agent_id: string;
  readonly max_amount: number;
  readonly retry_after: number | null;
  readonly expires_at: string;
  readonly note: string | null;
  readonly requested_by: { readonly id: string };
  readonly approved: { readonly by: { readonly id: string } } | null;
  readonly used: { readonly booking_id: string } | null;
}

/** An agent that needs an authorization for every booking here. */
const limited = async () => (await service.newAgents([{ limits: LIMITS }]))[0]!;

const held = (agent: DemoAgent, terms = {}) =>
  newHold(service, stayRequest(hotel, terms), { agent });

/** Books a hold with an authorization. */
async function book(
  agent: DemoAgent,
  hold: Hold,
  authorization_id: string,
  { token = "tok_test_ok", ttlS = 300 } = {},
): Promise<Answer> {
  const delegation = await service.mintDelegation({ ttlS });
  const headers = { "idempotency-key": newKey(), "x-delegated-user": delegation };
  const body = { ...bookingBody(hold, token), authorization_id };
  return service.api("POST", "/v1/bookings", { agent, headers, body });
}

/** The id of the request that a refused booking has opened. */
async function asked(agent: DemoAgent, hold: Hold): Promise<string> {
  const refused = (await sendBooking(service, hold, { agent })).refused("authorization_required");
  return `${refused.detail.authorization_id}`;
}

function decide(id: string, step: "approve" | "revoke", body: object = {}): Promise<Answer> {
  const headers = { "idempotency-key": newKey() };
  return service.api("POST", `${ADMIN}/${id}/${step}`, { agent: operator, headers, body });
}

/** Grants one for the stay of `stayRequest`. */
const granted = (agent: DemoAgent, over: object = {}) =>
  newAuthorization(service, stayRequest(hotel), agent, over);

async function shown(id: string): Promise<Authorization> {
  return (await service.api("GET", `${ADMIN}/${id}`, { agent: operator })).ok<Authorization>().data;
}

const named = (actions: readonly NextAction[], rel: string) =>
  actions.find((action) => action.rel === rel)!;

test("limit exceeded, pending, approved, quoted again, booked: the audit names both", async () => {
  const agent = await limited();
  const hold = await held(agent);
  const refused = (await sendBooking(service, hold, { agent })).refused("authorization_required");
  expect(refused.detail).toMatchObject({
    ...{ policy: "max_booking_amount", threshold: LIMITS.max_booking_amount, state: "pending" },
    ...{ amount: 20_000, currency: "EUR", hold_id: hold.hold_id },
  });
  const id = `${refused.detail.authorization_id}`;
  const [get] = refused.next_actions;
  expect(steps([get!])).toEqual([`get GET /v1/booking-authorizations/${id}`]);
  const waiting = (await follow(service, get!, agent)).ok<Authorization>();
  expect(waiting.data).toMatchObject({ state: "pending", retry_after: 30, max_amount: 20_000 });
  expect(waiting.data.expires_at).toBe(`${refused.detail.approval_expires_at}`);
  expect(steps(waiting.next_actions)).toEqual(steps([get!]));

  const list = await service.api("GET", `${ADMIN}?state=pending&agent_id=${agent.agent_id}`, {
    agent: operator,
  });
  const { items } = list.ok<{ items: Authorization[] }>().data;
  expect(items).toMatchObject([{ authorization_id: id, requested_by: { id: agent.agent_id } }]);
  const at = (await service.api("GET", `${ADMIN}/${id}`, { agent: operator })).ok();
  const approve = named(at.next_actions, "confirm");
  expect(approve.href).toBe(`${ADMIN}/${id}/approve`);
  (await follow(service, approve, operator)).ok();

  (await service.api("POST", `/v1/holds/${hold.hold_id}/release`, { agent })).ok();
  const approved = (await follow(service, get!, agent)).ok<Authorization>();
  expect(approved.data).toMatchObject({ state: "approved", retry_after: null });
  const [requote, ...others] = approved.next_actions;
  expect([requote!.rel, others]).toEqual(["requote", []]);
  const quoted = (await follow(service, requote!, agent)).ok<Quote>(201);
  const again = (await follow(service, quoted.next_actions[0]!, agent)).ok<Hold>(201);
  const confirm = named(again.next_actions, "confirm");
  expect(confirm.body_hint).toMatchObject({ authorization_id: id });
  const booked = (await follow(service, confirm, agent)).ok<Booking>(201).data;

  const audit = await service.api("GET", `/v1/bookings/${booked.booking_id}/audit`, { agent });
  type Event = { type: string; actor: { id: string }; data: { authorization?: object } };
  const { events } = audit.ok<{ events: Event[] }>().data;
  expect(events.map(({ type }) => type)).toEqual([
    ...["hold.created", "payment.pending", "authorization.consumed"],
    ...["payment.referenced", "payment.captured", "booking.confirmed"],
  ]);
  const using = events.filter(({ data }) => data.authorization);
  expect(using.map(({ type }) => type)).toEqual(["payment.pending", "booking.confirmed"]);
  expect(using[0]!.actor.id).toBe(agent.agent_id);
  for (const { data } of using) {
    const approval = { authorization_id: id, approved_by: operator.agent_id };
    expect(data.authorization).toMatchObject(approval);
  }
  const { data } = (await service.api("GET", `/v1/bookings/${booked.booking_id}`, { agent })).ok();
  expect(data.authorization).toMatchObject({ approved_by: operator.agent_id });
  expect(await shown(id)).toMatchObject({
    ...{ state: "consumed", approved: { by: { id: operator.agent_id } } },
    used: { booking_id: booked.booking_id },
  });
});

test("while the hold lives, the approved authorization offers its booking", async () => {
  const agent = await limited();
  const hold = await held(agent);
  const id = await asked(agent, hold);
  (await decide(id, "approve")).ok();
  const path = `/v1/booking-authorizations/${id}`;
  const { next_actions } = (await service.api("GET", path, { agent })).ok();
  expect(next_actions.map(({ rel }) => rel)).toEqual(["confirm", "requote"]);
  (await follow(service, next_actions[0]!, agent)).ok(201);
  const used = (await service.api("GET", path, { agent })).ok();
  expect(used.next_actions.map(({ rel }) => rel)).toEqual(["get", "search"]);
});

test("of many holds that fit, the newest five are offered", async () => {
  const agent = await limited();
  const id = await granted(agent);
  const made: string[] = [];
  for (let nth = 0; nth < 7; nth += 1) made.push((await held(agent)).hold_id);
  const path = `/v1/booking-authorizations/${id}`;
  const { next_actions } = (await service.api("GET", path, { agent })).ok();
  const offered = next_actions.flatMap(({ rel, body_hint }) =>
    rel === "confirm" ? [`${body_hint!.hold_id}`] : [],
  );
  expect(offered).toEqual(made.slice(-5).reverse());
  expect(next_actions.at(-1)!.rel).toBe("requote");
});

test("a booking that leaves an approved authorization out is told which to use", async () => {
  const agent = await limited();
  const hold = await held(agent);
  const id = await asked(agent, hold);
  (await decide(id, "approve")).ok();
  const refused = (await sendBooking(service, hold, { agent })).refused("authorization_required");
  expect(refused.detail).toMatchObject({ authorization_id: id, state: "approved" });
  const [confirm] = refused.next_actions;
  expect(confirm).toMatchObject({ rel: "confirm", body_hint: { authorization_id: id } });
  (await follow(service, confirm!, agent)).ok(201);
});

/** How an authorization becomes unusable, by reason. */
const REASONS: Readonly<Record<string, (agent: DemoAgent) => Promise<string>>> = {
  unknown: async () => "aut_unknown",
  agent_mismatch: async () => granted(await limited()),
  revoked: async (agent) => {
    const id = await granted(agent);
    (await decide(id, "revoke")).ok();
    return id;
  },
  already_consumed: async (agent) => {
    const id = await granted(agent);
    (await book(agent, await held(agent), id)).ok(201);
    return id;
  },
  pending_approval: async (agent) => asked(agent, await held(agent, { nights: 3 })),
  traveler_mismatch: (agent) => {
    const { iss } = service.demo.delegation;
    return granted(agent, { traveler: { iss, sub: "somebody-else" } });
  },
  scope_mismatch: (agent) => granted(agent, stayRequest(hotel, { room: 1 })),
  currency_mismatch: (agent) => granted(agent, { currency: "USD" }),
  amount_exceeded: (agent) => granted(agent, { max_amount: 19_999 }),
};

test.each(Object.entries(REASONS))("%s: no next action leads back to it", async (reason, make) => {
  const agent = await limited();
  const id = await make(agent);
  const hold = await held(agent);
  const refused = (await book(agent, hold, id)).refused("booking_authorization_invalid");
  expect(refused.detail).toEqual({ reason, authorization_id: id, hold_id: hold.hold_id });
  expect(JSON.stringify(refused.next_actions)).not.toContain(id);
  const asking = await follow(service, refused.next_actions[0]!, agent);
  const fresh = asking.refused("authorization_required");
  expect(fresh.detail.authorization_id).not.toBe(id);
  (await decide(`${fresh.detail.authorization_id}`, "approve")).ok();
  const approved = (await follow(service, fresh.next_actions[0]!, agent)).ok();
  (await follow(service, approved.next_actions[0]!, agent)).ok(201);
});

test("of a hundred bookings with one authorization at once, one uses it", async () => {
  const agent = await limited();
  const id = await granted(agent);
  const holds = await Promise.all(Array.from({ length: 100 }, () => held(agent)));
  const answers = await Promise.all(holds.map((hold) => book(agent, hold, id)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    const { detail } = answer.refused("booking_authorization_invalid");
    expect(detail.reason).toBe("already_consumed");
  }
});

test("a payment that fails gives it back, and another attempt uses it", async () => {
  const agent = await limited();
  const hold = await held(agent);
  const id = await granted(agent);
  for (const token of ["tok_test_declined", "tok_test_provider_error"]) {
    const code = token === "tok_test_declined" ? "payment_failed" : "payment_provider_error";
    (await book(agent, hold, id, { token })).refused(code);
    expect(await shown(id)).toMatchObject({ state: "approved", used: null });
  }
  (await book(agent, hold, id)).ok(201);
});

test("the id of a request survives kills of the engine between the refusal and its answer", async () => {
  for (let round = 0; round < 3; round += 1) {
    const agents = await service.newAgents(Array.from({ length: 10 }, () => ({ limits: LIMITS })));
    const sent = await Promise.all(
      agents.map(async (agent) => ({ agent, hold: await held(agent), key: newKey() })),
    );
    const insist = async ({ agent, hold, key }: (typeof sent)[number]): Promise<string> => {
      for (;;) {
        const answer = await sendBooking(service, hold, { agent, key });
        if (answer.status >= 500) continue;
        return `${answer.refused("authorization_required").detail.authorization_id}`;
      }
    };
    const first = sent.map(insist);
    process.kill(service.pids.engine!, "SIGKILL");
    const ids = await Promise.all(first);
    expect(await Promise.all(sent.map(insist))).toEqual(ids);
    for (const [nth, { agent }] of sent.entries()) {
      const path = `${ADMIN}?agent_id=${agent.agent_id}`;
      const { items } = (await service.api("GET", path, { agent: operator })).ok<{
        items: Authorization[];
      }>().data;
      expect(items.map(({ authorization_id }) => authorization_id)).toEqual([ids[nth]!]);
    }
  }
});

test("the requester cannot approve, and other agents cannot read the request", async () => {
  const [booker] = await service.newAgents([
    { kind: "operator", limits: LIMITS, scopes: ["admin:*", ...SCOPES] },
  ]);
  const id = await asked(booker!, await held(booker!));
  const headers = { "idempotency-key": newKey() };
  const own = { agent: booker!, headers };
  const refused = await service.api("POST", `${ADMIN}/${id}/approve`, own);
  expect(refused.refused("conflict").detail).toEqual({
    reason: "own_request",
    authorization_id: id,
  });
  const stranger = await limited();
  for (const agent of [stranger, operator]) {
    const answer = await service.api("GET", `/v1/booking-authorizations/${id}`, { agent });
    answer.refused("booking_authorization_not_found");
  }
  (await decide(id, "approve")).ok();
  const twice = (await decide(id, "approve")).refused("conflict");
  expect(twice.detail).toMatchObject({ reason: "authorization_state", state: "approved" });
});

const SCOPES = ["search", "quotes", "holds", "bookings:read", "bookings:write"];

test("an operator approves less, with a note that only operators read", async () => {
  const agent = await limited();
  const hold = await held(agent);
  const id = await asked(agent, hold);
  (await decide(id, "approve", { max_amount: 15_000, note: "Only the cheaper plan." })).ok();
  expect(await shown(id)).toMatchObject({ max_amount: 15_000, note: "Only the cheaper plan." });
  const read = await service.api("GET", `/v1/booking-authorizations/${id}`, { agent });
  expect(read.text).not.toContain("cheaper plan");
  const { detail } = (await book(agent, hold, id)).refused("booking_authorization_invalid");
  expect(detail.reason).toBe("amount_exceeded");
});

test("an agent has at most twenty requests waiting", async () => {
  const agent = await limited();
  for (let nth = 0; nth < 20; nth += 1) await asked(agent, await held(agent, { inDays: 30 + nth }));
  const more = await sendBooking(service, await held(agent, { inDays: 60 }), { agent });
  const { detail, retry_after } = more.refused("rate_limited");
  expect(detail).toEqual({ policy: "max_pending_authorizations", limit: 20, open: 20 });
  expect(retry_after).toBeWithin(86_000, 86_401);
});

test("the policy requires authorizations of agents without a limit", async () => {
  const set = (body: object) => service.api("PUT", POLICY, { agent: operator, body });
  const now = async () => (await service.api("GET", POLICY, { agent: operator })).ok().data;
  expect(await now()).toEqual({
    ...{ required_when: "never", over: null, approver: "operator" },
    ...{ ttl_s: 86_400, tolerance_bps: 0 },
  });
  const over = { amount: 20_000, currency: "EUR" };
  (await set({ required_when: "over_amount", over, tolerance_bps: 100 })).ok();
  try {
    (await sendBooking(service, await newHold(service, stayRequest(hotel)))).ok(201);
    const longer = await newHold(service, stayRequest(hotel, { nights: 3 }));
    const above = (await sendBooking(service, longer)).refused("authorization_required");
    expect(above.detail).toMatchObject({ policy: "over_amount", threshold: over });
    expect((await shown(`${above.detail.authorization_id}`)).max_amount).toBe(30_300);
    (await set({ required_when: "non_refundable" })).ok();
    const strict = await newHold(service, stayRequest(hotel, { plan: 1 }));
    const kept = (await sendBooking(service, strict)).refused("authorization_required");
    expect(kept.detail).toMatchObject({ policy: "non_refundable", threshold: null });
  } finally {
    (await set({ required_when: "never" })).ok();
  }
  for (const approver of ["traveler", "either"]) {
    const { detail } = (await set({ required_when: "always", approver })).refused(
      "validation_failed",
    );
    const expected = "operator; travelers cannot approve in this version";
    expect(detail.field_errors).toMatchObject([{ path: "/approver", expected }]);
  }
  const odd = [{ required_when: "over_amount" }, { required_when: "always", over }];
  for (const body of odd) {
    const { detail } = (await set(body)).refused("validation_failed");
    expect(detail.field_errors).toMatchObject([{ path: "/over" }]);
  }
});

test("expired: an approval ends with the life of its request", async () => {
  const agent = await limited();
  const id = await granted(agent, { ttl_s: 300 });
  clock.jump(301_000);
  await service.restart();
  const hold = await held(agent);
  const late = await book(agent, hold, id, { ttlS: 600 });
  const { detail } = late.refused("booking_authorization_invalid");
  expect(detail.reason).toBe("expired");
  expect((await shown(id)).state).toBe("expired");
  const path = `${ADMIN}?state=expired&agent_id=${agent.agent_id}`;
  const { items } = (await service.api("GET", path, { agent: operator })).ok<{
    items: Authorization[];
  }>().data;
  expect(items.map(({ authorization_id }) => authorization_id)).toEqual([id]);
});
