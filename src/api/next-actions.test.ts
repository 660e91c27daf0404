import { expect, test } from "bun:test";
import type { QuoteRequest } from "../../engine/core/price/quote.ts";
import { blanksIn, CONSENT } from "../actions/call-parts.ts";
import { ROUTES } from "../app.ts";
import { compile } from "../http/validate.ts";
import {
  bookingActions as bookingActionsAt,
  checkedInActions,
  settledActions,
  undoneActions,
} from "./bookings/actions.ts";
import { BookingBody } from "./bookings/requests.ts";
import { DeskBookingBody } from "./desk/requests.ts";
import { confirmingHoldActions, endedHoldActions, holdActions } from "./holds/actions.ts";
import { quoteRequest } from "./quotes/requests.ts";
import { quoteActions } from "./quotes/shown.ts";
import { searchActions } from "./search/actions.ts";
import { searchRequest } from "./search/requests.ts";

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

test("a search that finds nothing offers the nearest that do, and says what changes", () => {
  const destination = { type: "area", value: "Rome" } as const;
  const stay = { check_in: "2026-12-21", check_out: request.stay.check_out };
  const none = { min_star_rating: null, refundability: null, max_price_per_night: null };
  const constraints = {
    ...{ ...none, bed_type: ["king bed", "twin beds"], amenities: ["pool", "wifi"] },
    ...{ meal_plan: null, cancellation: null },
  };
  const nearest = { stays: [stay], guests: { adults: 1, children: [] }, constraints };
  const wish = { bed_type: "bunk", amenities: ["pool", "wifi", "helipad"] };
  const asked = { ...request, destination, constraints: wish };
  const actions = searchActions({ offers: [], nearest }, asked);
  expect(actions.map(({ rel, changes }) => [rel, changes])).toEqual([
    ["search", ["/stay/check_in"]],
    ["search", ["/guests"]],
    ["search", ["/constraints/bed_type"]],
    ["search", ["/constraints/amenities"]],
    ["search", ["/constraints"]],
    ["search", ["/destination", "/constraints"]],
  ]);
  expect(actions[0]!.body_hint).toMatchObject({ destination, stay });
  expect(actions[1]!.body_hint).toMatchObject({ destination, guests: nearest.guests });
  expect(actions[2]!.body_hint).toMatchObject({ constraints: { ...wish, bed_type: "king bed" } });
  expect(actions[3]!.body_hint).toMatchObject({
    constraints: { ...wish, amenities: ["pool", "wifi"] },
  });
});

test("a search of an unknown place offers itself at similar places", () => {
  const { stay, guests } = request;
  const constraints = { meal_plan: "breakfast" };
  const asked = { stay, guests, constraints, destination: { type: "area", value: "?" } } as const;
  const places = ["Madrid, Spain", "Spain"].map((value) => {
    return { value, name: value, kind: "city", country: "ES", properties: 1 } as const;
  });
  const actions = searchActions({ offers: [], suggestions: places }, asked);
  expect(rels(actions)).toEqual(["get", "search", "search"]);
  actions.slice(1).forEach(({ body_hint, changes }, i) => {
    expect(changes).toEqual(["/destination"]);
    const destination = { type: "area", value: places[i]!.value };
    const value = { destination, stay, guests, constraints };
    expect(searchRequest.read(body_hint, 0)).toEqual({ ok: true, value } as never);
  });
});

test("a search whose constraints exclude all offers itself without them, then anywhere", () => {
  const { stay, guests } = request;
  const constraints = { meal_plan: "breakfast" };
  const destination = { type: "property", value: "h" } as const;
  const misses = [{ alternatives: [{ quote: request, total: 1, currency: "EUR" }] }] as never;
  const found = { offers: [], misses };
  const actions = searchActions(found, { ...request, destination, constraints });
  expect(rels(actions)).toEqual(["search", "search"]);
  expect(actions.map(({ changes }) => changes)).toEqual([
    ["/constraints"],
    ["/destination", "/constraints"],
  ]);
  const bodies = actions.map(({ body_hint }) => searchRequest.read(body_hint, 0));
  expect(bodies).toEqual([
    { ok: true, value: { destination, stay, guests } },
    { ok: true, value: { stay, guests } },
  ]);
  const unbound = searchActions(found, { ...request, destination });
  expect(rels(unbound)).toEqual(["quote", "search"]);
  expect(quoteRequest.read(unbound[0]?.body_hint, 0)).toEqual({ ok: true, value: request });
});

test("a search anywhere without results offers the properties instead of itself", () => {
  const actions = searchActions({ offers: [] }, request);
  expect(actions).toEqual([{ rel: "get", method: "GET", href: "/v1/properties" }]);
});

test("a sellable quote offers its hold, until it expires", () => {
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
      body_hint: { quote_id: "q", idempotency_key: "hold-q-0" },
      expires_at,
    },
  ]);
  // A refusal of the first offer stays under its key.
  const [again] = quoteActions({ ...quote, readAtMs: 5 });
  expect(again?.body_hint?.idempotency_key).toBe("hold-q-5");
});

test("an unsellable quote offers each alternative, then a search elsewhere", () => {
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
  expect(rels(actions)).toEqual(["requote", "requote", "search"]);
  expect(actions.map(({ changes }) => changes)).toEqual([
    undefined,
    ["/room_type_id"],
    ["/destination"],
  ]);
  expect(quoteRequest.read(actions[1]?.body_hint, 0)).toEqual({ ok: true, value: other });
});

test("a quote of the desk that cannot be sold offers others of the desk, to who may", () => {
  const quote = {
    ...{ quote_id: "q", expires_at, sellable: 0, request, alternatives: [request] },
    ...{ hold_ids: [], booking_ids: [], isPaidAtProperty: true },
  };
  const hrefs = (of: Parameters<typeof quoteActions>[0], may: () => boolean) =>
    quoteActions(of, may).map(({ href }) => href);
  const desk = "/v1/admin/bookings/quote";
  expect(hrefs(quote, () => true)).toEqual([desk, "/v1/search"]);
  const ordinary = ["/v1/quotes", "/v1/search"];
  expect(hrefs({ ...quote, isPaidAtProperty: false }, () => true)).toEqual(ordinary);
  const isForAgents = (_method: string, href: string) => !href.startsWith("/v1/admin/");
  expect(quoteActions(quote, isForAgents).map(({ href }) => href)).toEqual(ordinary);
});

test("a held or booked quote offers only its holds and bookings, sellable or not", () => {
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

const OWN = { hold_id: "hld_1", isOwn: true } as const;

test("a hold offers its booking, and one release for each of its doubles", () => {
  const actions = holdActions({
    hold_id: "hld_1",
    quote_id: "q",
    expires_at,
    extensions: 0,
    other_live_holds: ["hld_0"],
    isOwn: true,
  });
  expect(rels(actions)).toEqual(["confirm", "extend", "release", "get", "confirm", "release"]);
  expect(actions[5]?.href).toBe("/v1/holds/hld_0/release");
  expect(actions[5]?.expires_at).toBeUndefined();
});

test("the property's own hold offers its booking at the desk, that of an agent does not", () => {
  const hold = { ...OWN, quote_id: "q", expires_at, extensions: 0 };
  const [confirm] = holdActions(hold, () => true);
  expect(confirm).toMatchObject({ rel: "confirm", href: "/v1/admin/bookings" });
  expect(confirm?.fill_in).toEqual(blanksIn(confirm?.body_hint));
  const paths = compile(DeskBookingBody)(confirm?.body_hint).map(({ path }) => path);
  expect(paths).toEqual(["/guest/primary/email"]);
  const [ofOther] = holdActions({ ...hold, isOwn: false }, () => true);
  expect(ofOther?.href).toBe("/v1/bookings");
});

test("the booking body lacks only the data that the traveler knows", () => {
  const [confirm] = holdActions({ ...OWN, quote_id: "q", expires_at, extensions: 0 });
  const paths = checkBooking(confirm?.body_hint).map(({ path }) => path);
  expect(paths).toEqual(["/guest/primary/email"]);
  expect(confirm?.fill_in?.map(({ path }) => path)).toEqual([
    ...blanksIn(confirm?.body_hint).map(({ path }) => path),
    "X-Delegated-User",
  ]);
});

test("a hold without extensions left offers no extension", () => {
  const hold = { ...OWN, quote_id: "q", expires_at, extensions: 2 };
  expect(rels(holdActions(hold))).toEqual(["confirm", "release", "get", "confirm"]);
  const ofOther = holdActions({ ...hold, isOwn: false });
  expect(rels(ofOther)).toEqual(["confirm", "release", "get"]);
});

test("an ended hold offers a quote for the same stay", () => {
  const [quote, search] = endedHoldActions(request);
  expect(quoteRequest.read(quote?.body_hint, 0)).toEqual({ ok: true, value: request });
  expect(search?.rel).toBe("search");
});

const fees = {
  tiers: [{ until_ms: 1_000, fee: 0 }],
  ...{ after: 400, no_show: 1_000, anchor_ms: 2_000, anchor: "1970-01-01T00:00:02Z" },
};
const quote = { fees, due_now: 1_000, currency: "EUR" };

test("only a confirmed booking offers its cancellation", () => {
  const booking_id = "bkg_1";
  const bookingActions = (booking: Omit<Parameters<typeof bookingActionsAt>[0], "quote">) =>
    bookingActionsAt({ ...booking, quote }, 0);
  const read = ["get", "get_audit"];
  expect(rels(bookingActions({ booking_id, state: "confirmed" }))).toEqual([...read, "cancel"]);
  expect(rels(bookingActions({ booking_id, state: "cancelled" }))).toEqual(read);
  const cancellation = { refund_id: "rfd_1" };
  const refunded = bookingActions({ booking_id, state: "cancelled", cancellation });
  expect(rels(refunded)).toEqual([...read, "get_refund"]);
});

test("a cancellation is offered with its cost, and after its preview if it costs money", () => {
  const booking = { booking_id: "bkg_1", state: "confirmed", quote };
  const free = bookingActionsAt(booking, 999).at(-1);
  const euros = (amount: number) => ({ amount, currency: "EUR" });
  expect(free).toEqual({
    ...{ rel: "cancel", method: "POST", href: "/v1/bookings/bkg_1/cancel" },
    body_hint: { idempotency_key: "cancel-bkg_1-999" },
    fill_in: [CONSENT],
    cost: { fee: euros(0), refund: euros(1_000), until: "1970-01-01T00:00:01.000Z" },
  });
  const late = bookingActionsAt(booking, 1_000);
  expect(late.at(-2)?.href).toBe("/v1/bookings/bkg_1/cancellation-quote");
  expect(late.at(-1)?.cost).toEqual({
    ...{ fee: euros(400), refund: euros(600) },
    until: "1970-01-01T00:00:02.000Z",
  });
  const noShow = bookingActionsAt(booking, 2_000).at(-1);
  expect(noShow?.cost).toEqual({ fee: euros(1_000), refund: euros(0), until: null });
});

test("a cancellation offers its refund if there is one", () => {
  const actions = settledActions({ booking_id: "bkg_1", refund_id: "rfd_1" });
  expect(actions.at(-1)).toEqual({
    rel: "get_refund",
    method: "GET",
    href: "/v1/bookings/bkg_1/refunds/rfd_1",
  });
  const none = settledActions({ booking_id: "bkg_1", refund_id: null });
  expect(rels(none)).toEqual(["get", "get_audit"]);
});

const CAME = {
  ...({ booking_id: "bkg_1", state: "checked_in" } as const),
  checked_in_at: "1970-01-01T00:00:01.000Z",
};
const UNDONE = {
  ...({ booking_id: "bkg_1", state: "confirmed" } as const),
  undone_at: "1970-01-01T00:00:02.000Z",
};

test("a check-in offers its undo until then, and the undo the check-in", () => {
  const until = "1970-01-02T00:00:00.000Z";
  expect(checkedInActions({ ...CAME, undo_until: until }).at(-1)).toEqual({
    ...{ rel: "cancel", method: "POST", href: "/v1/admin/bookings/bkg_1/undo-check-in" },
    body_hint: { idempotency_key: "undo-check-in-bkg_1-1000" },
    expires_at: until,
  });
  expect(undoneActions(UNDONE).at(-1)).toEqual({
    ...{ rel: "confirm", method: "POST", href: "/v1/admin/bookings/bkg_1/check-in" },
    body_hint: { idempotency_key: "check-in-bkg_1-2000" },
  });
  expect(rels(checkedInActions(CAME))).toEqual(["get", "get_audit"]);
});

test("an offered call names the route with its id", () => {
  const asked: string[] = [];
  const may = (method: string, href: string, id?: string) => {
    expect(ROUTES.match(method, href)?.id).toBe(id ?? "an id");
    asked.push(id!);
    return true;
  };
  const booking = { booking_id: "bkg_1", state: "confirmed", quote };
  const other_live_holds = ["hld_0"];
  holdActions({ ...OWN, quote_id: "q", expires_at, extensions: 0, other_live_holds }, may);
  confirmingHoldActions("hld_1", may);
  bookingActionsAt(booking, 1_500, may);
  const cancelled = { state: "cancelled", cancellation: { refund_id: "rfd_1" } };
  bookingActionsAt({ ...booking, ...cancelled }, 0, may);
  checkedInActions({ ...CAME, undo_until: "1970-01-02T00:00:00.000Z" }, may);
  undoneActions(UNDONE, may);
  expect(asked.length).toBe(8 + 1 + 5 + 3 + 3 + 3);
});

test("the desk is offered its own cancellation, which needs no traveler's token", () => {
  const actions = bookingActionsAt(
    { booking_id: "bkg_1", state: "confirmed", quote },
    0,
    () => true,
  );
  const cancel = actions.find(({ rel }) => rel === "cancel");
  expect(cancel).toMatchObject({ href: "/v1/admin/bookings/bkg_1/cancel" });
  expect(cancel?.fill_in?.map(({ path }) => path)).toEqual(["/reason"]);
});

test("a call outside the caller's scopes is not offered", () => {
  const may = (_method: string, href: string) => !href.endsWith("/cancel");
  const actions = bookingActionsAt({ booking_id: "bkg_1", state: "confirmed", quote }, 0, may);
  expect(rels(actions)).toEqual(["get", "get_audit"]);
});
