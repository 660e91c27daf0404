/**
 * Goal: a property's slug is as good as its id, and an id in upper case as good as it is. Method:
 * every route that takes a property, by the service's own table, in path and body, and every tool
 * made of one, is called with each of the names; the answers are the same but for ids that are new
 * each time.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { dateOf, dayOf } from "../../engine/core/calendar.ts";
import { ROUTES } from "../../src/app.ts";
import { asRest } from "../support/answer.ts";
import {
  createHotel,
  dateIn,
  type Hotel,
  newHold,
  newKey,
  newQuote,
  stayRequest,
} from "../support/client.ts";
import { McpCaller } from "../support/mcp-client.ts";
import { Service } from "../support/service.ts";
import { type Ids, type Trial, toolArguments, trialsOf, UNKNOWN } from "../support/trials.ts";

let service: Service;
let hotel: Hotel;
let ids: Ids;

beforeAll(async () => {
  service = await Service.start();
  hotel = await createHotel(service);
  const [room] = hotel.rooms;
  const own = { property: hotel.id, slug: hotel.slug, room: room!.id, plan: room!.planIds[0]! };
  const { agent_id: agent } = service.demo.agent;
  ids = { ...UNKNOWN, ...own, agent };
  await oversell(hotel);
});
afterAll(() => service.stop());

/** The night that a scan names is oversold, so that its incident is the answer. */
async function oversell({ id, rooms: [room] }: Hotel): Promise<void> {
  const trial = TRIALS.find(({ route }) => route.id === "admin_scan_oversell")!;
  const { date } = trial.body!(ids) as { readonly date: string };
  const stay = { check_in: date, check_out: dateOf(dayOf(date) + 1) };
  await newHold(service, { ...stayRequest(hotel), stay });
  const inventory = [{ room_type_id: room!.id, from: date, to: date, capacity: 0 }];
  const cut = { agent: service.demo.admin, body: { inventory } };
  (await service.api("PUT", `/v1/admin/properties/${id}/ari`, cut)).ok();
}

const TRIALS = ROUTES.all
  .filter(({ access }) => access !== "public")
  .flatMap((route) => trialsOf(route, UNKNOWN))
  .filter((trial) => trial.ids.includes("property"));

const NAMES: Readonly<Record<string, (hotel: Hotel) => string>> = {
  "its id": ({ id }) => id,
  "its slug": ({ slug }) => slug,
  "its id in upper case": ({ id }) => id.toUpperCase(),
  "its slug in upper case": ({ slug }) => slug.toUpperCase(),
};

/** What an answer says, without what is new in each of them. */
function lasting(text: string): unknown {
  return JSON.parse(
    text
      .replace(/\b(qt|agt|aut|crd|per|whe)_[0-9a-z]+/g, "$1")
      .replace(/\b(ik_live|whsec)_[\w…+/=]+/g, "secret")
      .replace(/"sha256:\w+"/g, '"hash"')
      .replace(/"(seq|version)":\d+/g, '"$1":0')
      .replace(/"(prefix|last4)":"[^"]+"/g, '"$1":""')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "instant")
      .replace(/"session_id":"[^"]+"/g, '"session_id":""')
      .replace(/advisor\/sessions\/[0-9a-f-]+/g, "advisor/sessions/id")
      .replace(/"trace_id":"\w+"/g, '"trace_id":""'),
  );
}

async function send({ route, path, body }: Trial, named: Ids) {
  const headers = route.method === "GET" ? {} : { "idempotency-key": newKey() };
  const sent = body ? { body: body(named) } : {};
  const agent = service.demo.admin;
  return service.api(route.method, path(named), { agent, headers, ...sent });
}

test("every kind of route that takes a property is among those tried", () => {
  const tried = [...new Set(TRIALS.map(({ route }) => route.id))].sort();
  const named = [
    ...["get_property", "get_property_full", "list_offers", "quote", "search"],
    "create_advisor_session",
  ];
  const granted = ["create_agent", "create_person", "create_webhook"];
  const admin = [
    ...[
      "admin_get_property",
      "admin_grant_authorization",
      "admin_patch_property",
      "admin_promote_property",
      "admin_promote_properties",
      "admin_quote_at_property",
      "admin_scan_oversell",
      "admin_search_guests",
      "admin_update_ari",
      "admin_get_ari",
    ],
  ];
  expect(tried).toEqual([...named, ...granted, ...admin].sort());
});

for (const { route, path, body } of TRIALS) {
  const at = body && !path(UNKNOWN).includes(UNKNOWN.property) ? "its body" : "its path";
  test(`${route.id} takes a property by any of its names in ${at}`, async () => {
    const trial = TRIALS.find((each) => each.route === route && each.path === path)!;
    const expected = await send(trial, ids);
    expect(expected.status).toBeWithin(200, 300);
    for (const [name, of] of Object.entries(NAMES)) {
      const answer = await send(trial, { ...ids, property: of(hotel) });
      expect({ name, said: lasting(answer.text) }).toEqual({ name, said: lasting(expected.text) });
    }
  });
}

test("an agent may be given some properties by slug, and then has their ids", async () => {
  const agent = service.demo.admin;
  const own = { name: "Of two names", kind: "agent", property_ids: [hotel.slug, hotel.id] };
  const made = (await service.api("POST", "/v1/admin/agents", { agent, body: own })).ok<{
    readonly agent_id: string;
    readonly property_ids: readonly string[];
  }>(201);
  expect(made.data.property_ids).toEqual([hotel.id]);
  const path = `/v1/admin/agents/${made.data.agent_id}`;
  const body = { property_ids: [hotel.slug.toUpperCase()] };
  const changed = (await service.api("PATCH", path, { agent, body })).ok();
  expect(changed.data.property_ids).toEqual([hotel.id]);
});

/** What a skill answers; A2A 1.0 by JSON-RPC. */
async function skill(id: string, input: object): Promise<unknown> {
  const message = {
    messageId: newKey(),
    role: "ROLE_USER",
    parts: [{ data: { skill: id, input } }],
  };
  const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
  const headers = { "a2a-version": "1.0" };
  const agent = service.demo.admin;
  const { json } = await service.api("POST", "/a2a", { agent, body, headers });
  const { result } = json as { result: { message: { parts: [{ data: unknown }] } } };
  return result.message.parts[0].data;
}

test("tools and skills take a property by any of its names", async () => {
  const agent = service.demo.admin;
  const mcp = await McpCaller.connect(service, { agent });
  // No tool reads a session, so tools are not offered what REST is.
  const hasAlike = ({ route }: Trial) => route.tool && route.id !== "create_advisor_session";
  for (const trial of TRIALS.filter(hasAlike)) {
    for (const name of Object.values(NAMES)) {
      const named = { ...ids, property: name(hotel) };
      const input = toolArguments(trial, named);
      const byRest = lasting((await send(trial, named)).text);
      const byTool = await mcp.send(trial.route.id, input);
      expect(lasting(JSON.stringify(asRest(byTool)))).toEqual(byRest);
      const bySkill = await skill(trial.route.id, input);
      expect(lasting(JSON.stringify(asRest(bySkill)))).toEqual(byRest);
    }
  }
  await mcp.close();
});

test("a room type and a rate plan are named by their codes, in whatever letters", async () => {
  const byIds = stayRequest(hotel);
  const expected = await newQuote(service, byIds);
  const names = [
    { room_type_id: "R0", rate_plan_id: "FLEX" },
    { room_type_id: "r0", rate_plan_id: "flex" },
    { room_type_id: byIds.room_type_id, rate_plan_id: "FLEX" },
  ];
  for (const named of names) {
    const body = { ...byIds, hotel_id: hotel.slug, ...named };
    const quote = await newQuote(service, body);
    expect(lasting(JSON.stringify(quote))).toEqual(lasting(JSON.stringify(expected)));
  }
  const unknown = { ...byIds, rate_plan_id: "BAR" };
  const refused = await service.api("POST", "/v1/quotes", { body: unknown });
  expect(refused.refused("rate_plan_not_found").detail).toMatchObject({ rate_plan_id: "BAR" });
});

test("rates are set by code, and the code of two room types needs the room type beside it", async () => {
  const agent = service.demo.admin;
  const two = await createHotel(service, { units: [5, 5] });
  const path = `/v1/admin/properties/${two.slug}/ari`;
  const nights = { from: dateIn(30), to: dateIn(31), amount: 7_700 };
  const set = (rate: object) => {
    return service.api("PUT", path, { agent, body: { rates: [{ ...rate, ...nights }] } });
  };
  const refused = (await set({ rate_plan_id: "FLEX" })).refused("validation_failed");
  expect(refused.detail).toMatchObject({ field_errors: [{ path: "/rates/0/rate_plan_id" }] });
  expect(JSON.stringify(refused.detail)).toContain(`FLEX of R1 (${two.rooms[1]!.planIds[0]})`);
  (await set({ rate_plan_id: "FLEX", room_type_id: "r1" })).ok();
  const totals = [0, 1].map(async (room) => {
    return (await newQuote(service, stayRequest(two, { room }))).price_breakdown.total;
  });
  expect(await Promise.all(totals)).toEqual([20_000, 15_400]);
});
