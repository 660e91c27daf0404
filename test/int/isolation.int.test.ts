/**
 * Goal: nobody learns anything of what is not theirs. Method: a matrix generated from the service's
 * own table of routes: every id that a route takes, in path or body, is tried as somebody else's
 * and as one that never was; apart from the id itself both must answer with the same bytes.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { changeAgent } from "../../src/access/control/agents.ts";
import { ROUTES } from "../../src/app.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "../support/answer.ts";
import { handedOver } from "../support/checkout.ts";
import {
  bookingBody,
  createHotel,
  type Hold,
  newAuthorization,
  newBooking,
  newHold,
  newIncident,
  newKey,
  newSession,
  propertyBody,
  sendBooking,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { givenDelivery, recoveryOf } from "../support/deliveries.ts";
import { givenRun } from "../support/feed-runs.ts";
import { newPerson } from "../support/people.ts";
import { Service, until } from "../support/service.ts";
import {
  endpointBody,
  type IdName,
  type Ids,
  type Owner,
  ownPath,
  quoteBody,
  type Trial,
  trialsOf,
  UNKNOWN,
} from "../support/trials.ts";

let service: Service;
let owned: Ids;
/** Words that only the owner may see. */
let ownWords: readonly string[];
const callers: Record<string, DemoAgent> = {};

const guests = { adults: 2 };
const stay = { check_in: "2027-06-01", check_out: "2027-06-03" };

const PROTECTED = ROUTES.all.filter(({ access }) => access !== "public");
const TRIALS = PROTECTED.flatMap((route) => trialsOf(route, UNKNOWN));
/** The first trial of an operation. */
const trialOf = (id: string) => TRIALS.find(({ route }) => route.id === id)!;

beforeAll(async () => {
  service = await Service.start();
  const hotel = await createHotel(service);
  const { agent, second_tenant, test_agent, test_admin } = service.demo;
  const booked = await newBooking(service, stayRequest(hotel));
  const { booking_id, confirmation_code } = booked;
  const refund = (await sendCancel(service, booking_id)).ok<{
    refund: { refund_id: string };
  }>();
  const hold = await newHold(service, stayRequest(hotel));
  owned = {
    ...{ property: hotel.id, slug: hotel.slug },
    ...{ room: hotel.rooms[0]!.id, plan: hotel.rooms[0]!.planIds[0]! },
    ...{ quote: hold.quote_id, hold: hold.hold_id, booking: booking_id },
    ...{ refund: refund.data.refund.refund_id, payment: booked.payment!.payment_id },
    authorization: await newAuthorization(service, stayRequest(hotel), agent),
    incident: await newIncident(service, hotel),
    ...{ draft: await draftOf(service.demo.admin), session: await newSession(service, hotel) },
    checkout: (await handedOver(service, hold)).session_id,
    ...(await ownedByTenant()),
  };
  ownWords = ["Ada Lovelace", "ada@example.com", confirmation_code, service.demo.tenant_id];
  const [colleague, scopeless, revoked, poor] = await service.newAgents([
    {},
    { scopes: [] },
    {},
    { kind: "operator", scopes: [] },
  ]);
  service.control((store) => changeAgent(store, revoked!.agent_id, { state: "revoked" }));
  await until("the revocation is seen", async () => {
    return (await service.api("GET", "/v1/properties", { agent: revoked! })).status === 401;
  });
  Object.assign(callers, { colleague, scopeless, revoked, poor });
  Object.assign(callers, { agent, test_agent, test_admin });
  Object.assign(callers, { theirs: second_tenant.agent, theirAdmin: second_tenant.admin });
});
afterAll(() => service.stop());

/** A property that is not on sale. */
async function draftOf(agent: DemoAgent): Promise<string> {
  const body = propertyBody();
  (await service.api("POST", "/v1/admin/properties", { agent, body })).ok(201);
  return body.id;
}

/** An agent, its credential, an issuer and an endpoint of the demo tenant. */
async function ownedByTenant() {
  const { admin: agent, delegation } = service.demo;
  const body = { name: "Theirs", kind: "agent" };
  const made = (await service.api("POST", "/v1/admin/agents", { agent, body })).ok<{
    agent_id: string;
    credential: { credential_id: string };
  }>(201).data;
  const list = await service.api("GET", "/v1/admin/delegation-issuers", { agent });
  const { items } = list.ok<{ items: { issuer_id: string; iss: string }[] }>().data;
  const issuer = items.find(({ iss }) => iss === delegation.iss)!.issuer_id;
  const webhook = { agent, body: endpointBody() };
  const { endpoint_id: endpoint } = (await service.api("POST", "/v1/admin/webhooks", webhook)).ok<{
    endpoint_id: string;
  }>(201).data;
  const delivery = givenDelivery(service, { endpoint_id: endpoint });
  const recovery = await recoveryOf(service, endpoint);
  const credential = made.credential.credential_id;
  const run = givenRun(service);
  const { person_id: person } = await newPerson(service);
  return { agent: made.agent_id, credential, person, issuer, endpoint, delivery, recovery, run };
}

async function send(trial: Trial, ids: Ids, agent: DemoAgent | null) {
  const { method } = trial.route;
  const headers = {
    ...(method === "GET" ? {} : { "idempotency-key": newKey() }),
    "x-delegated-user": await service.mintDelegation(),
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  };
  const body = trial.body ? { body: trial.body(ids) } : {};
  return service.api(method, trial.path(ids), { agent, headers, ...body });
}

/** The answer with the ids that were asked for taken out. */
function shapeOf(answer: Answer, trial: Trial, ids: Ids) {
  // A retry repeats the key of its own call.
  let text = answer.text.replace(/("idempotency_key":"|the key )[^"]*"/g, '$1"');
  for (const name of trial.ids) text = text.replaceAll(ids[name], `<${name}>`);
  return { status: answer.status, text };
}

/** Calls `check` with every trial of such owners, for admin routes or for all others. */
async function eachTrial(
  isAdmin: boolean,
  owners: readonly Owner[],
  check: (trial: Trial) => Promise<void>,
): Promise<number> {
  const trials = TRIALS.filter((t) => t.isAdmin === isAdmin && owners.includes(t.owner));
  for (const trial of trials) await check(trial);
  return trials.length;
}

/** Somebody else's ids and unknown ones answer alike, and show nothing of the owner's. */
async function expectAlike(trial: Trial, agent: DemoAgent | null, own = owned) {
  const { id } = trial.route;
  const foreign = await send(trial, own, agent);
  const unknown = await send(trial, UNKNOWN, agent);
  const shown = shapeOf(foreign, trial, own);
  expect({ id, ...shown }).toEqual({ id, ...shapeOf(unknown, trial, UNKNOWN) });
  for (const word of ownWords) expect(foreign.text).not.toContain(word);
  return foreign;
}

test("every protected route with an id in its path is tried", () => {
  const tried = new Set(TRIALS.map(({ route }) => route));
  const withIds = PROTECTED.filter(({ path }) => ownPath(path).includes(":"));
  expect(withIds.length).toBeGreaterThan(25);
  expect(withIds.filter((route) => !tried.has(route))).toEqual([]);
  const names = new Set(TRIALS.flatMap(({ ids }) => ids));
  expect([...names].sort()).toEqual((Object.keys(UNKNOWN) as IdName[]).sort());
});

test("the owner's ids work, so that what is compared below is not two mistakes", async () => {
  const { agent } = service.demo;
  for (const id of ["get_booking", "get_hold", "get_refund", "get_property_full", "search"]) {
    (await send(trialOf(id), owned, agent)).ok();
  }
  (await send(trialOf("quote"), owned, agent)).ok(201);
});

test("another tenant's ids are unknown ids to its agents and operators", async () => {
  for (const name of ["theirs", "theirAdmin"]) {
    await eachTrial(false, ["tenant", "agent"], async (trial) => {
      const { status } = await expectAlike(trial, callers[name]!);
      expect(status).toBe(trial.route.id === "search" ? 200 : 404);
    });
  }
  const count = await eachTrial(true, ["tenant"], async (trial) => {
    const answer = await expectAlike(trial, callers.theirAdmin!);
    answer.refused(trial.code, trial.status);
  });
  expect(count).toBeGreaterThanOrEqual(17);
});

test("the other mode's ids are unknown ids", async () => {
  await eachTrial(false, ["tenant", "agent"], async (trial) => {
    const { status } = await expectAlike(trial, callers.test_agent!);
    expect(status).toBe(trial.route.id === "search" ? 200 : 404);
  });
  await eachTrial(true, ["tenant"], async (trial) => {
    const answer = await expectAlike(trial, callers.test_admin!);
    answer.refused(trial.code, trial.status);
  });
});

test("another agent's quotes, holds and bookings are unknown ids", async () => {
  const count = await eachTrial(false, ["agent"], async (trial) => {
    expect((await expectAlike(trial, callers.colleague!)).status).toBe(404);
  });
  expect(count).toBeGreaterThanOrEqual(10);
  const body = bookingBody({ hold_id: owned.hold, quote_id: owned.quote });
  const agent = callers.colleague!;
  const own = await newHold(service, quoteBody(owned), { agent });
  const headers = {
    "idempotency-key": newKey(),
    "x-delegated-user": await service.mintDelegation(),
  };
  const mixed = { ...body, hold_id: own.hold_id };
  const answer = await service.api("POST", "/v1/bookings", { agent, headers, body: mixed });
  answer.refused("quote_mismatch");
});

test("without a valid credential or scope no id makes a difference", async () => {
  for (const [agent, code] of [
    [null, "unauthenticated"],
    [callers.revoked!, "unauthenticated"],
    [callers.scopeless!, "forbidden"],
  ] as const) {
    await eachTrial(false, ["tenant", "agent"], async (trial) => {
      (await expectAlike(trial, agent)).refused(code);
    });
  }
  for (const [agent, code] of [
    [null, "unauthenticated"],
    [callers.poor!, "forbidden"],
    [callers.agent!, "principal_kind_not_allowed"],
  ] as const) {
    await eachTrial(true, ["tenant"], async (trial) => {
      (await expectAlike(trial, agent)).refused(code);
    });
  }
});

test("a part of another owner's thing does not fit to one's own", async () => {
  const agent = callers.agent!;
  const hotel = await createHotel(service);
  const { hotel_id, stay: dates } = stayRequest(hotel);
  const foreign = await createHotel(service, { operator: service.demo.second_tenant.admin });
  const theirs = { room: foreign.rooms[0]!.id, plan: foreign.rooms[0]!.planIds[0]! };
  for (const [name, code] of [
    ["room", "room_type_not_found"],
    ["plan", "rate_plan_not_found"],
  ] as const) {
    const answers = [theirs[name], UNKNOWN[name]].map(async (id) => {
      const room_type_id = name === "room" ? id : hotel.rooms[0]!.id;
      const body = { hotel_id, room_type_id, rate_plan_id: id, stay: dates, guests };
      const answer = await service.api("POST", "/v1/quotes", { agent, body });
      const { detail } = answer.refused(code);
      return JSON.stringify(detail).replaceAll(id, "<id>");
    });
    expect(await answers[0]).toBe((await answers[1])!);
  }
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  const refunds = [owned.refund, UNKNOWN.refund].map(async (id) => {
    const answer = await service.api("GET", `/v1/bookings/${booking_id}/refunds/${id}`);
    return answer.refused("validation_failed", 404).detail;
  });
  expect(await refunds[0]).toEqual((await refunds[1])!);
});

test("lists and searches show one tenant and one mode only", async () => {
  const words = [owned.property, owned.slug];
  const { theirs, test_agent, theirAdmin, test_admin } = callers;
  for (const agent of [theirs!, test_agent!, theirAdmin!, test_admin!]) {
    const list = await service.api("GET", "/v1/properties", { agent });
    const found = await service.api("POST", "/v1/search", { agent, body: { stay, guests } });
    expect(list.ok<{ items: unknown[] }>().data.items).not.toBeEmpty();
    for (const word of words) expect(list.text + found.text).not.toContain(word);
  }
  for (const agent of [theirAdmin!, test_admin!]) {
    const list = await service.api("GET", "/v1/admin/properties", { agent });
    for (const word of words) expect(list.text).not.toContain(word);
    const issuers = await service.api("GET", "/v1/admin/delegation-issuers", { agent });
    expect(issuers.ok<{ items: unknown[] }>().data.items).toHaveLength(1);
    expect(issuers.text).not.toContain(owned.issuer);
  }
});

test("ids and slugs are free in every other tenant and mode, and stay the owner's there", async () => {
  const { admin, test_admin, second_tenant } = service.demo;
  for (const agent of [test_admin, second_tenant.admin]) {
    const { id: _id, ...tree } = propertyBody();
    const body = { ...tree, id: owned.property, slug: owned.slug, name: "A stranger" };
    (await service.api("POST", "/v1/admin/properties", { agent, body })).ok(201);
    const path = `/v1/admin/properties/${owned.property}`;
    expect((await service.api("GET", path, { agent })).text).toContain("A stranger");
    const own = await service.api("GET", path, { agent: admin });
    expect(own.ok<{ slug: string }>().data.slug).toBe(owned.slug);
    expect(own.text).not.toContain("A stranger");
  }
  const body = { ...propertyBody(), slug: owned.slug };
  (await service.api("POST", "/v1/admin/properties", { agent: admin, body })).refused("conflict");
  const hold: Hold = (await service.api("GET", `/v1/holds/${owned.hold}`)).ok<Hold>().data;
  (await sendBooking(service, hold)).ok(201);
});
