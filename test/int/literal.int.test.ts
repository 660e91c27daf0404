/**
 * Goal: whoever does what an answer says is never turned away for it. Method: every route is called
 * by callers of every kind, narrowed to single scopes and to some properties, of both modes, with
 * ids of their own, ids that never were, a body and a query at fault; every scene of refusals is
 * played. Each call that an answer offers is then made exactly as it stands: with the key of its
 * body and no header but those that `fill_in` names; what only the caller has is filled in from one
 * table. Turned away is 400, 401, 403, 404 or 405. `retry` is the same call again, is offered by
 * refusals alone, and is refused neither for its form nor with the code that offered it.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Mode } from "../../engine/core/supply.ts";
import { ADMIN_SCOPES, DEFAULT_SCOPES, NO_LIMITS } from "../../src/access/control/agents.ts";
import type { NextAction } from "../../src/actions/next-action.ts";
import { RELS } from "../../src/actions/steps.ts";
import { ROUTES } from "../../src/app.ts";
import type { Route } from "../../src/http/route.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { type Answer, type Refusal, steps } from "../support/answer.ts";
import { handedOver } from "../support/checkout.ts";
import {
  type Booking,
  createHotel,
  type Hold,
  type Hotel,
  newBooking,
  newHold,
  newIncident,
  newKey,
  newQuote,
  newSession,
  propertyBody,
  sendBooking,
  sendCancel,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { givenDelivery, recoveryOf } from "../support/deliveries.ts";
import { givenRun } from "../support/feed-runs.ts";
import { LASTING } from "../support/lasting-scenes.ts";
import { followAll, offered, watch } from "../support/literal.ts";
import { McpCaller } from "../support/mcp-client.ts";
import { PASSING } from "../support/passing-scenes.ts";
import { newIssuer } from "../support/scenes.ts";
import { type Front, Service, until } from "../support/service.ts";
import { endpointBody, type Ids, toolArguments, trialsOf, UNKNOWN } from "../support/trials.ts";

/** Who calls, and whose ids are its own. */
interface Caller {
  readonly agent: DemoAgent;
  readonly owner: DemoAgent;
  readonly operator: DemoAgent;
  readonly hotel: Hotel;
  readonly mode: Mode;
}

let service: Service;
/** Calls of it are not noted as the last. */
let aside: Front;
/** A booking whose payment takes 9 s, while other calls are made: asks for it, under one key. */
let askSlow: () => Promise<Answer>;
let slow: Promise<Answer>;
let last: ReturnType<typeof watch>["last"];
let hotel: Hotel;
let callers: Readonly<Record<string, Caller>>;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1" });
  aside = {
    api: service.api.bind(service),
    demo: service.demo,
    mintDelegation: () => service.mintDelegation(),
  };
  ({ last } = watch(service));
  hotel = await createHotel(service, { units: [5_000] });
  callers = await makeCallers();
});
afterAll(() => service.stop());

async function makeCallers(): Promise<Readonly<Record<string, Caller>>> {
  const all = [...DEFAULT_SCOPES, "admin:*"];
  const test_ = { mode: "test" } as const;
  const only = { property_ids: [hotel.id] };
  const terms = {
    owner: {},
    operator: { kind: "operator", scopes: all },
    testOwner: test_,
    testOperator: { ...test_, kind: "operator", scopes: all },
    service: { kind: "service" },
    partner: { kind: "partner" },
    ofOneProperty: only,
    ofNoProperty: { property_ids: [] },
    operatorOfOneProperty: { ...only, kind: "operator", scopes: all },
    ...Object.fromEntries(DEFAULT_SCOPES.map((one) => [one, { kind: "service", scopes: [one] }])),
    ...Object.fromEntries(ADMIN_SCOPES.map((one) => [one, { kind: "operator", scopes: [one] }])),
  } as const;
  const agents = await service.newAgents(
    Object.values(terms).map((t) => ({ ...t, limits: NO_LIMITS })),
  );
  const byName = Object.fromEntries(Object.keys(terms).map((name, i) => [name, agents[i]!]));
  const { owner, operator, testOwner, testOperator } = byName as Record<string, DemoAgent>;
  const testHotel = await createHotel(service, { operator: testOperator!, units: [5_000] });
  const own = ["owner", "ofOneProperty"];
  return Object.fromEntries(
    Object.entries(byName).map(([name, agent]) => {
      const live = {
        agent,
        owner: own.includes(name) ? agent : owner!,
        operator: operator!,
        hotel,
        mode: "live" as const,
      };
      const isTest = name.startsWith("test");
      const tried = {
        agent,
        owner: testOwner!,
        operator: testOperator!,
        hotel: testHotel,
        mode: "test" as const,
      };
      return [name, isTest ? tried : live];
    }),
  );
}

/** A tenant has fifty at most, and those of earlier callers are of no use any more. */
function forgetEndpoints(): void {
  service.control((store) => store.db.run("DELETE FROM webhook_endpoint"));
}

/** Ids of the caller's own things: a hold that is held, a booking cancelled and refunded. */
async function ownIds({ owner: agent, operator, hotel, mode }: Caller): Promise<Ids> {
  forgetEndpoints();
  const hold = await newHold(service, stayRequest(hotel), { agent });
  const { booking_id, payment } = await newBooking(service, stayRequest(hotel), { agent });
  const cancelled = (await sendCancel(service, booking_id, { agent })).ok<{
    refund: { refund_id: string };
  }>();
  const post = async <Made>(path: string, body: object) =>
    (await service.api("POST", `/v1/admin/${path}`, { agent: operator, body })).ok<Made>(201).data;
  const made = await post<{ agent_id: string; credential: { credential_id: string } }>("agents", {
    ...{ name: "Theirs", kind: "agent" },
  });
  const { person_id } = await post<{ person_id: string }>("people", { name: "Eva", scopes: [] });
  const { issuer_id } = await post<{ issuer_id: string }>("delegation-issuers", {
    ...(await newIssuer(service)).body,
  });
  const { endpoint_id } = await post<{ endpoint_id: string }>("webhooks", endpointBody());
  const delivery = givenDelivery(service, { endpoint_id, mode });
  const recovery = await recoveryOf(service, endpoint_id, operator);
  const run = mode === "live" ? givenRun(service) : UNKNOWN.run;
  const { authorization_id } = await post<{ authorization_id: string }>("booking-authorizations", {
    ...{ ...stayRequest(hotel), agent_id: agent.agent_id },
    ...{ max_amount: 500_000, currency: "EUR" },
  });
  const { property_id: draft } = await post<{ property_id: string }>("properties", propertyBody());
  return {
    ...{ property: hotel.id, slug: hotel.slug, draft },
    ...{ endpoint: endpoint_id, delivery, recovery, run },
    session: await newSession(service, hotel, agent),
    checkout: (await handedOver(service, hold, agent)).session_id,
    authorization: authorization_id,
    incident: await newIncident(service, hotel, { agent, operator }),
    ...{ room: hotel.rooms[0]!.id, plan: hotel.rooms[0]!.planIds[0]! },
    ...{ quote: hold.quote_id, hold: hold.hold_id, booking: booking_id },
    ...{ refund: cancelled.data.refund.refund_id, payment: payment!.payment_id },
    ...{ agent: made.agent_id, credential: made.credential.credential_id, issuer: issuer_id },
    person: person_id,
  };
}

/** The same, with a hold that became a booking, and that booking. */
async function laterIds(caller: Caller): Promise<Ids> {
  const { owner: agent, hotel } = caller;
  const hold = await newHold(service, stayRequest(hotel), { agent });
  const { booking_id } = (await sendBooking(service, hold, { agent })).ok<Booking>(201).data;
  return { ...(await ownIds(caller)), hold: hold.hold_id, booking: booking_id };
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** Requests of a route: with such ids as they should be, and with a query or body at fault. */
function requestsOf(route: Route, ids: Ids): Request[] {
  const { method } = route;
  const anywhere = { method, path: route.path.replace(/:\w+/g, "nowhere") };
  const trials = route.access === "public" ? [] : trialsOf(route, ids);
  const tried: Request[] = trials.map(({ path, body }) => {
    return { method, path: path(ids), ...(body && { body: body(ids) }) };
  });
  const requests = tried.length > 0 ? tried : [anywhere];
  const first = requests[0]!;
  const faulty = `${first.path}${first.path.includes("?") ? "&" : "?"}cursor=1&currency=EUR`;
  return [
    ...requests,
    method === "GET" ? { method, path: faulty } : { ...first, body: { surprise: 1 } },
  ];
}

/** Operation whose body holds no id → a body that it takes. */
const VALID: Readonly<Record<string, () => object>> = {
  admin_erase_guests: () => ({ email: "nobody@example.com" }),
  admin_create_property: propertyBody,
  admin_set_fx_rates: () => ({ base: "EUR", rates: { USD: "1.08" } }),
  admin_set_authorization_policy: () => ({ required_when: "never" }),
  admin_move_test_clock: () => ({ advance_s: 60 }),
  admin_create_console_link: () => ({}),
  create_person_link: () => ({}),
  set_ai_config: () => ({ enabled: false, provider: "rules" }),
  create_issuer: () => ({
    iss: `https://${newKey()}.example`,
    name: "Theirs",
    jwks_url: "https://keys.example/jwks.json",
  }),
};

/** Changes last, so that what is read is still there. */
const BY_METHOD = ROUTES.published.toSorted(
  (a, b) => Number(a.method !== "GET") - Number(b.method !== "GET"),
);
const isPublic = ({ access }: Route) => access === "public";
/** Their bodies are those of other protocols or of none. */
const OTHER = /^\/(oauth|mcp|a2a)\b/;

/** Follows what the newest answer offers, and notes its rels. */
const followed = new Set<string>();
async function followLast(at = hotel, valid?: object): Promise<number> {
  const { answer } = last();
  for (const { rel } of offered(answer)) followed.add(rel);
  if (answer.status < 300) expect(offered(answer).map(({ rel }) => rel)).not.toContain("retry");
  return followAll(service, last(), { valid, stay: stayRequest(at) });
}

/**
 * Asks these routes, and answers those that may answer otherwise to the same caller with other ids:
 * what is forbidden is so before anything of a request is looked at.
 */
async function followRequests(routes: readonly Route[], caller: Caller, ids: Ids) {
  let count = 0;
  const open: Route[] = [];
  for (const route of routes) {
    let isForbidden = true;
    const requests = requestsOf(route, ids);
    const [known] = requestsOf(route, { ...ids, property: caller.hotel.id });
    const valid = known?.body ?? VALID[route.id]?.();
    for (const { method, path, body } of requests) {
      const headers = {
        ...(method === "GET" ? {} : { "idempotency-key": newKey() }),
        ...(route.isDelegated && { "x-delegated-user": await service.mintDelegation() }),
      };
      const { agent } = caller;
      const answer = await service.api(method, path, { agent, headers, ...(body && { body }) });
      isForbidden &&= answer.status === 403 && answer.anyRefusal().code === "forbidden";
      count += await followLast(caller.hotel, valid);
    }
    if (!isForbidden) open.push(route);
  }
  return { count, open };
}

test("while a payment is open no other room is offered, nor by a hold that was released", async () => {
  const hold = await newHold(service, stayRequest(hotel));
  const path = `/v1/holds/${hold.hold_id}`;
  const key = newKey();
  askSlow = () => sendBooking(aside, hold, { token: "tok_test_slow_9s", key });
  slow = askSlow();
  // Its failure belongs to the test that awaits it.
  slow.catch(() => {});
  await until("the payment is open", async () => {
    return (await service.api("GET", path)).ok<Hold>().data.state === "confirming";
  });
  await followLast();
  await service.api("POST", `${path}/release`);
  const { detail, next_actions } = last().answer.refused("hold_not_active");
  expect(detail.state).toBe("confirming");
  expect(steps(next_actions)).toEqual([`get GET ${path}`, `retry POST ${path}/release`]);
  await followLast();
  const other = await newHold(service, stayRequest(hotel));
  (await service.api("POST", `/v1/holds/${other.hold_id}/release`)).ok();
  await followLast();
  (await service.api("GET", `/v1/holds/${other.hold_id}`)).ok();
  await followLast();
});

test("every next action of every route is accepted", async () => {
  const asked = BY_METHOD.filter(({ path }) => !OTHER.test(path));
  // Those read no credential, and none of the ids.
  const [open, closed] = [asked.filter(isPublic), asked.filter((route) => !isPublic(route))];
  expect((await followRequests(open, callers.owner!, UNKNOWN)).count).toBeGreaterThan(15);
  for (const [name, caller] of Object.entries(callers)) {
    const own = await followRequests(closed, caller, await ownIds(caller));
    const later = await followRequests(own.open, caller, await laterIds(caller));
    const unknown = await followRequests(own.open, caller, UNKNOWN);
    const counts = [own.count, later.count, unknown.count];
    const isEnough = counts.reduce((sum, count) => sum + count) > 15;
    expect({ name, counts, isEnough }).toMatchObject({ isEnough: true });
  }
});

test("every next action of every refusal is accepted", async () => {
  forgetEndpoints();
  for (const [, setting] of Object.values({ ...PASSING, ...LASTING })) {
    const { refused } = await setting(service, hotel);
    await refused(newKey());
    await followLast();
  }
});

test("the open payment is completed nevertheless", async () => {
  let answer = await slow;
  // On a busy machine the budget of 10 s may end before the payment does.
  await until("the booking is paid", async () => {
    if (answer.status === 504) answer = await askSlow();
    return answer.status !== 504;
  });
  answer.ok(201);
});

test("nothing that is ever offered was left out", () => {
  expect([...followed].sort()).toEqual([...RELS].sort());
});

test("a draft is offered to its operator alone, an unknown path or method the index", async () => {
  const agent = service.demo.admin;
  const body = propertyBody();
  (await service.api("POST", "/v1/admin/properties", { agent, body })).ok(201);
  const path = `/v1/admin/properties/${body.id}`;
  const offeredNow = () => offered(last().answer).map(({ method, href }) => `${method} ${href}`);
  expect(offeredNow()).toEqual([`GET ${path}`]);
  (await service.api("GET", path, { agent })).ok();
  expect(offeredNow()).toEqual([`GET ${path}/ari`]);
  for (const [method, path] of [
    ...[["GET", "/v1/nowhere?x=1"] as const, ["POST", "/nowhere"] as const],
    ...[["DELETE", "/v1/search"] as const, ["GET", "/v1/quotes"] as const],
    ["PUT", "/v1/holds/hld_x"] as const,
  ]) {
    await service.api(method, path);
    expect(offered(last().answer)).toEqual([{ rel: "get", method: "GET", href: "/" }]);
    await followLast();
  }
});

test("the way out of a stranger's token lists the issuers of one's own tenant and mode", async () => {
  const hold = await newHold(service, stayRequest(hotel));
  const { token } = await newIssuer(service);
  const headers = { "idempotency-key": newKey(), "x-delegated-user": token };
  await service.api("POST", `/v1/bookings/${hold.hold_id}/cancel`, { headers });
  const [get] = last().answer.refused("delegation_issuer_unknown").next_actions;
  const { issuers } = (await service.api("GET", get!.href, { agent: null })).json as {
    issuers: readonly { iss: string }[];
  };
  expect(issuers.map(({ iss }) => iss)).toContain(service.demo.delegation.iss);
  expect(get!.href).toContain(`?tenant_id=${service.demo.tenant_id}&mode=live`);
});

test("a party too large for its room is offered rooms that take it, else another search", async () => {
  const agent = service.demo.admin;
  const [small, tall] = [propertyBody({ units: [2] }), propertyBody({ units: [2, 2, 2] })];
  tall.room_types[2]!.max_occupancy = 6;
  const { stay } = stayRequest(hotel);
  for (const [body, adults, rooms] of [
    [small, 5, []],
    [tall, 5, [tall.room_types[2]!.id]],
    [tall, 7, []],
  ] as const) {
    await service.api("POST", "/v1/admin/properties", { agent, body });
    await service.api("POST", `/v1/admin/properties/${body.id}/promote`, { agent });
    const [{ id: room_type_id, rate_plans }] = body.room_types as [(typeof body.room_types)[0]];
    const guests = { adults, children: [] };
    const asked = {
      hotel_id: body.id,
      room_type_id,
      rate_plan_id: rate_plans[0]!.id,
      stay,
      guests,
    };
    const expected = [
      ...rooms.map((id) => ({
        rel: "requote",
        body_hint: { room_type_id: id, stay, guests },
        changes: ["/room_type_id", "/rate_plan_id"],
      })),
      { rel: "search", body_hint: { stay, guests }, changes: ["/destination"] },
    ];
    const { quote_id } = await newQuote(service, asked);
    expect(offered(last().answer)).toMatchObject(expected);
    const { detail, next_actions } = (await sendHold(service, quote_id)).refused(
      "allocation_failed",
    );
    expect(detail.blocking).toMatchObject([{ reason: "occupancy_exceeded" }]);
    expect(next_actions).toMatchObject(expected);
  }
});

test("tools offer only calls that a tool makes or that are public", async () => {
  const { operator } = callers as Record<"operator", Caller>;
  const own = await ownIds(operator);
  for (const [ids, agent] of [
    [own, operator.agent],
    [own, operator.owner],
    [UNKNOWN, operator.agent],
  ] as const) {
    const mcp = await McpCaller.connect(service, { agent });
    for (const route of ROUTES.published.filter(({ tool }) => tool)) {
      const [trial] = trialsOf(route, ids);
      const token = route.isDelegated ? { delegation_token: await service.mintDelegation() } : {};
      const key = route.key ? { idempotency_key: newKey() } : {};
      const said = trial ? toolArguments(trial, ids) : route.tool!.example;
      const args = { ...said, ...token, ...key };
      const answer = (await mcp.send(route.id, args)) as Partial<Refusal> & { error?: Refusal };
      for (const action of (answer.error ?? answer).next_actions ?? []) {
        const { method, href, tool } = action as NextAction & { readonly tool?: string };
        const found = tool ? ROUTES.byId(tool) : ROUTES.match(method, href.split("?")[0]!);
        const isDone =
          found?.tool !== undefined || (found?.access === "public" && method === "GET");
        expect({ tool: route.id, action, isDone }).toMatchObject({ isDone: true });
      }
    }
    await mcp.close();
  }
});
