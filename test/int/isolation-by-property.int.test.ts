/**
 * Goal: a credential of some properties reaches these alone, whatever it calls and in whichever
 * protocol. Method: a matrix made of the service's own table of routes: every id that a route takes
 * is tried as that of something at another property of the same tenant, by an agent that made it
 * itself before it was restricted, by a colleague, and by the other kinds of the tenant; then every
 * route is called for what it tells unasked.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { changeAgent, DEFAULT_SCOPES } from "../../src/access/control/agents.ts";
import type { PrincipalKind } from "../../src/access/control/principal.ts";
import { ROUTES } from "../../src/app.ts";
import type { ProtectedRoute, Route } from "../../src/http/route.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { toolById } from "../../src/protocols/tools/catalogue.ts";
import type { Answer, Refusal } from "../support/answer.ts";
import {
  createHotel,
  type Hotel,
  newAuthorization,
  newBooking,
  newHold,
  newIncident,
  newKey,
  newSession,
  propertyBody,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { givenDelivery, recoveryOf } from "../support/deliveries.ts";
import { McpCaller } from "../support/mcp-client.ts";
import { Service, until } from "../support/service.ts";
import {
  endpointBody,
  type IdName,
  type Ids,
  type Trial,
  toolArguments,
  trialsOf,
} from "../support/trials.ts";

const NAMES: readonly IdName[] = [
  ...(["property", "slug", "room", "plan", "quote", "hold", "booking"] as const),
  ...(["refund", "payment", "authorization", "session"] as const),
  ...([
    "incident",
    "agent",
    "credential",
    "issuer",
    "endpoint",
    "delivery",
    "recovery",
    "run",
  ] as const),
];
/** Ids that nothing has. */
const UNKNOWN = Object.fromEntries(
  NAMES.map((name) => [name, `${name}-of-nobody`]),
) as never as Ids;

const PROTECTED = ROUTES.all.filter((route): route is ProtectedRoute => route.access !== "public");
const touching = (touched: ProtectedRoute["access"]["touches"]) =>
  PROTECTED.filter(({ access }) => access.touches === touched);
/** Every way in which a route names something at a property. */
const TRIALS = touching("properties").flatMap((route) => trialsOf(route, UNKNOWN));
/** Routes that ask for nothing by its id. */
const BARE = PROTECTED.filter((route) => trialsOf(route, UNKNOWN).length === 0);

let service: Service;
let theirs: Hotel;
let own: Hotel;
/** Ids of what lies at the other property, and words that only who reaches it may see. */
let there: Ids;
let words: readonly string[];
/** By which lists find the booking there. */
let bounds: { readonly confirmation_code: string };
/** Restricted to their own property, by kind; the agent has made what lies at the other. */
const confined = new Map<PrincipalKind, DemoAgent>();
let colleague: DemoAgent;
/** Not restricted. */
let free: DemoAgent;

beforeAll(async () => {
  service = await Service.start();
  [theirs, own] = [await createHotel(service), await createHotel(service)];
  const property_ids = [own.id];
  const made = await service.newAgents([
    {},
    { kind: "operator", property_ids },
    { kind: "service", property_ids },
    { property_ids },
    { kind: "operator" },
    { kind: "partner", property_ids },
  ]);
  const [agent, operator, integration] = made as [DemoAgent, DemoAgent, DemoAgent];
  [colleague, free] = [made[3]!, made[4]!];
  const partner = made[5]!;
  there = await madeThere(agent);
  service.control((store) => changeAgent(store, agent.agent_id, { property_ids }));
  await until("the agent is restricted", async () => {
    return (await service.api("GET", `/v1/properties/${theirs.id}`, { agent })).status === 403;
  });
  for (const [kind, who] of [
    ["agent", agent],
    ["operator", operator],
    ["service", integration],
    ["partner", partner],
  ] as const) {
    confined.set(kind, who);
  }
});
afterAll(() => service.stop());

/** A quote, a hold, a booking and a refund of the agent, and an endpoint, at the other property. */
async function madeThere(agent: DemoAgent): Promise<Ids> {
  const booked = await newBooking(service, stayRequest(theirs), { agent });
  const { booking_id, confirmation_code, payment } = booked;
  bounds = { confirmation_code };
  const cancelled = await sendCancel(service, booking_id, { agent });
  const { refund } = cancelled.ok<{ refund: { refund_id: string } }>().data;
  const { hold_id, quote_id } = await newHold(service, stayRequest(theirs), { agent });
  const room = theirs.rooms[0]!;
  const authorization = await newAuthorization(service, stayRequest(theirs), agent);
  const money = { refund: refund.refund_id, payment: payment!.payment_id, authorization };
  const incident = await newIncident(service, theirs, { agent });
  const session = await newSession(service, theirs, agent);
  const things = {
    quote: quote_id,
    hold: hold_id,
    booking: booking_id,
    session,
    incident,
    ...money,
  };
  words = [
    // Name and slug of the property begin with what its id does.
    ...[theirs.id.slice(0, 8), room.id, ...room.planIds, ...Object.values(things)],
    ...[confirmation_code, "Ada Lovelace", "ada@example.com"],
  ];
  const body = endpointBody({ property_ids: [theirs.id] });
  const webhook = { agent: service.demo.admin, body };
  const made = (await service.api("POST", "/v1/admin/webhooks", webhook)).ok<{
    endpoint_id: string;
  }>(201);
  const endpoint = made.data.endpoint_id;
  const given = { endpoint_id: endpoint, property_id: theirs.id };
  const delivery = givenDelivery(service, given);
  const recovery = await recoveryOf(service, endpoint);
  const draft = propertyBody();
  const supply = { agent: service.demo.admin, body: draft };
  (await service.api("POST", "/v1/admin/properties", supply)).ok(201);
  words = [...words, draft.id.slice(0, 8)];
  const ids = { property: theirs.id, slug: theirs.slug, room: room.id, plan: room.planIds[0]! };
  return { ...UNKNOWN, ...ids, draft: draft.id, ...things, endpoint, delivery, recovery };
}

async function send(
  { method }: Route,
  path: string,
  agent: DemoAgent,
  body?: object,
): Promise<Answer> {
  const headers = {
    ...(method === "GET" ? {} : { "idempotency-key": newKey() }),
    "x-delegated-user": await service.mintDelegation(),
  };
  return service.api(method, path, { agent, headers, ...(body === undefined ? {} : { body }) });
}

const sendTrial = (trial: Trial, agent: DemoAgent, ids = there) =>
  send(trial.route, trial.path(ids), agent, trial.body?.(ids));

/** Nothing of the other property is told, but its id where that is what is denied. */
function expectSilent({ text, status }: Answer, asked: Trial | null = null): void {
  let told = status === 403 ? text.replaceAll(theirs.id, "") : text;
  for (const name of asked?.ids ?? []) told = told.replaceAll(there[name], "");
  for (const word of words) expect(told).not.toContain(word);
}

/** Those of a kind that may search, book and use tools. */
const bookers = () => [...confined].filter(([kind]) => kind !== "partner").map(([, who]) => who);

/** Known to the agent alone that made or uses them, also not to operators. */
const isOwnOnly = ({ ids, route }: Trial) =>
  ids.includes("session") || route.id === "get_booking_authorization";

function kindsOf(trial: Trial): readonly (readonly [PrincipalKind, DemoAgent])[] {
  const { kinds } = (trial.route as ProtectedRoute).access;
  return [...confined].filter(([kind]) => {
    return kinds.includes(kind) && (kind === "agent" || !isOwnOnly(trial));
  });
}

test("every protected route is in the matrix, by the ids it takes or the data it lists", () => {
  const tried = new Set<Route>([...TRIALS.map(({ route }) => route), ...BARE]);
  for (const touched of ["tenant", "agents"] as const) {
    for (const route of touching(touched)) tried.add(route);
  }
  expect(PROTECTED.filter((route) => !tried.has(route))).toEqual([]);
  expect(new Set(TRIALS.map(({ route }) => route)).size).toBeGreaterThan(14);
});

test("the ids work for unrestricted callers, so that a refusal below is due to the restriction", async () => {
  const reads = TRIALS.filter((trial) => trial.route.method === "GET" && !isOwnOnly(trial));
  expect(reads.length).toBeGreaterThan(8);
  for (const trial of reads) (await sendTrial(trial, free)).ok();
});

test("data at a property out of reach is denied to callers who may know that it exists", async () => {
  for (const trial of TRIALS) {
    for (const [kind, agent] of kindsOf(trial)) {
      const answer = await sendTrial(trial, agent);
      expectSilent(answer, trial);
      if (trial.route.id === "search") {
        const { no_results, ...found } = answer.ok().data;
        expect(found).toEqual({ results: [], misses: [] });
        expect(no_results).toMatchObject({ considered: 0, judged: 0 });
        continue;
      }
      const { detail } = answer.refused("resource_access_denied");
      expect({ id: trial.route.id, kind, detail }).toEqual({
        ...{ id: trial.route.id, kind, detail: { property_id: theirs.id } },
      });
    }
  }
});

test("what another agent has made there is unknown to an agent all the same", async () => {
  const trials = TRIALS.filter(({ owner, route }) => {
    return owner === "agent" && (route as ProtectedRoute).access.kinds.includes("agent");
  });
  expect(trials.length).toBeGreaterThan(8);
  for (const trial of trials) {
    const answer = await sendTrial(trial, colleague);
    expect({ id: trial.route.id, status: answer.status }).toEqual({
      ...{ id: trial.route.id, status: 404 },
    });
    expectSilent(answer, trial);
    expect(answer.text).not.toContain(theirs.id);
  }
});

test("no list and no search reveals the other property", async () => {
  const { rooms, id, slug } = own;
  const ids = { ...UNKNOWN, property: id, slug, room: rooms[0]!.id, plan: rooms[0]!.planIds[0]! };
  for (const [kind, agent] of confined) {
    for (const route of BARE.filter(({ access }) => access.kinds.includes(kind))) {
      expectSilent(await send(route, route.path, agent));
    }
    for (const trial of PROTECTED.flatMap((route) => trialsOf(route, UNKNOWN))) {
      expectSilent(await sendTrial(trial, agent, ids));
    }
  }
  for (const agent of bookers()) {
    const { stay, guests } = stayRequest(own);
    const found = await service.api("POST", "/v1/search", { agent, body: { stay, guests } });
    expectSilent(found);
    const { results } = found.ok<{ results: { hotel_id: string }[] }>().data;
    expect(results.map(({ hotel_id }) => hotel_id)).toEqual([own.id]);
  }
  const agent = confined.get("operator")!;
  const list = await service.api("GET", "/v1/admin/properties", { agent });
  const { items } = list.ok<{ items: { property_id: string }[] }>().data;
  expect(items.map(({ property_id }) => property_id)).toEqual([own.id]);
});

test("calls on the whole tenant need access to every property", async () => {
  const routes = touching("tenant");
  expect(routes.map(({ id }) => id)).toContain("admin_set_fx_rates");
  for (const route of routes) {
    const path = route.path.replace(/:\w+/g, "unknown");
    const answer = await send(route, path, confined.get("operator")!);
    expect({ id: route.id, detail: answer.refused("resource_access_denied").detail }).toEqual({
      ...{ id: route.id, detail: { reason: "all_properties" } },
    });
    const allowed = await send(route, path, free);
    if (allowed.status !== 403) continue;
    // The operator is one of live mode, which has no test clock.
    expect(route.path).toBe("/v1/admin/test-clock");
    expect(allowed.refused("forbidden").detail).toEqual({ reason: "test_mode_only" });
  }
});

/** Bounds for the lists that ask for one, by the name of the parameter. */
function boundsOf({ query = {} }: Route): readonly string[] {
  const known = { ...bounds, arrivals: stayRequest(theirs).stay.check_in, hold_id: there.hold };
  const given = Object.entries(known).filter(([name]) => name in query);
  return given.map(([name, value]) => `?${name}=${encodeURIComponent(value)}`);
}

test("callers without the right to read bookings see no guest and find none by name", async () => {
  const scopes = ["admin:*", ...DEFAULT_SCOPES.filter((scope) => scope !== "bookings:read")];
  const [blind] = await service.newAgents([{ kind: "operator", scopes }]);
  const routes = PROTECTED.filter(({ method, path, access }) => {
    const isDesk = path.startsWith("/v1/admin/bookings");
    return access.kinds.includes("operator") && (method === "GET" || isDesk);
  });
  const personal = ["Ada Lovelace", "ada@example.com"];
  const seen = new Map<DemoAgent, Set<string>>([
    [blind!, new Set()],
    [free, new Set()],
  ]);
  for (const route of routes) {
    const trials = trialsOf(route, UNKNOWN);
    const paths = trials.length > 0 ? trials.map((each) => each.path(there)) : [route.path];
    for (const path of paths.flatMap((path) => [path, ...boundsOf(route).map((by) => path + by)])) {
      for (const [agent, ids] of seen) {
        for (const accept of ["application/json", "text/csv"]) {
          const headers = { accept, "idempotency-key": newKey() };
          const { text } = await service.api(route.method, path, { agent, headers });
          if (personal.some((word) => text.includes(word))) ids.add(route.id);
        }
      }
    }
  }
  expect([...seen.get(blind!)!]).toEqual([]);
  expect([...seen.get(free)!]).toEqual(
    expect.arrayContaining(["find_bookings", "get_booking", "admin_list_bookings"]),
  );
  const search = `/v1/admin/bookings?guest=${encodeURIComponent("Ada Lovelace")}`;
  const refused = (await service.api("GET", search, { agent: blind! })).refused("forbidden");
  expect(refused.detail.required_scope).toBe("bookings:read");
  (await service.api("GET", search, { agent: free })).ok();
});

/** The arguments of a tool that ask what the trial asks. */
function argumentsOf(trial: Trial): Record<string, unknown> {
  const args = toolArguments(trial, there);
  const { takesKey } = toolById(ROUTES, trial.route.id)!;
  return takesKey ? { ...args, idempotency_key: newKey() } : args;
}

test("a thousand properties travel with every command, however many are sent at once", async () => {
  const others = Array.from({ length: 999 }, () => crypto.randomUUID());
  const [wide] = await service.newAgents([{ property_ids: [...others, own.id] }]);
  const holds = Array.from({ length: 40 }, () =>
    newHold(service, stayRequest(own), { agent: wide! }),
  );
  for (const { hold_id } of await Promise.all(holds)) {
    (await service.api("POST", `/v1/holds/${hold_id}/release`, { agent: wide! })).ok();
  }
});

test("tools, resources and skills refuse as their routes do", async () => {
  const trials = TRIALS.filter(({ route }) => route.tool && route.id !== "search");
  expect(new Set(trials.map(({ route }) => route.id)).size).toBeGreaterThan(7);
  const delegated = { "x-delegated-user": await service.mintDelegation() };
  for (const agent of bookers()) {
    const mcp = await McpCaller.connect(service, { agent, headers: delegated });
    try {
      const known =
        agent === confined.get("agent") ? () => true : (each: Trial) => !isOwnOnly(each);
      for (const trial of trials.filter(known)) {
        const { id } = trial.route;
        const args = argumentsOf(trial);
        const { detail } = await mcp.refused(id, args, "resource_access_denied");
        expect({ id, detail }).toEqual({ id, detail: { property_id: theirs.id } });
        const skill = await bySkill(agent, id, argumentsOf(trial), delegated);
        expect({ id, code: skill.code, detail: skill.detail }).toEqual({
          ...{ id, code: "resource_access_denied", detail: { property_id: theirs.id } },
        });
      }
      const uri = `hotel://properties/${theirs.slug}`;
      await expect(mcp.client.readResource({ uri })).rejects.toMatchObject({
        data: { error: { code: "resource_access_denied" } },
      });
      const listed = JSON.stringify(await mcp.client.readResource({ uri: "hotel://search" }));
      expect(listed).toContain(own.slug);
      expect(listed).not.toContain(theirs.slug);
    } finally {
      await mcp.close();
    }
  }
});

/** The refusal of an A2A skill. */
async function bySkill(agent: DemoAgent, skill: string, input: object, headers: object) {
  const message = { messageId: crypto.randomUUID(), parts: [{ data: { skill, input } }] };
  const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
  const sent = { ...headers, "a2a-version": "1.0" };
  const answer = await service.api("POST", "/a2a", { agent, body, headers: sent });
  const { result } = answer.json as {
    readonly result: { readonly message: { readonly parts: readonly [{ data: unknown }] } };
  };
  return (result.message.parts[0].data as { readonly error: Refusal }).error;
}
