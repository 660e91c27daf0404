/**
 * A hotel in which what makes prices and availability hard comes together within three months: a
 * currency of three digits, taxes of every basis, long-stay discounts, rates and extra adults by
 * date, a closed season, every restriction, limits, a single room, and a last unit that is held.
 */
import type { AriUpdate } from "../../engine/core/supply.ts";
import { dateIn, type Hotel, newHold, propertyBody, stayRequest } from "./client.ts";
import type { Service } from "./service.ts";

const tax = (code: string, terms: object) => ({
  ...{ code, name: code, kind: "tax", included_in_rate: false, collect: "prepaid" },
  ...terms,
});

const TAX_RULES = [
  tax("VAT", { basis: "percent", rate_bps: 1_050, included_in_rate: true }),
  tax("CITY", {
    basis: "per_person_per_night",
    amount: 333,
    max_nights: 3,
    collect: "at_property",
  }),
  tax("STAY", { basis: "per_stay", amount: 1_001, order: 1 }),
  tax("ON-TOP", { basis: "percent", rate_bps: 777, order: 2, compound: true }),
  tax("WINTER", { basis: "per_night", amount: 77, valid_from: dateIn(5), valid_to: dateIn(9) }),
  tax("RESORT", { kind: "fee", basis: "per_person", amount: 501, collect: "at_property" }),
  tax("LINEN", { kind: "fee", basis: "percent", rate_bps: 125, included_in_rate: true }),
];

/** Nights in so many days, both included. */
const days = (fromDay: number, toDay: number) => ({ from: dateIn(fromDay), to: dateIn(toDay) });

/** Nights on which the whole hotel is closed, both included. */
export const CLOSED_SEASON = days(14, 20);

function ariOf(
  rooms: readonly Required<Pick<Hotel["rooms"][number], "id" | "planIds">>[],
): AriUpdate {
  const [single, double, suite] = rooms.map(({ id, planIds }) => ({
    room: { room_type_id: id },
    plan: { room_type_id: id, rate_plan_id: planIds[0]! },
    rate: { rate_plan_id: planIds[0]! },
  }));
  const closed = [single, double, suite].map((each) => {
    return { ...each!.room, ...CLOSED_SEASON, stop_sell: true };
  });
  return {
    inventory: [
      { ...double!.room, ...days(2, 3), capacity: 0 },
      { ...suite!.room, ...days(60, 62), capacity: 0 },
    ],
    rates: [
      { ...double!.rate, ...days(0, 89), amount: 12_345 },
      { ...double!.rate, ...days(7, 8), amount: 98_765, extra_adult: 4_321 },
      { ...suite!.rate, ...days(30, 40), amount: 1 },
    ],
    restrictions: [
      ...closed,
      { ...double!.plan, ...days(24, 30), min_los_arrival: 3 },
      { ...double!.room, ...days(32, 33), cta: true },
      { ...suite!.room, ...days(35, 36), ctd: true },
      { ...suite!.room, ...days(45, 50), max_los_arrival: 2 },
      { ...double!.room, ...days(53, 54), min_stay_through: 4 },
      { ...single!.plan, ...days(56, 57), max_stay_through: 1 },
    ],
    ceilings: [{ ...suite!.room, ...days(70, 72), rate_plan_id: null, agent_id: null, ceiling: 0 }],
  };
}

/** Whose hotel it is. */
type Tenant = Pick<Service["demo"], "admin" | "agent">;

/** Creates it, puts it on sale and holds the last unit of its double room for two nights. */
export async function createHardHotel(service: Service, tenant?: Tenant): Promise<Hotel> {
  const { admin: agent, agent: buyer } = tenant ?? service.demo;
  const body = propertyBody({ units: [4, 1, 3], currency: "KWD", timezone: "Asia/Kuwait" });
  const room_types = body.room_types.map((room, i) => ({
    ...room,
    max_occupancy: [1, 3, 4][i]!,
    included_occupancy: 1,
    rate_plans: room.rate_plans.map((plan) => ({
      ...{ ...plan, extra_adult_per_night: 2_105 },
      adjustments: [{ code: "LONG", label: "Long stay", min_nights: 3, bps: -333 }],
    })),
  }));
  const tree = { ...body, room_types, tax_rules: TAX_RULES };
  const path = `/v1/admin/properties/${body.id}`;
  (await service.api("POST", "/v1/admin/properties", { agent, body: tree })).ok(201);
  const rooms = room_types.map(({ id, rate_plans }) => {
    return { id, planIds: rate_plans.map((plan) => plan.id) };
  });
  (await service.api("PUT", `${path}/ari`, { agent, body: ariOf(rooms) })).ok();
  (await service.api("POST", `${path}/promote`, { agent })).ok();
  const hotel = { id: body.id, slug: body.slug, rooms };
  const stay = stayRequest(hotel, { room: 1, inDays: 50, nights: 2 });
  await newHold(service, stay, { agent: buyer });
  return hotel;
}
