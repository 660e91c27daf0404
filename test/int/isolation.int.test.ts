/**
 * Goal: nobody learns anything of what is not theirs. Method: a matrix generated from the service's
 * own table of routes: every id that a route takes, in path or body, is tried as somebody else's
 * and as one that never was; apart from the id itself both must answer with the same bytes. A route
 * without an entry here fails the test, so none can be forgotten.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { ROUTES } from "../../src/app.ts";
import { changeAgent } from "../../src/control/agents.ts";
import type { DemoAgent } from "../../src/demo/demo-file.ts";
import type { Answer } from "../support/answer.ts";
import {
  bookingBody,
  createHotel,
  type Hold,
  newBooking,
  newHold,
  newKey,
  propertyBody,
  sendBooking,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { PATIENCE_MS, Service, until } from "../support/service.ts";

setDefaultTimeout(PATIENCE_MS);

/** Ids of one owner's things; `unknown` has the same members with ids that never were. */
interface Ids {
  readonly property: string;
  readonly slug: string;
  readonly room: string;
  readonly plan: string;
  readonly quote: string;
  readonly hold: string;
  readonly booking: string;
  readonly refund: string;
  readonly agent: string;
  readonly credential: string;
  readonly issuer: string;
}
type IdName = keyof Ids;

interface Trial {
  /**
   * Whose the ids are that are tried: a tenant's in one mode (supply, agents) or in both (issuers),
   * or an agent's.
   */
  readonly owner: "tenant" | "both modes" | "agent";
  readonly ids: readonly IdName[];
  readonly path?: (ids: Ids) => string;
  readonly body?: (ids: Ids) => object;
  /** What operators are told; `property_not_found` unless said. */
  readonly code?: string;
}

let service: Service;
let owned: Ids;
/** Words that only the owner may see. */
let ownWords: readonly string[];
const callers: Record<string, DemoAgent> = {};

const UNKNOWN: Ids = {
  property: "0b0e7d2a-5f0c-4d5e-9f57-0123456789ab",
  slug: "hotel-that-never-was",
  room: "1b0e7d2a-5f0c-4d5e-9f57-0123456789ab",
  plan: "2b0e7d2a-5f0c-4d5e-9f57-0123456789ab",
  quote: `qt_01m7z5f57f${"0".repeat(28)}`,
  hold: `hld_01m7z5f57f${"0".repeat(18)}`,
  booking: `bkg_01m7z5f57f${"0".repeat(18)}`,
  refund: `rfd_01m7z5f57f${"0".repeat(18)}`,
  agent: `agt_01a1fecf${"0".repeat(24)}`,
  credential: `crd_01a1fecf${"0".repeat(24)}`,
  issuer: `iss_01a1fecf${"0".repeat(24)}`,
};

const HOLD = { owner: "agent", ids: ["hold"] } as const;
const BOOKING = { owner: "agent", ids: ["booking"] } as const;
const PROPERTY = { owner: "tenant", ids: ["property"] } as const;
const holdAt = (rest: string) => (ids: Ids) => `/v1/holds/${ids.hold}${rest}`;
const bookingAt = (rest: string) => (ids: Ids) => `/v1/bookings/${ids.booking}${rest}`;
const propertyAt = (rest: string) => (ids: Ids) => `/v1/properties/${ids.property}${rest}`;
const adminAt = (rest: string) => (ids: Ids) => `/v1/admin/properties/${ids.property}${rest}`;
const AGENT = { owner: "tenant", ids: ["agent"], code: "agent_not_found" } as const;
const CREDENTIAL = { ...AGENT, ids: ["agent", "credential"] } as const;
const ISSUER = {
  owner: "both modes",
  ids: ["issuer"],
  code: "delegation_issuer_not_found",
} as const;
const agentAt = (rest: string) => (ids: Ids) => `/v1/admin/agents/${ids.agent}${rest}`;
const credentialAt = (rest: string) => (ids: Ids) =>
  agentAt(`/credentials/${ids.credential}${rest}`)(ids);
const issuerAt = (rest: string) => (ids: Ids) =>
  `/v1/admin/delegation-issuers/${ids.issuer}${rest}`;
const grantedBody = ({ property }: Ids) => {
  return { name: "Guest", kind: "agent", property_ids: [property] };
};
const bySlug = { owner: "tenant", ids: ["slug"] } as const;
const guests = { adults: 2 };
const stay = { check_in: "2027-06-01", check_out: "2027-06-03" };
const quoteBody = ({ property, room, plan }: Ids) => {
  return { hotel_id: property, room_type_id: room, rate_plan_id: plan, stay, guests };
};
const searchBody = (value: string) => ({ destination: { type: "property", value }, stay, guests });

/** Every protected route with the ids it takes; an empty list takes none. */
const TRIALS: Readonly<Record<string, readonly Trial[]>> = {
  "GET /v1/properties": [],
  "GET /v1/properties/:id": [
    { ...PROPERTY, path: propertyAt("") },
    { ...bySlug, path: ({ slug }) => `/v1/properties/${slug}` },
  ],
  "GET /v1/properties/:id/full": [
    { ...PROPERTY, path: propertyAt("/full") },
    { ...bySlug, path: ({ slug }) => `/v1/properties/${slug}/full` },
  ],
  "POST /v1/search": [
    { ...PROPERTY, body: ({ property }) => searchBody(property) },
    { ...bySlug, body: ({ slug }) => searchBody(slug) },
  ],
  "POST /v1/quotes": [{ owner: "tenant", ids: ["property", "room", "plan"], body: quoteBody }],
  "POST /v1/holds": [
    { owner: "agent", ids: ["quote"], body: ({ quote }) => ({ quote_id: quote }) },
  ],
  "GET /v1/holds/:id": [{ ...HOLD, path: holdAt("") }],
  "POST /v1/holds/:id/release": [{ ...HOLD, path: holdAt("/release") }],
  "POST /v1/holds/:id/extend": [{ ...HOLD, path: holdAt("/extend") }],
  "POST /v1/bookings": [
    {
      owner: "agent",
      ids: ["hold", "quote"],
      body: ({ hold, quote }) => bookingBody({ hold_id: hold, quote_id: quote }),
    },
  ],
  "GET /v1/bookings/:id": [{ ...BOOKING, path: bookingAt("") }],
  "GET /v1/bookings/:id/audit": [{ ...BOOKING, path: bookingAt("/audit") }],
  "GET /v1/bookings/:id/cancellation-quote": [
    { ...BOOKING, path: bookingAt("/cancellation-quote") },
  ],
  "GET /v1/bookings/:id/refunds/:refund_id": [
    {
      owner: "agent",
      ids: ["booking", "refund"],
      path: ({ booking, refund }) => `/v1/bookings/${booking}/refunds/${refund}`,
    },
  ],
  "POST /v1/bookings/:id/cancel": [{ ...BOOKING, path: bookingAt("/cancel") }],
  "GET /v1/admin/properties": [],
  "POST /v1/admin/properties": [],
  "POST /v1/admin/properties/import": [],
  "GET /v1/admin/properties/:id": [{ ...PROPERTY, path: adminAt("") }],
  "POST /v1/admin/properties/:id/promote": [{ ...PROPERTY, path: adminAt("/promote") }],
  "PUT /v1/admin/properties/:id/ari": [
    { ...PROPERTY, path: adminAt("/ari"), body: () => ({ rates: [] }) },
  ],
  "PUT /v1/admin/fx": [],
  "GET /v1/admin/agents": [],
  "POST /v1/admin/agents": [{ ...PROPERTY, body: grantedBody, code: "validation_failed" }],
  "GET /v1/admin/agents/:id": [{ ...AGENT, path: agentAt("") }],
  "PATCH /v1/admin/agents/:id": [
    { ...AGENT, path: agentAt(""), body: () => ({ state: "suspended" }) },
  ],
  "DELETE /v1/admin/agents/:id": [{ ...AGENT, path: agentAt("") }],
  "POST /v1/admin/agents/:id/credentials": [{ ...AGENT, path: agentAt("/credentials") }],
  "POST /v1/admin/agents/:id/credentials/:credential_id/rotate": [
    { ...CREDENTIAL, path: credentialAt("/rotate") },
  ],
  "DELETE /v1/admin/agents/:id/credentials/:credential_id": [
    { ...CREDENTIAL, path: credentialAt("") },
  ],
  "GET /v1/admin/delegation-issuers": [],
  "POST /v1/admin/delegation-issuers": [],
  "GET /v1/admin/delegation-issuers/:id": [{ ...ISSUER, path: issuerAt("") }],
  "PATCH /v1/admin/delegation-issuers/:id": [
    { ...ISSUER, path: issuerAt(""), body: () => ({ name: "Ours" }) },
  ],
  "DELETE /v1/admin/delegation-issuers/:id": [{ ...ISSUER, path: issuerAt("") }],
  "POST /v1/admin/delegation-issuers/:id/suspend": [{ ...ISSUER, path: issuerAt("/suspend") }],
  "POST /v1/admin/delegation-issuers/:id/activate": [{ ...ISSUER, path: issuerAt("/activate") }],
  "POST /v1/admin/delegation-issuers/:id/revoke": [{ ...ISSUER, path: issuerAt("/revoke") }],
  "POST /v1/admin/delegation-issuers/:id/test": [
    { ...ISSUER, path: issuerAt("/test"), body: () => ({ token: "x" }) },
  ],
  "POST /mcp": [],
  "POST /a2a": [],
};

const PROTECTED = ROUTES.all.filter(({ access }) => access !== "public");

beforeAll(async () => {
  service = await Service.start();
  const hotel = await createHotel(service);
  const { agent, second_tenant, test_agent, test_admin } = service.demo;
  const cancelled = await newBooking(service, stayRequest(hotel));
  const refund = (await sendCancel(service, cancelled.booking_id)).ok<{
    refund: { refund_id: string };
  }>();
  const hold = await newHold(service, stayRequest(hotel));
  const { booking_id, confirmation_code } = await newBooking(service, stayRequest(hotel));
  owned = {
    ...{ property: hotel.id, slug: hotel.slug },
    ...{ room: hotel.rooms[0]!.id, plan: hotel.rooms[0]!.planIds[0]! },
    ...{ quote: hold.quote_id, hold: hold.hold_id, booking: booking_id },
    refund: refund.data.refund.refund_id,
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

/** An agent, its credential and an issuer of the demo tenant. */
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
  return { agent: made.agent_id, credential: made.credential.credential_id, issuer };
}

async function send(route: string, trial: Trial, ids: Ids, agent: DemoAgent | null) {
  const [method, template] = route.split(" ") as [string, string];
  const headers = {
    ...(method === "GET" ? {} : { "idempotency-key": newKey() }),
    "x-delegated-user": await service.mintDelegation(),
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  };
  const body = trial.body ? { body: trial.body(ids) } : {};
  return service.api(method, trial.path?.(ids) ?? template, { agent, headers, ...body });
}

/** The answer with the ids that were asked for taken out. */
function shapeOf(answer: Answer, trial: Trial, ids: Ids) {
  let text = answer.text;
  for (const name of trial.ids) text = text.replaceAll(ids[name], `<${name}>`);
  return { status: answer.status, text };
}

/** Calls `check` with every route and id, for admin routes or for all others. */
async function eachTrial(
  isAdmin: boolean,
  owners: readonly Trial["owner"][],
  check: (route: string, trial: Trial) => Promise<void>,
): Promise<number> {
  let count = 0;
  for (const [route, trials] of Object.entries(TRIALS)) {
    if (route.includes("/admin/") !== isAdmin) continue;
    for (const trial of trials.filter(({ owner }) => owners.includes(owner))) {
      await check(route, trial);
      count += 1;
    }
  }
  return count;
}

/** Somebody else's ids and unknown ones answer alike, and show nothing of the owner's. */
async function expectAlike(route: string, trial: Trial, agent: DemoAgent | null, own = owned) {
  const foreign = await send(route, trial, own, agent);
  const unknown = await send(route, trial, UNKNOWN, agent);
  const shown = shapeOf(foreign, trial, own);
  expect({ route, ...shown }).toEqual({ route, ...shapeOf(unknown, trial, UNKNOWN) });
  for (const word of ownWords) expect(foreign.text).not.toContain(word);
  return foreign;
}

test("every protected route is in the matrix", () => {
  const routes = PROTECTED.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(TRIALS).sort()).toEqual(routes.sort());
  for (const { method, path } of PROTECTED.filter((route) => route.path.includes(":"))) {
    expect(TRIALS[`${method} ${path}`]).not.toBeEmpty();
  }
});

test("the owner's ids work, so that what is compared below is not two mistakes", async () => {
  const refund = { ...BOOKING, path: bookingAt("") };
  (await send("GET /v1/bookings/:id", refund, owned, service.demo.agent)).ok();
  (await send("GET /v1/holds/:id", { ...HOLD, path: holdAt("") }, owned, service.demo.agent)).ok();
  const trial = TRIALS["POST /v1/quotes"]![0]!;
  (await send("POST /v1/quotes", trial, owned, service.demo.agent)).ok(201);
});

test("another tenant's ids are unknown ids to its agents and operators", async () => {
  for (const name of ["theirs", "theirAdmin"]) {
    await eachTrial(false, ["tenant", "agent"], async (route, trial) => {
      const { status } = await expectAlike(route, trial, callers[name]!);
      expect(status).toBe(route === "POST /v1/search" ? 200 : 404);
    });
  }
  const count = await eachTrial(true, ["tenant", "both modes"], async (route, trial) => {
    const answer = await expectAlike(route, trial, callers.theirAdmin!);
    answer.refused(trial.code ?? "property_not_found");
  });
  expect(count).toBe(17);
});

test("the other mode's ids are unknown ids", async () => {
  await eachTrial(false, ["tenant", "agent"], async (route, trial) => {
    const { status } = await expectAlike(route, trial, callers.test_agent!);
    expect(status).toBe(route === "POST /v1/search" ? 200 : 404);
  });
  await eachTrial(true, ["tenant"], async (route, trial) => {
    const answer = await expectAlike(route, trial, callers.test_admin!);
    answer.refused(trial.code ?? "property_not_found");
  });
});

test("another agent's quotes, holds and bookings are unknown ids", async () => {
  const count = await eachTrial(false, ["agent"], async (route, trial) => {
    expect((await expectAlike(route, trial, callers.colleague!)).status).toBe(404);
  });
  expect(count).toBe(10);
  const body = bookingBody({ hold_id: owned.hold, quote_id: owned.quote });
  const agent = callers.colleague!;
  const own = await newHold(service, { ...quoteBody(owned) }, { agent });
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
    await eachTrial(false, ["tenant", "agent"], async (route, trial) => {
      (await expectAlike(route, trial, agent)).refused(code);
    });
  }
  for (const [agent, code] of [
    [null, "unauthenticated"],
    [callers.poor!, "forbidden"],
    [callers.agent!, "principal_kind_not_allowed"],
  ] as const) {
    await eachTrial(true, ["tenant", "both modes"], async (route, trial) => {
      (await expectAlike(route, trial, agent)).refused(code);
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
  const refunds = [owned.refund, UNKNOWN.refund].map(async (id) => {
    const answer = await service.api("GET", `/v1/bookings/${owned.booking}/refunds/${id}`);
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
