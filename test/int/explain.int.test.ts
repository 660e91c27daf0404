/**
 * Goal: an operator learns why a stay can or cannot be sold, and quotes agree. Method: stays that
 * fail each existing check, of properties in every state; answers are validated against their
 * schemas.
 */
import { expect, test } from "bun:test";
import { CHECKS } from "../../engine/core/availability/explain.ts";
import { createHotel, dateIn, propertyBody } from "../support/client.ts";
import { asPublished } from "../support/published.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile({ API_PROCESSES: "1" });
const hotel = await createHotel(service, { units: [5, 3] });

const change = async (body: object) => {
  const path = `/v1/admin/properties/${hotel.id}/ari`;
  return (await service.api("PUT", path, { agent: service.demo.admin, body })).ok();
};
const read = async (id: string, from: number, to: number) => {
  const path = `/v1/admin/properties/${id}/ari?from=${dateIn(from)}&to=${dateIn(to)}`;
  asPublished("admin_get_ari", await service.api("GET", path, { agent: service.demo.admin })).ok();
};

interface Explained {
  readonly is_sellable: boolean;
  readonly sellable: number;
  readonly checks: readonly { check: string; passed: boolean; words: string }[];
  readonly nights: readonly { date: string; left: number; amount: number }[];
  readonly price: { readonly total: number } | null;
  readonly alternatives: readonly object[];
}

const explain = async (query: Record<string, string>, agent = service.demo.admin) => {
  const asked = new URLSearchParams({
    property: hotel.slug,
    room_type: "r1",
    rate_plan: "flex",
    ...query,
  });
  const answer = await service.api("GET", `/v1/admin/availability/explain?${asked}`, { agent });
  return asPublished("admin_explain_availability", answer);
};
const stay = (inDays: number, nights = 2) => {
  return { check_in: dateIn(inDays), check_out: dateIn(inDays + nights) };
};

test("a stay that can be sold passes every check, and its quote is ready", async () => {
  const { data, next_actions } = (await explain({ ...stay(60), children: "4,11" })).ok<Explained>();
  expect(data).toMatchObject({ is_sellable: true, sellable: 3, alternatives: [] });
  expect(data.checks.every(({ passed }) => passed)).toBe(true);
  expect(data.nights.map(({ date, left }) => [date, left])).toEqual([
    [dateIn(60), 3],
    [dateIn(61), 3],
  ]);
  const [quote] = next_actions;
  const quoted = await service.api("POST", quote!.href, { body: quote!.body_hint });
  const { price_breakdown } = quoted.ok<{ price_breakdown: { total: number } }>(201).data;
  expect(price_breakdown.total).toBe(data.price!.total);
});

test("a stay that cannot be sold says which check fails on which night, and what can be", async () => {
  const at = { room_type_id: "R1", from: dateIn(70), to: dateIn(70) };
  await change({ restrictions: [{ ...at, cta: true }], inventory: [{ ...at, capacity: 0 }] });
  const told = (await explain(stay(70))).ok<Explained>();
  expect(told.data).toMatchObject({ is_sellable: false, sellable: 0 });
  expect(told.data.checks.filter(({ passed }) => !passed)).toMatchObject([
    { check: "restrictions", words: `${dateIn(70)}: is closed to arrival.` },
    { check: "units", words: `${dateIn(70)}: 0 sold and 0 held of 0.` },
  ]);
  expect(told.data.alternatives.length).toBeGreaterThan(0);
  for (const { href, body_hint } of told.next_actions) {
    const quoted = await service.api("POST", href, { body: body_hint });
    const { availability } = quoted.ok<{ availability: { sellable: number } }>(201).data;
    expect(availability.sellable).toBeGreaterThan(0);
  }
  const past = (await explain(stay(-3))).ok<Explained>().data.checks;
  expect(past.filter(({ passed }) => !passed).map(({ check }) => check)).toEqual(["dates"]);
});

test("an agent is explained with its own ceilings and properties", async () => {
  const [own, without] = await service.newAgents([
    { kind: "agent" },
    { kind: "agent", property_ids: [] },
  ]);
  const at = { room_type_id: "R1", from: dateIn(80), to: dateIn(81) };
  await change({ ceilings: [{ ...at, agent_id: own!.agent_id, ceiling: 0 }] });
  const failed = async (agent_id?: string) => {
    const asked = await explain({ ...stay(80), ...(agent_id ? { agent_id } : {}) });
    const { checks } = asked.ok<Explained>().data;
    return checks.filter(({ passed }) => !passed).map(({ check }) => check);
  };
  expect(await failed()).toEqual([]);
  expect(await failed(own!.agent_id)).toEqual(["ceilings"]);
  expect(await failed(without!.agent_id)).toEqual(["agent"]);
  (await explain({ ...stay(80), agent_id: "agt_none" })).refused("agent_not_found");
});

test("each failed check, for a property in any state, is reported in the published form", async () => {
  const agent = service.demo.admin;
  const draft = { ...propertyBody(), policies: [] };
  (await service.api("POST", "/v1/admin/properties", { agent, body: draft })).ok(201);
  const gone = await createHotel(service);
  const admin = "/v1/admin/properties";
  const every = { stop_sell: true, cta: true, ctd: true, min_los_arrival: 3, max_los_arrival: 1 };
  const through = { min_stay_through: 3, max_stay_through: 1 };
  const ofDays = { min_advance_days: 999, max_advance_days: 0, los_pattern: "N" };
  const release = { strategy: "fixed", at: dateIn(-1) };
  const at = { room_type_id: "R0", from: dateIn(90), to: dateIn(92) };
  const ceilings = [{ ...at, rate_plan_id: "FLEX", ceiling: 0, release }];
  const inventory = [{ ...at, capacity: 0, out_of_order: 1, overbooking_limit: 1 }];
  await change({ inventory, restrictions: [{ ...at, ...every, ...through, ...ofDays }], ceilings });
  const room = { room_type: "R0" };
  const failed = new Set<string>();
  const tell = async (query: Record<string, string>) => {
    const { checks } = (await explain(query)).ok<Explained>().data;
    for (const { check, passed } of checks) if (!passed) failed.add(check);
  };
  await tell({ ...stay(90), ...room, adults: "20", children: "0,17" });
  for (const days of [-800, -400, -1, 700, 1_200]) await tell({ ...stay(days), ...room });
  await tell({ ...stay(10, 90), ...room });
  await tell({ ...stay(10), ...room, property: draft.slug });
  await read(draft.id, 10, 12);
  for (const step of ["suspend", "archive"]) {
    (await service.api("POST", `${admin}/${gone.id}/${step}`, { agent })).ok();
    await tell({ ...stay(10), ...room, property: gone.slug });
    await read(gone.id, 10, 12);
  }
  await read(hotel.id, 89, 93);
  // No supply that can be made today has a price that is not exact.
  expect(CHECKS.filter((check) => !failed.has(check))).toEqual(["price"]);
});

test("a request that cannot be explained is refused by name and reveals no other tenant", async () => {
  const missing = await service.api("GET", "/v1/admin/availability/explain", {
    agent: service.demo.admin,
  });
  expect(missing.faults()).toEqual(
    ["?check_in", "?check_out", "?property", "?rate_plan", "?room_type"].sort(),
  );
  const odd = { check_in: dateIn(5), check_out: dateIn(4), adults: "0", children: "18" };
  expect((await explain(odd)).faults()).toEqual(["?adults", "?children"]);
  expect((await explain({ check_in: dateIn(5), check_out: dateIn(4) })).faults()).toEqual([
    "?check_out",
  ]);
  (await explain({ ...stay(5), room_type: "TWN" })).refused("room_type_not_found");
  (await explain({ ...stay(5), rate_plan: "BAR" })).refused("rate_plan_not_found");
  (await explain({ ...stay(5), property: "none" })).refused("property_not_found");
  const [elsewhere, agent] = await service.newAgents([
    { kind: "operator", property_ids: [] },
    { kind: "agent" },
  ]);
  (await explain(stay(5), elsewhere!)).refused("resource_access_denied");
  (await explain(stay(5), agent!)).refused("principal_kind_not_allowed");
});
