/**
 * Goal: each invalid input is reported completely, in the contract's form and without its values.
 * Method: one valid body per route; each case changes it and names exactly the paths that must be
 * reported.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  bookingBody,
  createHotel,
  dateIn,
  type Hotel,
  newKey,
  stayRequest,
} from "../support/client.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";

/** Stands for whatever a client may send by mistake: no answer may repeat it. */
const SECRET = "do-not-repeat-me";

let service: Service;
let hotel: Hotel;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await Service.start(WHOLE_DEMO);
  hotel = await createHotel(service);
  headers = { "x-delegated-user": await service.mintDelegation() };
});
afterAll(() => service.stop());

function send(path: string, body: unknown) {
  const { agent, admin } = service.demo;
  const caller = path.startsWith("/v1/admin") ? admin : agent;
  const method = path.endsWith("/ari") || path.endsWith("/fx") ? "PUT" : "POST";
  return service.api(method, path, {
    agent: caller,
    headers: { ...headers, "idempotency-key": newKey() },
    body,
  });
}

type Faults = readonly string[];

/** Sends each body and expects exactly the faults beside it. */
async function expectFaults(path: string, cases: readonly (readonly [unknown, Faults])[]) {
  for (const [body, paths] of cases) {
    const answer = await send(path, body);
    const shown = JSON.stringify(body)?.slice(0, 200);
    expect({ shown, faults: answer.faults() }).toEqual({ shown, faults: [...paths].sort() });
    expect(answer.text).not.toContain(SECRET);
  }
}

const NESTED = { a: SECRET };

test("a quote request gets all its faults at once", async () => {
  const good = stayRequest(hotel);
  const { check_in } = good.stay;
  const ALL = [
    ...["/guests/adults", "/hotel_id", "/rate_plan_id", "/room_type_id"],
    ...["/stay/check_in", "/stay/check_out"],
  ];
  const stay = (out: unknown, from: unknown = check_in) => ({
    ...good,
    stay: { check_in: from, check_out: out },
  });
  const adults = (count: unknown) => ({ ...good, guests: { adults: count } });
  const child = (age: unknown) => ({
    ...good,
    guests: { adults: 2, children: [{ age: 3 }, { age }] },
  });
  const IN = "/stay/check_in";
  const OUT = "/stay/check_out";
  await expectFaults("/v1/quotes", [
    [{}, ALL],
    [[], [""]],
    [null, [""]],
    ["text", [""]],
    ...[0, 21, 2.5, "2", null, true, [2], SECRET].map(
      (n) => [adults(n), ["/guests/adults"]] as const,
    ),
    ...[-1, 18, 1.5, "3", SECRET].map((age) => [child(age), ["/guests/children/1/age"]] as const),
    [{ ...good, guests: { adults: 2, children: 1 } }, ["/guests/children"]],
    [
      { ...good, guests: { adults: 2, children: Array(21).fill({ age: 1 }) } },
      ["/guests/children"],
    ],
    [{ ...good, guests: { adults: 2, pets: SECRET } }, ["/guests/pets"]],
    [{ ...good, extra: SECRET, more: 1 }, ["/extra", "/more"]],
    [stay("2027-02-30"), [OUT]],
    [stay("2027-13-01"), [OUT]],
    [stay("20271201"), [OUT]],
    [stay(SECRET), [OUT]],
    [stay(20271201), [OUT]],
    [stay(check_in), [OUT]],
    [stay(dateIn(29)), [OUT]],
    [stay(dateIn(30 + 91)), [OUT]],
    [stay(dateIn(-1), dateIn(-3)), [IN]],
    [stay(dateIn(735), dateIn(732)), [OUT]],
    [stay("2027-02-30", "2027-02-31"), [IN, OUT]],
    [{ ...good, hotel_id: 7, room_type_id: "", rate_plan_id: NESTED }, ALL.slice(1, 4)],
    [
      {
        hotel_id: null,
        stay: { check_in: "x", nights: 2 },
        guests: { adults: "2", children: [{}] },
      },
      [
        ...["/hotel_id", "/room_type_id", "/rate_plan_id", IN, OUT, "/stay/nights"],
        ...["/guests/adults", "/guests/children/0/age"],
      ],
    ],
  ]);
  expect((await send("/v1/quotes?currency=usd", { ...good, guests: {} })).faults()).toEqual([
    "/guests/adults",
    "?currency",
  ]);
  (await send("/v1/quotes", stay(dateIn(30 + 90)))).ok(201);
});

test("a search gets its faults in either form, and a mixture is refused", async () => {
  const { stay, guests } = stayRequest(hotel);
  const area = { type: "area", value: "Paris" };
  const price = (max_price_per_night: unknown) => ({
    ...{ stay, guests },
    constraints: { max_price_per_night },
  });
  const PRICE = "/constraints/max_price_per_night";
  await expectFaults("/v1/search", [
    [{}, ["/guests/adults", "/stay/check_in", "/stay/check_out"]],
    [{ ...stay, guests, stay }, ["/stay"]],
    [{ ...stay, guests, destination: area }, ["/destination"]],
    [{ stay, guests, destination: "Paris" }, ["/destination"]],
    [{ guests, check_in: stay.check_in }, ["/check_out"]],
    [{ guests, check_in: dateIn(-2), check_out: dateIn(3) }, ["/check_in"]],
    [{ guests, check_in: stay.check_out, check_out: stay.check_in }, ["/check_out"]],
    [{ stay, guests, destination: { type: "city", value: SECRET } }, ["/destination/type"]],
    [{ stay, guests, destination: { type: "area" } }, ["/destination/value"]],
    [price({ amount: 1 }), [`${PRICE}/currency`]],
    [price({ amount: "1", currency: "eur" }), [`${PRICE}/amount`, `${PRICE}/currency`]],
    [price({ amount: -1, currency: "EUR" }), [`${PRICE}/amount`]],
    [{ stay, guests, constraints: { stars: 5 } }, ["/constraints/stars"]],
    [{ stay, guests, limit: 5, page: 2 }, ["/limit", "/page"]],
  ]);
});

test("faults of the query, the key and a missing body are reported together", async () => {
  const toldBy = async (path: string, more = {}) => {
    const answer = await service.api("POST", path, { headers: { ...headers, ...more } });
    return answer.faults();
  };
  expect(await toldBy("/v1/quotes?x=1")).toEqual(["", "?x"]);
  expect(await toldBy("/v1/holds?x=1")).toEqual(["", "?x", "Idempotency-Key"]);
  expect(await toldBy("/v1/bookings", { "idempotency-key": "é".repeat(300) })).toHaveLength(2);
});

test("a refusal for a property named by slug has its id and next actions with the id", async () => {
  for (const part of ["room_type_id", "rate_plan_id"] as const) {
    const body = { ...stayRequest(hotel), hotel_id: hotel.slug, [part]: crypto.randomUUID() };
    const answer = await send("/v1/quotes", body);
    const code = part === "room_type_id" ? "room_type_not_found" : "rate_plan_not_found";
    expect(answer.refused(code).detail).toMatchObject({ property_id: hotel.id });
    expect(answer.text).not.toContain(hotel.slug);
  }
});

test("an instant of a day that does not exist is no instant", async () => {
  for (const at of ["2026-02-30T10:00:00Z", "2026-13-01T10:00:00Z", "2026-02-28T25:00:00Z", "x"]) {
    const path = `/v1/bookings/bkg_x/cancellation-quote?at=${at}`;
    expect((await service.api("GET", path)).faults()).toEqual(["?at"]);
  }
});

test("a booking request gets all its faults at once", async () => {
  const good = bookingBody({ hold_id: "hld_x", quote_id: "qt_x" });
  const primary = (over: object) => ({
    ...good,
    guest: { primary: { ...good.guest.primary, ...over } },
  });
  const payment = (over: object) => ({ ...good, payment: { ...good.payment, ...over } });
  const long = SECRET.repeat(150);
  const AT = "/guest/primary";
  await expectFaults("/v1/bookings", [
    [
      {},
      [
        ...["/guest/primary/email", "/guest/primary/full_name", "/hold_id"],
        ...["/payment/method", "/payment/provider_token", "/quote_id"],
      ],
    ],
    ...["", long, 5, null].map(
      (name) => [primary({ full_name: name }), [`${AT}/full_name`]] as const,
    ),
    ...["", SECRET, "a@b", "a b@c.de", 5].map(
      (email) => [primary({ email }), [`${AT}/email`]] as const,
    ),
    ...["123", long, 5].map((phone) => [primary({ phone }), [`${AT}/phone`]] as const),
    [primary({ title: SECRET }), [`${AT}/title`]],
    [{ ...good, guest: { ...good.guest, additional: [{}] } }, ["/guest/additional/0/full_name"]],
    [{ ...good, guest: { ...good.guest, additional: {} } }, ["/guest/additional"]],
    [payment({ method: "", provider_token: "" }), ["/payment/method", "/payment/provider_token"]],
    [payment({ provider_token: long }), ["/payment/provider_token"]],
    [payment({ billing_country: "ESP" }), ["/payment/billing_country"]],
    [payment({ card_number: SECRET }), ["/payment/card_number"]],
    [{ ...good, special_requests: long }, ["/special_requests"]],
    [{ ...good, authorization_id: 5 }, ["/authorization_id"]],
    [{ ...good, hold_id: 1, quote_id: {}, status: SECRET }, ["/hold_id", "/quote_id", "/status"]],
  ]);
  (await send("/v1/bookings", good)).refused("hold_not_found");
});

test("the small bodies are closed too", async () => {
  await expectFaults("/v1/holds", [
    [{}, ["/quote_id"]],
    [{ quote_id: 5 }, ["/quote_id"]],
    [{ quote_id: "" }, ["/quote_id"]],
    [{ quote_id: "qt_x", hold_id: SECRET }, ["/hold_id"]],
  ]);
  for (const verb of ["extend", "release"]) {
    await expectFaults(`/v1/holds/hld_x/${verb}`, [
      [{ seconds: 5 }, ["/seconds"]],
      [[], [""]],
    ]);
  }
  await expectFaults("/v1/bookings/bkg_x/cancel", [
    [{ reason: SECRET }, ["/reason"]],
    [{ reason_code: "", note: 5 }, ["/note", "/reason_code"]],
  ]);
  await expectFaults("/v1/receipts/verify", [
    [{}, ["/issued_at", "/issuer", "/kind", "/signature", "/subject"]],
    [
      { kind: SECRET, subject: { a: NESTED }, issued_at: 5, issuer: "i", signature: "" },
      ["/issued_at", "/kind", "/signature", "/subject/a"],
    ],
  ]);
});

test("faults of operators' bodies are reported down to the line", async () => {
  const room_type_id = hotel.rooms[0]!.id;
  const range = { room_type_id, from: dateIn(1), to: dateIn(2) };
  const ari = `/v1/admin/properties/${hotel.id}/ari`;
  await expectFaults(ari, [
    [{ inventory: [{ ...range, capacity: -1 }] }, ["/inventory/0/capacity"]],
    [{ inventory: [range, { ...range, to: dateIn(0) }] }, ["/inventory/1/to"]],
    [{ inventory: [{ ...range, days_of_week: ["mo"] }] }, ["/inventory/0/days_of_week/0"]],
    [{ rates: [{ rate_plan_id: "p", from: "x", to: "2027-02-30" }] }, ["/rates/0/from"]],
    [{ ceilings: [range] }, ["/ceilings/0/ceiling"]],
    [{ restrictions: [{ ...range, room_type_id: SECRET }] }, ["/restrictions/0/room_type_id"]],
    [{ prices: [] }, ["/prices"]],
  ]);
  await expectFaults("/v1/admin/fx", [
    [{ base: "eur", rates: { USD: 1.08 } }, ["/base", "/rates/USD"]],
    [{ base: "EUR", rates: { usd: "1" } }, ["/rates/usd"]],
    [{ base: "EUR", rates: { USD: "0.00" } }, ["/rates/USD"]],
  ]);
  await expectFaults(`/v1/admin/properties/${hotel.id}/promote`, [
    [{ dry_run: "yes" }, ["/dry_run"]],
    [{ force: true }, ["/force"]],
  ]);
  await expectFaults("/v1/admin/properties", [
    [
      { slug: "Big Hotel", name: "", address: { city: "X", country: "ESP" }, room_types: [{}] },
      [
        ...["/slug", "/name", "/address/line1", "/address/country", "/default_currency"],
        ...["/timezone", "/room_types/0/code", "/room_types/0/name"],
        ...["/room_types/0/max_occupancy", "/room_types/0/default_inventory"],
      ],
    ],
  ]);
});

test("what is past or too far is judged in the property's own time zone", async () => {
  for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Madrid"]) {
    const there = await createHotel(service, { timezone });
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone }).format(Date.now());
    const from = Date.parse(today);
    const body = (day: number) => ({
      ...stayRequest(there),
      stay: { check_in: dateIn(day, from), check_out: dateIn(day + 1, from) },
    });
    (await send("/v1/quotes", body(0))).ok(201);
    expect((await send("/v1/quotes", body(-1))).faults()).toEqual(["/stay/check_in"]);
    (await send("/v1/quotes", body(730))).ok(201);
    expect((await send("/v1/quotes", body(731))).faults()).toEqual(["/stay/check_out"]);
  }
});

test("every quote that search offers is given, from today to the horizon in any zone", async () => {
  const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Madrid"];
  const there = await Promise.all(zones.map((timezone) => createHotel(service, { timezone })));
  const offered = new Set<number>();
  for (const day of [-1, 0, 1, 728, 729, 730, 731, 732]) {
    const stay = { check_in: dateIn(day), check_out: dateIn(day + 1) };
    for (const { id } of there) {
      const destination = { type: "property", value: id };
      const found = await send("/v1/search", { destination, stay, guests: { adults: 2 } });
      // A day that is over everywhere is no search at all.
      if (found.status === 400) continue;
      const quotes = found.ok().next_actions.filter(({ rel }) => rel === "quote");
      for (const { href, body_hint } of quotes) {
        (await send(href, body_hint)).ok(201);
        offered.add(day);
      }
    }
  }
  expect([...offered]).toContain(0);
  expect([...offered]).toContain(730);
  expect([...offered]).not.toContain(732);
});

test("a key is required on holds and bookings, a malformed one refused everywhere", async () => {
  const { agent } = service.demo;
  const post = (path: string, key: string | null, body: object) =>
    service.api("POST", path, {
      agent,
      headers: { ...headers, ...(key === null ? {} : { "idempotency-key": key }) },
      body,
    });
  const hold = { quote_id: "qt_x" };
  expect((await post("/v1/holds", null, hold)).faults()).toEqual(["Idempotency-Key"]);
  expect((await post("/v1/holds", null, {})).faults()).toEqual(["/quote_id", "Idempotency-Key"]);
  const booking = bookingBody({ hold_id: "hld_x", quote_id: "qt_x" });
  expect((await post("/v1/bookings", null, booking)).faults()).toEqual(["Idempotency-Key"]);
  for (const key of ["two words", "k".repeat(256), '"open', 'a"b" c', "é", '""']) {
    expect((await post("/v1/holds", key, hold)).faults()).toEqual(["Idempotency-Key"]);
    expect((await post("/v1/holds/hld_x/release", key, {})).faults()).toEqual(["Idempotency-Key"]);
  }
  for (const idempotency_key of [5, null, "", "two words", {}]) {
    const answer = await post("/v1/holds", null, { ...hold, idempotency_key });
    expect(answer.faults()).toEqual(["/idempotency_key"]);
  }
  const differing = await post("/v1/holds", "one", { ...hold, idempotency_key: "two" });
  expect(differing.faults()).toEqual(["Idempotency-Key"]);
  for (const key of ["k", '"k"', "k".repeat(255)]) {
    (await post("/v1/holds", key, hold)).refused("quote_not_found");
  }
});
