/**
 * Goal: an operator learns why a stay could not be sold then. Method: stays are explained after
 * each of many changes, then again as of each of these moments, by event and by instant; both
 * answers must be equal.
 */
import { expect, test } from "bun:test";
import type { Answer } from "../support/answer.ts";
import {
  createHotel,
  dateIn,
  type Hotel,
  newHold,
  newKey,
  stayRequest,
} from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { lastSeqOf, ofPast } from "../support/past.ts";
import { asPublished } from "../support/published.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile({ API_PROCESSES: "1" });
const { admin, test_admin, second_tenant } = service.demo;
const hotel = await createHotel(service, { units: [3, 2], timezone: "UTC" });
const [seller] = await service.newAgents([{ kind: "agent" }]);
const path = `/v1/admin/properties/${hotel.id}`;

interface Explained {
  readonly as_of?: { readonly seq: number; readonly at: string };
  readonly is_sellable: boolean;
  readonly checks: readonly { readonly check: string; readonly passed: boolean }[];
  readonly price: { readonly total: number; readonly discount: object | null } | null;
}
type Query = Readonly<Record<string, string | number>>;

const STAY = { room_type: "R0", rate_plan: "FLEX", check_in: dateIn(30), check_out: dateIn(32) };

const explain = async (query: Query, agent = admin, of: Hotel = hotel) => {
  const asked = { property: of.slug, ...STAY, ...query };
  const text = new URLSearchParams(
    Object.entries(asked).map(([name, value]): [string, string] => [name, `${value}`]),
  );
  const first = await service.api("GET", `/v1/admin/availability/explain?${text}`, { agent });
  return asPublished("admin_explain_availability", await ofPast(service, first, agent));
};

const send = async (method: string, to: string, body: object, agent = admin) =>
  (await service.api(method, to, { agent, body })).ok();
const put = (body: object) => send("PUT", `${path}/ari`, body);
interface Tree {
  readonly room_types: readonly {
    readonly id: string;
    readonly code: string;
    readonly rate_plans: readonly { readonly id: string; readonly code: string }[];
  }[];
}
const treeOf = async () => (await service.api("GET", path, { agent: admin })).ok<Tree>().data;
const setRooms = (room_types: readonly object[]) => send("PATCH", path, { room_types });

const on = { from: dateIn(30), to: dateIn(31) };
const room = { room_type_id: hotel.rooms[0]!.id };
const plan = { rate_plan_id: hotel.rooms[0]!.planIds[0]! };
const later = crypto.randomUUID();

const CHANGES: readonly (() => Promise<unknown>)[] = [
  () => put({ inventory: [{ ...room, ...on, capacity: 1 }] }),
  () => put({ rates: [{ ...plan, ...on, amount: 12_300 }] }),
  () => put({ ceilings: [{ ...room, ...on, agent_id: seller!.agent_id, ceiling: 0 }] }),
  () => newHold(service, stayRequest(hotel)),
  () => put({ inventory: [{ ...room, ...on, capacity: 3 }] }),
  () => put({ restrictions: [{ ...room, ...on, stop_sell: true }] }),
  // R1 is removed, and R2 comes with a plan that is cheaper when it is booked today.
  async () => {
    const [first, second] = (await treeOf()).room_types;
    const discounts = [{ code: "NOW", label: "Today", bps: -1000, booked_until: dateIn(0) }];
    const plans = second!.rate_plans.map((each) => {
      return { ...each, id: crypto.randomUUID(), discounts };
    });
    await setRooms([first!, { ...second!, id: later, code: "R2", rate_plans: plans }]);
  },
  async () => {
    const [first, ...rest] = (await treeOf()).room_types;
    await setRooms([{ ...first!, code: "DBL" }, ...rest]);
  },
  () => send("POST", `${path}/suspend`, {}),
];

/** The code of every room type that there is at some time. */
const CODES = ["R0", "R1", "R2", "DBL"];

/** One after the other: of several processes at once some would be asked for again and again. */
async function seen(more: Query = {}) {
  const found = [];
  for (const room_type of CODES) {
    const answer = await explain({ room_type, ...more });
    found.push(answer.status === 200 ? withoutMoment(answer) : answer.anyRefusal().code);
  }
  return found;
}

function withoutMoment(answer: Answer) {
  const { as_of, ...data } = answer.ok<Explained>().data;
  return data;
}

test("as of each moment a stay is explained as it was, by event and by instant", async () => {
  const moments = [{ seq: await lastSeqOf(service, admin), was: await seen() }];
  for (const change of CHANGES) {
    await change();
    moments.push({ seq: await lastSeqOf(service, admin), was: await seen() });
  }
  // The ceiling of one agent alone is seen by none of these calls.
  expect(new Set(moments.map(({ was }) => JSON.stringify(was))).size).toBe(moments.length - 1);
  const codes = new Set(
    moments.flatMap(({ was }) => was.filter((each) => typeof each === "string")),
  );
  expect([...codes]).toEqual(["room_type_not_found"]);
  for (const { seq, was } of moments) {
    expect({ seq, was: await seen({ as_of: seq }) }).toEqual({ seq, was });
    const asked = { room_type: room.room_type_id };
    const { as_of, ...then } = (await explain({ ...asked, as_of: seq })).ok<Explained>().data;
    expect(as_of!.seq).toBe(seq);
    expect(was).toContainEqual(then);
    const atInstant = await explain({ ...asked, as_of: as_of!.at });
    expect(atInstant.ok<Explained>().data).toEqual({ ...then, as_of: as_of! });
  }
});

test("a suspended agent's past has its ceilings, and no check of its access", async () => {
  const before = await lastSeqOf(service, admin);
  const agents = "/v1/admin/agents";
  const suspended = { state: "suspended" };
  await send("PATCH", `${agents}/${seller!.agent_id}`, suspended);
  const asked = { room_type: "DBL", agent_id: seller!.agent_id };
  const now = (await explain(asked)).ok<Explained>().data.checks;
  expect(now[0]).toMatchObject({ check: "agent", passed: false });
  const then = (await explain({ ...asked, as_of: before })).ok<Explained>().data.checks;
  expect(then).toEqual(now.slice(1));
  expect(then.find(({ check }) => check === "ceilings")!.passed).toBe(false);
  const unknown = await explain({ as_of: before, agent_id: "agt_none" });
  unknown.refused("agent_not_found");
});

test("nothing of the past is sold: the next call reads the nights as they were", async () => {
  const seq = (await lastSeqOf(service, admin)) - 1;
  const { next_actions } = (await explain({ room_type: "DBL", as_of: seq })).ok();
  expect(next_actions.map(({ rel, method }) => [rel, method])).toEqual([["get", "GET"]]);
  const nights = await ofPast(service, await follow(service, next_actions[0]!, admin), admin);
  const { as_of, from, to, room_types } = nights.ok<{
    readonly as_of: { readonly seq: number };
    readonly from: string;
    readonly to: string;
    readonly room_types: readonly { readonly code: string }[];
  }>().data;
  expect({ seq: as_of.seq, from, to, codes: room_types.map(({ code }) => code) }).toEqual({
    ...{ seq, ...on, codes: ["DBL"] },
  });
  const beyond = { check_in: dateIn(900), check_out: dateIn(901), room_type: "DBL" };
  expect((await explain({ ...beyond, as_of: seq })).ok().next_actions).toEqual([]);
});

test("moments that are unknown, in the future or before the property are refused by name", async () => {
  const late = new Date(Date.now() + 60_000).toISOString();
  const after = (await lastSeqOf(service, admin)) + 1;
  for (const as_of of ["yesterday", after, late, 0, "2020-01-01T00:00:00Z"]) {
    expect((await explain({ as_of })).faults()).toEqual(["?as_of"]);
  }
  expect((await explain({ as_of: "x", adults: 0 })).faults()).toEqual(["?adults", "?as_of"]);
  expect((await explain({ as_of: 1, check_out: STAY.check_in })).faults()).toEqual(["?check_out"]);
});

test("the past of a property is as private as its present", async () => {
  const as_of = await lastSeqOf(service, admin);
  for (const other of [second_tenant.admin, test_admin]) {
    (await explain({ as_of }, other)).refused("property_not_found");
  }
  const [elsewhere] = await service.newAgents([{ kind: "operator", property_ids: [] }]);
  (await explain({ as_of }, elsewhere!)).refused("resource_access_denied");
});

test("the day then is that of the test clock then", async () => {
  const other = await createHotel(service, { operator: test_admin, timezone: "UTC" });
  const headers = { "idempotency-key": newKey() };
  const tomorrow = { check_in: dateIn(1), check_out: dateIn(2) };
  const discounts = [{ code: "NOW", label: "Today", bps: -1000, booked_until: dateIn(0) }];
  const { room_types } = (
    await service.api("GET", `/v1/admin/properties/${other.id}`, { agent: test_admin })
  ).ok<Tree>().data;
  const [first] = room_types;
  const plans = first!.rate_plans.map((each) => ({ ...each, discounts }));
  const body = { room_types: [{ ...first!, rate_plans: plans }] };
  await send("PATCH", `/v1/admin/properties/${other.id}`, body, test_admin);
  const read = async (query: Query) =>
    (await explain({ ...tomorrow, ...query }, test_admin, other)).ok<Explained>().data;
  const moments = [{ seq: await lastSeqOf(service, test_admin), was: await read({}) }];
  const move = { agent: test_admin, body: { advance_s: 3 * 86_400 }, headers };
  (await service.api("POST", "/v1/admin/test-clock", move)).ok();
  moments.push({ seq: await lastSeqOf(service, test_admin), was: await read({}) });
  expect(moments.map(({ was }) => [was.is_sellable, was.price!.discount !== null])).toEqual([
    [true, true],
    [false, false],
  ]);
  for (const { seq, was } of moments) {
    const { as_of, ...then } = await read({ as_of: seq });
    expect<Omit<Explained, "as_of">>(then).toEqual(was);
    expect(as_of!.seq).toBe(seq);
  }
});
