/**
 * Goal: a hotel makes its rates once and every reader has the same price with its reason. Method: a
 * property whose plans follow each other, read by quote, search, calendar and a changed booking.
 */
import { expect, test } from "bun:test";
import {
  type Booking,
  dateIn,
  type Hotel,
  newBooking,
  newQuote,
  propertyBody,
  type Quote,
  type StayRequest,
} from "../support/client.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const agent = service.demo.admin;

interface Priced extends Quote {
  readonly price_breakdown: Quote["price_breakdown"] & {
    readonly hash: string;
    readonly derived_from?: object;
    readonly nights: readonly {
      readonly base: number;
      readonly rate_source: string;
      readonly adjustments: readonly { readonly label: string }[];
    }[];
  };
}

/** A hotel whose first plan has prices of its own; the others are as said. */
async function hotelWith(plans: (flex: object) => readonly object[], over: object = {}) {
  const body = propertyBody({ units: [5] });
  const [room] = body.room_types;
  const [flex] = room!.rate_plans;
  const rate_plans = [flex!, ...plans({ ...flex, id: undefined })];
  const sent = { ...body, ...over, room_types: [{ ...room, rate_plans }] };
  (await service.api("POST", "/v1/admin/properties", { agent, body: sent })).ok(201);
  (await service.api("POST", `/v1/admin/properties/${body.id}/promote`, { agent })).ok();
  return { id: body.id, slug: body.slug, roomId: room!.id, flexId: flex!.id };
}
type Made = Awaited<ReturnType<typeof hotelWith>>;

const SAVER = {
  ...{ code: "SAVER", name: "Saver", base_rate_per_night: 0 },
  derived_from: { rate_plan_id: "FLEX", bps: -1_000, round_to: 100, rounding: "up" },
};
const withSaver = () => hotelWith((flex) => [{ ...flex, ...SAVER }]);

const request = (hotel: Made, plan: string, day: number, nights = 2): StayRequest => ({
  ...{ hotel_id: hotel.id, room_type_id: hotel.roomId, rate_plan_id: plan },
  stay: { check_in: dateIn(day), check_out: dateIn(day + nights) },
  guests: { adults: 2 },
});

const quoted = async (...of: Parameters<typeof request>) =>
  (await newQuote(service, request(...of))) as Priced;

function setRates(hotel: Pick<Hotel, "id">, rates: readonly object[]) {
  const path = `/v1/admin/properties/${hotel.id}/ari`;
  return service.api("PUT", path, { agent, body: { rates } });
}

test("a derived plan follows the other one, in quotes, search, offers and the calendar", async () => {
  const hotel = await withSaver();
  const before = await quoted(hotel, "SAVER", 30);
  expect(before.price_breakdown.total).toBe(18_000);
  const range = { from: dateIn(30), to: dateIn(30) };
  (await setRates(hotel, [{ rate_plan_id: "FLEX", ...range, amount: 12_345 }])).ok();
  const { price_breakdown } = await quoted(hotel, "SAVER", 30);
  expect(price_breakdown.nights).toMatchObject([
    { base: 11_200, rate_source: "derived" },
    { base: 9_000, rate_source: "derived" },
  ]);
  expect(price_breakdown.derived_from).toEqual({
    ...{ rate_plan_id: hotel.flexId, name: "Flexible" },
    ...{ bps: -1_000, round_to: 100, rounding: "up" },
  });
  const { stay, guests } = request(hotel, "SAVER", 30);
  const destination = { type: "property", value: hotel.id };
  const found = await service.api("POST", "/v1/search", { body: { destination, stay, guests } });
  found.ok();
  expect(found.text).toContain('"rate_plan_name":"Saver"');
  expect(found.text).toContain("20200");
  const calendar = `/v1/admin/properties/${hotel.id}/ari?from=${dateIn(30)}&to=${dateIn(30)}`;
  const { text } = await service.api("GET", calendar, { agent });
  expect(text).toContain('"amount":11200,"extra_adult":0,"rate_source":"derived"');
});

test("an amount of a derived plan is refused by name; its plan's base rate follows edits", async () => {
  const hotel = await withSaver();
  const range = { from: dateIn(40), to: dateIn(40) };
  const refused = (await setRates(hotel, [{ rate_plan_id: "SAVER", ...range, amount: 1 }])).refused(
    "validation_failed",
  );
  expect(refused.detail.field_errors).toMatchObject([{ path: "/rates/0/amount" }]);
  const path = `/v1/admin/properties/${hotel.id}`;
  type Tree = { room_types: { rate_plans: Record<string, unknown>[] }[] };
  const { data } = (await service.api("GET", path, { agent })).ok<Tree>();
  const [flex, ...others] = data.room_types[0]!.rate_plans;
  const rate_plans = [{ ...flex, base_rate_per_night: 20_000 }, ...others];
  const room_types = [{ ...data.room_types[0], rate_plans }];
  (await service.api("PATCH", path, { agent, body: { room_types } })).ok();
  const after = (await service.api("GET", path, { agent })).ok<Tree>().data.room_types[0]!;
  expect(after.rate_plans[1]).toMatchObject({ code: "SAVER", base_rate_per_night: 18_000 });
  expect((await quoted(hotel, "SAVER", 40)).price_breakdown.total).toBe(36_000);
  const alone = { room_types: [{ ...data.room_types[0], rate_plans: others }] };
  const orphan = (await service.api("PATCH", path, { agent, body: alone })).refused(
    "validation_failed",
  );
  const at = "/room_types/0/rate_plans/0/derived_from/rate_plan_id";
  expect(orphan.detail.field_errors).toMatchObject([{ path: at }]);
});

test("a booking of a derived plan keeps its price and moves at the present one", async () => {
  const hotel = await withSaver();
  const booked = (await newBooking(service, request(hotel, "SAVER", 50))) as Booking & {
    readonly price_breakdown: { readonly hash: string };
  };
  const range = { from: dateIn(50), to: dateIn(60) };
  (await setRates(hotel, [{ rate_plan_id: "FLEX", ...range, amount: 8_000 }])).ok();
  const path = `/v1/bookings/${booked.booking_id}`;
  type Shown = { price_breakdown: { total: number; hash: string; derived_from?: object } };
  const kept = (await service.api("GET", path)).ok<Shown>().data.price_breakdown;
  expect(kept.total).toBe(18_000);
  expect(kept.hash).toBe(booked.price_breakdown.hash);
  const { stay } = request(hotel, "SAVER", 52);
  const body = { stay, difference: "refund" };
  const moved = (await service.api("PATCH", path, { agent, body })).ok<Shown>().data;
  expect(moved.price_breakdown.total).toBe(14_400);
  expect(moved.price_breakdown).toHaveProperty("derived_from");
});

test("a discount by the day of the booking is in quote, search and a changed booking, by name", async () => {
  const today = { booked_until: dateIn(1) };
  const discounts = [
    { code: "EARLY", label: "Booked this spring", bps: -1_500, ...today, min_nights: 2 },
    { code: "LONG", label: "Three nights", amount: -1_000, min_nights: 3 },
  ];
  const hotel = await hotelWith((flex) => [{ ...flex, code: "DEAL", name: "Deal", discounts }]);
  const linesOf = async (nights: number) => {
    const { price_breakdown } = await quoted(hotel, "DEAL", 30, nights);
    const [night] = price_breakdown.nights;
    return [price_breakdown.total, night!.adjustments.map(({ label }) => label)];
  };
  expect(await linesOf(1)).toEqual([10_000, []]);
  expect(await linesOf(2)).toEqual([17_000, ["Booked this spring"]]);
  const { stay, guests } = request(hotel, "DEAL", 30);
  const destination = { type: "property", value: hotel.id };
  const found = await service.api("POST", "/v1/search", { body: { destination, stay, guests } });
  found.ok();
  expect(found.text).toContain('"rate_plan_name":"Deal"');
  expect(found.text).toContain("17000");
  const { check_in, check_out } = stay;
  const query = `property=${hotel.id}&room_type=R0&rate_plan=DEAL&check_in=${check_in}&check_out=${check_out}`;
  const why = await service.api("GET", `/v1/admin/availability/explain?${query}`, { agent });
  const discount = { code: "EARLY", label: "Booked this spring" };
  expect(why.ok().data).toMatchObject({ price: { total: 17_000, discount } });
  const { booking_id } = await newBooking(service, request(hotel, "DEAL", 30));
  const path = `/v1/bookings/${booking_id}`;
  const body = { stay: request(hotel, "DEAL", 31).stay };
  const moved = (await service.api("PATCH", path, { agent, body })).ok();
  expect(moved.data).toMatchObject({ price_breakdown: { total: 17_000 }, difference: null });
  const property = await service.api("GET", `/v1/admin/properties/${hotel.id}`, { agent });
  expect(property.ok().data).toMatchObject({ room_types: [{ rate_plans: [{}, { discounts }] }] });
});
