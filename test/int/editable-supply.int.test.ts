/**
 * Goal: a hotel goes on sale from nothing despite five mistakes, each repaired by the next actions
 * of the answer before, and can then be changed, dry-run, taken off sale and deleted. Method: the
 * walker sends the bodies of `mending` and fills in their blanks from a table of facts about the
 * hotel.
 */
import { expect, test } from "bun:test";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import type { Answer } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  type Hold,
  newHold,
  newKey,
  newQuote,
  propertyBody,
  type Quote,
  sendBooking,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { follow, hotelKnows } from "../support/follow.ts";
import { offered } from "../support/literal.ts";
import { WHOLE_DEMO } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile({ ...WHOLE_DEMO, API_PROCESSES: "2" });

const PROPERTIES = "/v1/admin/properties";
const agent = () => service.demo.admin;
const send = (method: string, path: string, body?: object, headers: object = {}) =>
  service.api(method, path, {
    agent: agent(),
    headers: { ...(method === "GET" ? {} : { "idempotency-key": newKey() }), ...headers },
    ...(body && { body }),
  });

/** What is wrong, and what a field error asks for: the one thing that no hint can carry whole. */
type Draft = Record<string, unknown> & {
  id?: string;
  room_types: { rate_plans: { currency: string }[] }[];
};

/** Mends the property with the ready bodies of each answer until it is on sale; how it went. */
async function walked(first: Answer, body: Draft): Promise<string[]> {
  const path = `${PROPERTIES}/${body.id}`;
  const trail: string[] = [];
  let answer = first;
  let at = "POST";
  for (let step = 0; step < 6; step += 1) {
    const { data, error } = answer.json as {
      data?: { state: string; mending?: Mending };
      error?: { code: string; detail: { field_errors?: { path: string }[]; mending?: Mending } };
    };
    trail.push(`${at} ${error?.code ?? data?.state}`);
    if (data?.state === "live") return trail;
    const { patch } = data?.mending ?? error?.detail.mending ?? {};
    for (const { path } of error?.detail.field_errors ?? []) mend(body, path);
    const isRefused = error !== undefined && patch === undefined;
    at = patch ? "PATCH" : "POST";
    if (isRefused) answer = await send("POST", PROPERTIES, body);
    else if (patch) answer = await send("PATCH", path, hotelKnows(patch));
    else answer = await send("POST", `${path}/promote`, {});
  }
  throw new Error(trail.join(" → "));
}

interface Mending {
  readonly patch?: Readonly<Record<string, unknown>>;
  readonly ari?: object;
}

/** What the caller knows of the field that is named. */
function mend(body: Draft, path: string): void {
  const last = path.split("/").at(-1);
  if (last !== "currency") throw new Error(`nobody knows ${path}`);
  for (const room of body.room_types) for (const plan of room.rate_plans) plan.currency = "EUR";
}

function draft(change: (body: Draft) => void = () => {}): Draft {
  const body = propertyBody() as unknown as Draft;
  change(body);
  return body;
}

const inPlans = (currency: string) => (body: Draft) => {
  for (const room of body.room_types) for (const plan of room.rate_plans) plan.currency = currency;
};

test.each([
  [
    "missing geo",
    (body: Draft) => void Object.assign(body, { geo: null }),
    ["POST draft", "PATCH draft"],
  ],
  ["a plan in another currency", inPlans("USD"), ["POST draft", "PATCH draft"]],
  ["a currency that is none", inPlans("EURO"), ["POST validation_failed", "POST draft"]],
  [
    "a plan without policy",
    (body: Draft) => void Object.assign(body, { policies: [] }),
    ["POST draft", "PATCH draft"],
  ],
  [
    "a bad phone",
    (body: Draft) => void Object.assign(body, { phone: "93 123" }),
    ["POST draft", "PATCH draft"],
  ],
  ["all of them", allAtOnce, ["POST draft", "PATCH draft"]],
])("%s leads by ready bodies to a property on sale", async (_name, change, steps) => {
  const body = draft(change);
  const first = await send("POST", PROPERTIES, body);
  expect(await walked(first, body)).toEqual([...steps, "POST live"]);
});

function allAtOnce(body: Draft): void {
  inPlans("USD")(body);
  Object.assign(body, { geo: null, policies: [], phone: "0" });
}

test("a slug that is taken leads to the property that has it, and to one under a free slug", async () => {
  const { id, slug } = await createHotel(service);
  const body = draft((each) => void Object.assign(each, { slug }));
  const refused = await send("POST", PROPERTIES, body);
  refused.refused("conflict");
  const [read, retry] = offered(refused);
  expect(read?.href).toBe(`${PROPERTIES}/${id}`);
  expect(retry).toMatchObject({ rel: "retry", href: PROPERTIES, changes: ["/slug"] });
  (await follow(service, retry!, agent())).ok(201);
});

test("a refused promotion names its remedies, as the creation did", async () => {
  const body = draft((each) => void Object.assign(each, { geo: null }));
  const made = await send("POST", PROPERTIES, body);
  const refused = await send("POST", `${PROPERTIES}/${body.id}/promote`, {});
  const { mending } = made.ok<{ mending: Mending }>(201).data;
  expect(refused.refused("property_not_promotable").detail.mending).toEqual(mending);
  expect(await walked(refused, body)).toEqual([
    ...["POST property_not_promotable", "PATCH draft", "POST live"],
  ]);
});

test("a property can be read, sent back and merged without a lost update", async () => {
  const { id } = await createHotel(service);
  const path = `${PROPERTIES}/${id}`;
  const read = (await send("GET", path)).ok<Record<string, unknown> & { version: number }>().data;
  const same = (await send("PUT", path, read)).ok<{ changed: boolean; seq: null }>().data;
  expect(same).toMatchObject({ changed: false, seq: null, version: read.version });
  const tried = (await send("PATCH", path, { name: "Tried", dry_run: true })).ok().data;
  expect(tried).toMatchObject({ dry_run: true, changed: true, version: read.version + 1 });
  const name = "By the sea";
  const merged = { "content-type": "application/merge-patch+json" };
  const written = await Promise.all([
    ...Array.from({ length: 31 }, (_, i) => send("PATCH", path, { number_of_rooms: i + 1 })),
    send("PATCH", path, { name }, merged),
  ]);
  expect(written.map(({ status }) => status)).toEqual(Array(32).fill(200));
  const now = (await send("GET", path)).ok<{ version: number; name: string }>().data;
  expect(now).toMatchObject({ version: read.version + 32, name });
  const stale = await send("PUT", path, { ...read, name: "Lost" });
  stale.refused("conflict");
  const seen = { "if-match": `"${read.version}"` };
  const { detail } = (await send("PATCH", path, { name: "Lost" }, seen)).refused("conflict");
  expect(detail).toMatchObject({ reason: "version_mismatch", version: now.version });
  expect((await send("PUT", path, { ...read, mode: "test" })).status).toBe(400);
});

test("a version is the tag that a change names, and a client that has it is sent no body", async () => {
  const { id } = await createHotel(service);
  const path = `${PROPERTIES}/${id}`;
  const first = await send("GET", path);
  const etag = first.headers.get("etag")!;
  const { version } = first.ok<{ version: number }>().data;
  expect(etag).toBe(`"${version}"`);
  const same = await send("GET", path, undefined, { "if-none-match": etag });
  expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", etag]);
  (await send("PATCH", path, { name: "Newer" }, { "if-match": etag })).ok();
  const newer = await send("GET", path, undefined, { "if-none-match": etag });
  expect([newer.status, newer.headers.get("etag")]).toEqual([200, `"${version + 1}"`]);
  const zero = { "if-match": `"0${version + 1}"` };
  (await send("PATCH", path, { name: "Lost" }, zero)).refused("validation_failed");
});

test("a dry-run import reports the result of each line and creates nothing", async () => {
  const { slug: taken } = await createHotel(service);
  const [one, two] = [draft(), draft()];
  const lines = [one, { ...two, slug: taken }, { ...two, slug: one.slug }, { ...two, geo: 1 }, two];
  const asked = {
    ...{ agent: agent(), raw: lines.map((line) => JSON.stringify(line)).join("\n") },
    headers: { "content-type": "application/x-ndjson", "idempotency-key": newKey() },
  };
  const path = `${PROPERTIES}/import`;
  const tried = (await service.api("POST", `${path}?dry_run=true`, asked)).ok().data;
  const clash = { code: "conflict", detail: { reason: "slug_taken" } };
  expect(tried).toMatchObject({
    ...{ dry_run: true, imported: 2, failed: 3 },
    items: [
      { line: 1, slug: one.slug },
      { line: 2, error: clash },
      { line: 3, error: { ...clash, detail: { line: 1 } } },
      { line: 4, error: { code: "validation_failed" } },
      { line: 5, slug: two.slug },
    ],
  });
  for (const { id } of [one, two]) {
    (await send("GET", `${PROPERTIES}/${id}`)).refused("property_not_found");
  }
  const made = (await service.api("POST", path, asked)).ok().data;
  expect(made).toMatchObject({ imported: 2, failed: 3 });
  (await send("GET", `${PROPERTIES}/${two.id}`)).ok();
});

interface Imported {
  readonly unchanged: number;
  readonly items: readonly {
    readonly property_id: string;
    readonly result: string;
    readonly warnings?: readonly { readonly code: string; readonly path: string }[];
    readonly error?: { readonly code: string; readonly detail: object };
  }[];
}

const importTable = (lines: readonly string[], query = "") =>
  service.api("POST", `${PROPERTIES}/import${query}`, {
    ...{ agent: agent(), raw: lines.join("\n") },
    headers: { "content-type": "text/csv" },
  });
const COLUMNS =
  "slug,external_code,name,line1,city,country,lat,lng,default_currency,timezone,checkin_time," +
  "amenities,images,tax_code,tax_pct,tax_included,tax_collect,room_type,room_name,max_occupancy," +
  "default_inventory,rate_plan,plan_name,currency,base_rate_per_night,meal_plan," +
  "cancellation_kind,free_cancellation_hours,cancellation_fee_pct";
const tableLine = (slug: string, code: string, rate = 12_000) =>
  `${slug},${code},Sol,1 Rue,Lyon,FR,45.7,4.8,EUR,Europe/Paris,15:00,wifi,https://example.com/a.jpg,` +
  `VAT,10,true,prepaid,DBL,Double,2,4,FLEX,Flexible,EUR,${rate},breakfast,free_until_cutoff,24,100`;
const planLine = (slug: string, rest: string) =>
  `${slug}${",".repeat(17)}DBL${",".repeat(4)}${rest}`;
const newSlug = () => `csv-${crypto.randomUUID().slice(0, 8)}`;

test("an import reports each line's faults of promotion, as a dry run too, and promotion agrees", async () => {
  const [whole, bare] = [newSlug(), newSlug()];
  const raw = [
    COLUMNS,
    tableLine(whole, ""),
    planLine(whole, "NR,Saver,EUR,9900,breakfast,non_refundable,,"),
    `${bare},,Bare,1 Rue,Lyon,FR,,,EUR,Europe/Paris,,,,,,,,DBL,Double,2,4,FLEX,Flex,EUR,120,room_only,free_until_cutoff,,`,
    planLine(bare, "USD,Dollars,USD,9900,room_only,non_refundable,,"),
  ];
  const warnings = [
    [{ code: "policy_by_kind", path: "/line/3/cancellation_kind", severity: "warning" }],
    [
      { code: "policy_by_kind", path: "/line/5/cancellation_kind" },
      { code: "missing_geo", path: "/line/4/lat", severity: "error" },
      { code: "missing_checkin_time", path: "/line/4/checkin_time" },
      { code: "no_images", path: "/line/4/images", severity: "warning" },
      { code: "no_amenities", path: "/line/4/amenities" },
      { code: "no_tax_rules", path: "/line/4/tax_code" },
      { code: "base_rate_low", path: "/line/4/base_rate_per_night", severity: "warning" },
      { code: "rate_plan_without_policy", path: "/line/4/rate_plan", severity: "error" },
      { code: "currency_mismatch", path: "/line/5/currency", severity: "error" },
    ],
  ];
  for (const query of ["?dry_run=true", ""]) {
    const { data } = (await importTable(raw, query)).ok<Imported>();
    expect(data).toMatchObject({
      ...{ imported: 2, failed: 0, created: 2, updated: 0, unchanged: 0, not_promotable: 1 },
      items: [
        { line: 2, slug: whole, result: "created", warnings: warnings[0] },
        { line: 4, slug: bare, result: "created", warnings: warnings[1] },
      ],
    });
  }
  const refused = await send("POST", `${PROPERTIES}/${bare}/promote`, {});
  const { reasons } = refused.refused("property_not_promotable").detail as {
    reasons: { code: string }[];
  };
  expect(reasons.map(({ code }) => code)).toEqual(warnings[1]!.slice(1).map(({ code }) => code));
  (await send("POST", `${PROPERTIES}/${whole}/promote`, {})).ok();
});

test("a file that is imported again changes nothing; a changed line updates, by code or slug", async () => {
  const [one, two, code] = [newSlug(), newSlug(), `H-${newSlug()}`];
  const raw = [COLUMNS, tableLine(one, code), tableLine(two, "")];
  const first = (await importTable(raw)).ok<Imported>().data;
  const [made] = first.items.map(({ property_id }) => property_id);
  const photos = ["https://example.com/b.jpg", "https://example.com/c.jpg"];
  (await send("PATCH", `${PROPERTIES}/${one}`, { description: "By the river" })).ok();
  const events = async () =>
    (await send("GET", "/v1/admin/events?after_seq=0")).ok<{ head_seq: number }>().data.head_seq;
  const head = await events();
  for (const query of ["?dry_run=true", ""]) {
    const again = (await importTable(raw, query)).ok<Imported>().data;
    expect(again).toMatchObject({ imported: 2, unchanged: 2 });
    expect(again.items[0]).toMatchObject({ property_id: made, result: "unchanged" });
  }
  expect(await events()).toBe(head);
  // Another slug for the same code, a dearer rate; pictures and description stay.
  const renamed = newSlug();
  const changed = tableLine(renamed, code, 13_000).replace("https://example.com/a.jpg", "");
  (await send("PATCH", `${PROPERTIES}/${one}`, { images: photos })).ok();
  const updated = (await importTable([COLUMNS, changed])).ok<Imported>().data;
  expect(updated).toMatchObject({ updated: 1, items: [{ property_id: made, slug: renamed }] });
  const now = (await send("GET", `${PROPERTIES}/${renamed}`)).ok().data;
  expect(now).toMatchObject({
    ...{ id: made, external_code: code, description: "By the river", images: photos },
    room_types: [{ code: "DBL", rate_plans: [{ base_rate_per_night: 13_000 }] }],
  });
  // The slug of a property that has another code is taken.
  const clash = await importTable([COLUMNS, tableLine(renamed, "H-other")]);
  expect(clash.ok<Imported>().data.items).toMatchObject([
    { error: { code: "conflict", detail: { reason: "slug_taken", property_id: made } } },
  ]);
});

test("many drafts are promoted at once with the faults of each; an unknown name stops it", async () => {
  const [good, live, bare] = [newSlug(), newSlug(), newSlug()];
  const slugs = [good, live, bare];
  const raw = [COLUMNS, ...slugs.map((slug) => tableLine(slug, ""))];
  raw[3] = raw[3]!.replace("45.7,4.8", ",");
  (await importTable(raw)).ok();
  (await send("POST", `${PROPERTIES}/${live}/promote`, {})).ok();
  const promote = (body: object, headers = {}) =>
    send("POST", `${PROPERTIES}/promote`, body, headers);
  const unknown = await promote({ property_ids: [good, "hotel-that-never-was"] });
  unknown.refused("property_not_found");
  type Came = { items: { slug: string; state: string; error?: object }[] };
  const states = (answer: Answer) =>
    answer.ok<Came>().data.items.map(({ slug, state }) => [slug, state]);
  const tried = await promote({ property_ids: slugs, dry_run: true });
  expect(tried.ok().data).toMatchObject({ dry_run: true, promoted: 2, failed: 1 });
  expect(states(tried)).toEqual([
    ...[
      [good, "draft"],
      [live, "live"],
      [bare, "draft"],
    ],
  ]);
  const key = { "idempotency-key": newKey() };
  const done = await promote({ property_ids: slugs }, key);
  expect(done.ok<Came>().data).toMatchObject({
    ...{ promoted: 2, failed: 1 },
    items: [
      { slug: good, state: "live", warnings: [] },
      { slug: live, state: "live" },
      {
        slug: bare,
        error: { code: "property_not_promotable", detail: { reasons: [{ code: "missing_geo" }] } },
      },
    ],
  });
  expect((await promote({ property_ids: slugs }, key)).ok().data).toEqual(done.ok().data);
  // Every draft: none that is on sale.
  const rest = states(await promote({ dry_run: true }));
  expect(rest).toContainEqual([bare, "draft"]);
  expect(rest.map(([slug]) => slug)).not.toContain(good);
});

test("a live property that an import would make unsellable is refused with the reasons by line", async () => {
  const slug = newSlug();
  (await importTable([COLUMNS, tableLine(slug, "")])).ok();
  (await send("POST", `${PROPERTIES}/${slug}/promote`, {})).ok();
  const foreign = planLine(slug, "USD,Dollars,USD,9900,room_only,non_refundable,,");
  const { items } = (await importTable([COLUMNS, foreign])).ok<Imported>().data;
  expect(items).toMatchObject([
    {
      line: 2,
      error: {
        code: "property_not_promotable",
        detail: { reasons: [{ code: "currency_mismatch", path: "/line/2/currency" }] },
      },
    },
  ]);
});

test("a key answers a change once, and its replay after the property went the same", async () => {
  const body = draft();
  (await send("POST", PROPERTIES, body)).ok(201);
  const path = `${PROPERTIES}/${body.id}`;
  const key = { "idempotency-key": newKey() };
  const first = await send("PATCH", path, { name: "Once" }, key);
  (await send("DELETE", path)).ok();
  const again = await send("PATCH", path, { name: "Once" }, key);
  expect([again.status, again.text]).toEqual([200, first.text]);
  (await send("GET", path)).refused("property_not_found");
  (await send("POST", PROPERTIES, { ...draft(), slug: body.slug })).ok(201);
});

test("a room that is booked stays; a quote of before is held and booked after a change", async () => {
  const hotel = await createHotel(service, { units: [5, 5] });
  const path = `${PROPERTIES}/${hotel.id}`;
  const hold = await newHold(service, stayRequest(hotel));
  const other = await newHold(service, stayRequest(hotel));
  const { room_types } = (await send("GET", path)).ok<{ room_types: { code: string }[] }>().data;
  const refused = await send("PATCH", path, { room_types: room_types.slice(1) });
  expect(refused.refused("conflict").detail).toMatchObject({
    ...{
      reason: "in_use",
      hold_ids: [hold.hold_id, other.hold_id],
      room_type_ids: [hotel.rooms[0]!.id],
    },
  });
  const { ari } = refused.anyRefusal().detail.mending as Mending;
  (await send("PUT", `${path}/ari`, ari)).ok();
  (await send("PATCH", path, { name: "Changed", room_types: room_types.slice(0, 1) })).ok();
  const booked = (await sendBooking(service, hold)).ok<Booking>(201).data;
  const read = (await service.api("GET", `/v1/bookings/${booked.booking_id}`)).ok();
  expect(read.data).toMatchObject({ room_type_id: hotel.rooms[0]!.id, state: "confirmed" });
  // Fewer rooms than are sold: taken, told, and led to the guests of whom one must move.
  const one = [{ ...room_types[0]!, default_inventory: 1 }];
  const cut = await send("PATCH", path, { room_types: one });
  const night = { room_type_id: hotel.rooms[0]!.id, sold: 1, held: 1, effective: 1 };
  const { oversold } = cut.ok<{ oversold: { date: string }[] }>().data;
  expect(oversold[0]).toMatchObject({ ...night, date: stayRequest(hotel).stay.check_in });
  const ways = offered(cut).filter(({ href }) => href.includes("in_house="));
  expect(ways).toHaveLength(oversold.length);
  const guests = (await follow(service, ways[0]!, agent())).ok<{ items: object[] }>().data.items;
  expect(guests).toMatchObject([{ booking_id: booked.booking_id }]);
});

test("a quote whose room or plan was taken out says so, and has its own terms once it is back", async () => {
  const hotel = await createHotel(service, { units: [5, 5] });
  const path = `${PROPERTIES}/${hotel.id}`;
  type Room = { rate_plans: { base_rate_per_night: number }[] };
  const { room_types } = (await send("GET", path)).ok<{ room_types: [Room, Room] }>().data;
  const [room, other] = room_types;
  const { quote_id, price_breakdown } = await newQuote(service, stayRequest(hotel));
  const without: readonly (readonly [RefusalCode, Room[]])[] = [
    ["room_type_not_found", [other]],
    ["rate_plan_not_found", [{ ...room, rate_plans: room.rate_plans.slice(1) }, other]],
  ];
  for (const [code, left] of without) {
    (await send("PATCH", path, { room_types: left })).ok();
    const refused = await sendHold(service, quote_id);
    expect(refused.refused(code).detail).toMatchObject({ property_id: hotel.id });
    const ways = offered(refused);
    expect(ways.map(({ rel }) => rel)).toEqual(["get", "search"]);
    for (const way of ways) (await follow(service, way)).ok();
    const kept = (await service.api("GET", `/v1/quotes/${quote_id}`)).ok<Quote>().data;
    expect(kept).toMatchObject({ price_breakdown, availability: { sellable: 0 } });
  }
  const [flexible, fixed] = room.rate_plans;
  const dearer = { ...room, rate_plans: [{ ...flexible, base_rate_per_night: 99_900 }, fixed] };
  (await send("PATCH", path, { room_types: [dearer, other], timezone: "Asia/Tokyo" })).ok();
  const hold = (await sendHold(service, quote_id)).ok<Hold>(201).data;
  type Terms = { price_breakdown: object; policy_snapshot: { timezone: string } };
  const booked = (await sendBooking(service, hold)).ok<Terms>(201).data;
  expect<object>({ ...booked.price_breakdown, display: null }).toEqual(price_breakdown);
  expect(booked.policy_snapshot.timezone).toBe("Europe/Madrid");
});

test("a property is taken off sale, put back, and archived in the place of being deleted", async () => {
  const { id } = await createHotel(service);
  const path = `${PROPERTIES}/${id}`;
  const open = async () => (await service.api("GET", `/v1/properties/${id}`)).status;
  const off = await send("POST", `${path}/suspend`);
  const { state, seq } = off.ok<{ state: string; seq: number }>().data;
  expect([state, await open()]).toEqual(["suspended", 404]);
  // Whatever is offered undoes nothing.
  for (const action of offered(off)) (await follow(service, action, agent())).ok();
  expect(await open()).toBe(404);
  (await send("POST", `${path}/promote`, {})).ok();
  expect(await open()).toBe(200);
  const kept = await send("DELETE", path);
  const { remediation } = kept.refused("conflict");
  expect(remediation).toContain("Archive");
  expect(offered(kept).map(({ rel }) => rel)).toEqual(["get"]);
  const archived = await send("POST", `${path}/archive`);
  expect(archived.ok<{ state: string }>().data.state).toBe("archived");
  (await send("PATCH", path, { name: "Gone" })).refused("conflict");
  const events = await send("GET", `/v1/admin/events?after_seq=${seq - 3}`);
  const { items } = events.ok<{ items: { type: string; subject: { id: string } }[] }>().data;
  expect(items.filter(({ subject }) => subject.id === id).map(({ type }) => type)).toEqual([
    ...["property.created", "property.promoted", "property.suspended"],
    ...["property.promoted", "property.archived"],
  ]);
});
