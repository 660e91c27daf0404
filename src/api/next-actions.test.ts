import { expect, test } from "bun:test";
import type { QuoteRequest } from "../../engine/core/quote.ts";
import { ROUTES } from "../app.ts";
import { compile } from "../http/validate.ts";
import { bookingActions, settledActions } from "./bookings/actions.ts";
import { BookingBody } from "./bookings/schemas.ts";
import { confirmingHoldActions, endedHoldActions, holdActions } from "./holds/actions.ts";
import { quoteActions } from "./quotes/actions.ts";
import { quoteRequest } from "./quotes/schemas.ts";
import { searchActions } from "./search/actions.ts";
import { searchRequest } from "./search/schemas.ts";

const checkBooking = compile(BookingBody);

const expires_at = "2026-12-01T10:15:00.000Z";
const request: QuoteRequest = {
  hotel_id: "h",
  room_type_id: "r",
  rate_plan_id: "p",
  stay: { check_in: "2026-12-20", check_out: "2026-12-23" },
  guests: { adults: 2, children: [{ age: 4 }] },
};
const rels = (actions: readonly { rel: string }[]) => actions.map(({ rel }) => rel);

test("a search offers complete quotes of at most five results", () => {
  const actions = searchActions({ offers: new Array(7).fill(request) }, request);
  expect(rels(actions)).toEqual(new Array(5).fill("quote"));
  for (const { body_hint } of actions)
    expect(quoteRequest.read(body_hint, 0)).toEqual({ ok: true, value: request });
});

test("a search without results offers the same stay anywhere", () => {
  const destination = { type: "area", value: "Madrid" } as const;
  const [wider, ...rest] = searchActions({ offers: [] }, { ...request, destination });
  expect(rest).toEqual([]);
  const { stay, guests } = request;
  const parsed = searchRequest.read(wider?.body_hint, 0);
  expect(parsed).toEqual({ ok: true, value: { stay, guests } });
});

test("a search of an unknown place offers itself at the places that may be meant", () => {
  const { stay, guests } = request;
  const constraints = { meal_plan: "breakfast" };
  const asked = { stay, guests, constraints, destination: { type: "area", value: "?" } } as const;
  const places = ["Madrid, Spain", "Spain"].map((value) => {
    return { value, name: value, kind: "city", country: "ES", properties: 1 } as const;
  });
  const actions = searchActions({ offers: [], suggestions: places }, asked);
  expect(rels(actions)).toEqual(["search", "search"]);
  actions.forEach(({ body_hint }, i) => {
    const destination = { type: "area", value: places[i]!.value };
    const value = { destination, stay, guests, constraints };
    expect(searchRequest.read(body_hint, 0)).toEqual({ ok: true, value } as never);
  });
});

test("a search that its constraints leave without results offers itself without them, then anywhere", () => {
  const { stay, guests } = request;
  const constraints = { meal_plan: "breakfast" };
  const destination = { type: "property", value: "h" } as const;
  const misses = [{ alternatives: [{ quote: request, total: 1, currency: "EUR" }] }] as never;
  const found = { offers: [], misses };
  const actions = searchActions(found, { ...request, destination, constraints });
  expect(rels(actions)).toEqual(["search", "search"]);
  const bodies = actions.map(({ body_hint }) => searchRequest.read(body_hint, 0));
  expect(bodies).toEqual([
    { ok: true, value: { destination, stay, guests } },
    { ok: true, value: { stay, guests } },
  ]);
  const unbound = searchActions(found, { ...request, destination });
  expect(rels(unbound)).toEqual(["quote", "search"]);
  expect(quoteRequest.read(unbound[0]?.body_hint, 0)).toEqual({ ok: true, value: request });
});

test("a search at large without results does not offer itself, but what there is", () => {
  const actions = searchActions({ offers: [] }, request);
  expect(actions).toEqual([{ rel: "get", method: "GET", href: "/v1/properties" }]);
});

test("a quote that can be sold offers its hold, until it expires", () => {
  const quote = {
    quote_id: "q",
    expires_at,
    sellable: 1,
    request,
    alternatives: [request],
    hold_ids: [],
    booking_ids: [],
  };
  expect(quoteActions(quote)).toEqual([
    {
      rel: "create_hold",
      method: "POST",
      href: "/v1/holds",
      body_hint: { quote_id: "q" },
      expires_at,
    },
  ]);
});

test("a quote that cannot be sold offers a search and each alternative", () => {
  const other = { ...request, room_type_id: "r2" };
  const quote = {
    quote_id: "q",
    expires_at,
    sellable: 0,
    request,
    alternatives: [request, other],
    hold_ids: [],
    booking_ids: [],
  };
  const actions = quoteActions(quote);
  expect(rels(actions)).toEqual(["search", "requote", "requote"]);
  expect(quoteRequest.read(actions[2]?.body_hint, 0)).toEqual({ ok: true, value: other });
});

test("a quote that is held or booked leads there alone, whether a second room is left or none", () => {
  const stands = { hold_ids: ["h2", "h1"], booking_ids: ["b1"] };
  const held = { request, alternatives: [request], ...stands };
  for (const sellable of [0, 1]) {
    expect(quoteActions({ quote_id: "q", expires_at, sellable, ...held })).toEqual([
      { rel: "get", method: "GET", href: "/v1/holds/h2" },
      { rel: "get", method: "GET", href: "/v1/holds/h1" },
      { rel: "get", method: "GET", href: "/v1/bookings/b1" },
    ]);
  }
});

test("a hold offers its booking, and one release for each of its doubles", () => {
  const actions = holdActions({
    hold_id: "hld_1",
    quote_id: "q",
    expires_at,
    other_live_holds: ["hld_0"],
  });
  expect(rels(actions)).toEqual(["confirm", "extend", "release", "get", "release"]);
  expect(actions[4]?.href).toBe("/v1/holds/hld_0/release");
  expect(actions[4]?.expires_at).toBeUndefined();
});

test("the booking body lacks nothing but what the traveler knows", () => {
  const [confirm] = holdActions({ hold_id: "hld_1", quote_id: "q", expires_at });
  const paths = checkBooking(confirm?.body_hint).map(({ path }) => path);
  expect(paths).toEqual(["/guest/primary/email"]);
});

test("a hold without extensions left offers none", () => {
  const hold = { hold_id: "hld_1", quote_id: "q", expires_at, may_extend: false };
  expect(rels(holdActions(hold))).toEqual(["confirm", "release", "get"]);
});

test("an ended hold offers a quote for the same stay", () => {
  const [quote, search] = endedHoldActions(request);
  expect(quoteRequest.read(quote?.body_hint, 0)).toEqual({ ok: true, value: request });
  expect(search?.rel).toBe("search");
});

test("only a confirmed booking offers its cancellation", () => {
  const booking_id = "bkg_1";
  const read = ["get", "get_audit"];
  expect(rels(bookingActions({ booking_id, state: "confirmed" }))).toEqual([...read, "cancel"]);
  expect(rels(bookingActions({ booking_id, state: "cancelled" }))).toEqual(read);
  const cancellation = { refund_id: "rfd_1" };
  const refunded = bookingActions({ booking_id, state: "cancelled", cancellation });
  expect(rels(refunded)).toEqual([...read, "get_refund"]);
});

test("a cancellation offers its refund when there is one", () => {
  const actions = settledActions({ booking_id: "bkg_1", refund_id: "rfd_1" });
  expect(actions.at(-1)).toEqual({
    rel: "get_refund",
    method: "GET",
    href: "/v1/bookings/bkg_1/refunds/rfd_1",
  });
  const none = settledActions({ booking_id: "bkg_1", refund_id: null });
  expect(rels(none)).toEqual(["get", "get_audit"]);
});

test("a call that is offered by the id of its route is a call of that route", () => {
  const asked: string[] = [];
  const may = (method: string, href: string, id?: string) => {
    expect(ROUTES.match(method, href)?.id).toBe(id ?? "an id");
    asked.push(id!);
    return true;
  };
  const booking = { booking_id: "bkg_1", state: "confirmed" };
  const hold = { hold_id: "hld_1", quote_id: "q", expires_at, other_live_holds: ["hld_0"] };
  holdActions(hold, may);
  confirmingHoldActions("hld_1", may);
  bookingActions(booking, may);
  bookingActions({ ...booking, state: "cancelled", cancellation: { refund_id: "rfd_1" } }, may);
  expect(asked.length).toBe(5 + 1 + 3 + 3);
});

test("a call outside the caller's scopes is not offered", () => {
  const may = (_method: string, href: string) => !href.endsWith("/cancel");
  const actions = bookingActions({ booking_id: "bkg_1", state: "confirmed" }, may);
  expect(rels(actions)).toEqual(["get", "get_audit"]);
});
