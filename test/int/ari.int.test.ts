/**
 * Goal: an operator reads the state of each night of a hotel and its last editor. Method: a hotel
 * is changed, held and read, as JSON and as a table for spreadsheets; each answer is validated
 * against its published schema.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHotel, dateIn, newHold, stayRequest } from "../support/client.ts";
import { asPublished } from "../support/published.ts";
import { WHOLE_DEMO } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile({ ...WHOLE_DEMO, API_PROCESSES: "1" });
const hotel = await createHotel(service, { units: [5, 3] });

interface PlanNight {
  readonly code: string;
  readonly amount: number;
  readonly rate_source: string;
  readonly restrictions: object;
  readonly changed: { readonly fields: readonly string[]; readonly actor: { readonly id: string } };
}

interface Night extends Omit<PlanNight, "code" | "amount" | "rate_source"> {
  readonly date: string;
  readonly left: number;
  readonly oversold: number;
  readonly held: number;
  readonly ceilings: readonly object[];
  readonly rate_plans: readonly PlanNight[];
}

interface Nights {
  readonly forgotten_before: string | null;
  readonly changes: { readonly is_complete: boolean };
  readonly room_types: readonly { readonly code: string; readonly nights: readonly Night[] }[];
}

const path = () => `/v1/admin/properties/${hotel.slug}/ari`;
const read = async (query: string, headers: Record<string, string> = {}) => {
  const asked = { agent: service.demo.admin, headers };
  return asPublished("admin_get_ari", await service.api("GET", `${path()}?${query}`, asked));
};
const change = async (body: object) => {
  return (await service.api("PUT", path(), { agent: service.demo.admin, body })).ok();
};
/** The last row of the journal, and the chain up to it. */
const journalHead = () => readFileSync(join(service.dataDir, "engine", "0.head"), "utf8");
const nights = (from: number, to: number) => `from=${dateIn(from)}&to=${dateIn(to)}`;

test("a night shows its numbers, its restrictions and who set each value last", async () => {
  const range = { from: dateIn(40), to: dateIn(41) };
  await change({
    inventory: [{ room_type_id: "R0", ...range, capacity: 4 }],
    rates: [{ rate_plan_id: "FLEX", room_type_id: "R0", ...range, amount: 7_700 }],
    restrictions: [{ room_type_id: "R0", rate_plan_id: "FIX", ...range, min_los_arrival: 2 }],
    ceilings: [{ room_type_id: "R0", ...range, ceiling: 2 }],
  });
  await newHold(service, stayRequest(hotel, { inDays: 40, nights: 2 }));
  const { data, next_actions } = (await read(nights(40, 42))).ok<Nights>();
  expect(data).toMatchObject({ forgotten_before: null, changes: { is_complete: true } });
  expect(data.room_types.map(({ code }) => code)).toEqual(["R0", "R1"]);
  const [first, , third] = data.room_types[0]!.nights;
  expect(first).toMatchObject({
    ...{ date: dateIn(40), capacity: 4, effective: 4, sold: 0, held: 1, left: 3 },
    ceilings: [{ rate_plan_id: null, agent_id: null, limit: 2, used: 1 }],
    changed: { fields: ["capacity", "ceiling"], actor: { kind: "operator" } },
  });
  expect(first!.rate_plans).toMatchObject([
    { code: "FLEX", amount: 7_700, rate_source: "date_override", changed: { fields: ["amount"] } },
    { code: "FIX", amount: 10_000, rate_source: "base", restrictions: { min_los_arrival: 2 } },
  ]);
  expect(third).toMatchObject({ left: 5, ceilings: [], changed: { fields: ["property"] } });
  const property = { rel: "get", method: "GET", href: `/v1/admin/properties/${hotel.id}` };
  expect(next_actions).toEqual([property as never]);
});

test("a cut below the units taken is applied, names the night and links to its bookings", async () => {
  const range = { from: dateIn(44), to: dateIn(45) };
  await newHold(service, stayRequest(hotel, { inDays: 44, nights: 2 }));
  const cut = { room_type_id: "R0", ...range, to: range.from, capacity: 0 };
  const none = await change({ inventory: [{ ...cut, capacity: 1 }] });
  expect(none.data).not.toHaveProperty("oversold");
  expect(none.next_actions).toEqual([]);
  const { data, next_actions } = await change({ inventory: [cut] });
  const room_type_id = hotel.rooms[0]!.id;
  const night = { room_type_id, date: range.from, sold: 0, held: 1, effective: 0 };
  expect(data).toMatchObject({ oversold: [{ ...night, range: 0 }], oversold_nights: 1 });
  const [incident, get] = next_actions;
  expect(incident?.href).toContain("/v1/admin/oversell-incidents/osi_");
  expect(get?.href).toContain(`/v1/admin/bookings?in_house=${range.from}&`);
  (await service.api(get!.method, get!.href, { agent: service.demo.admin })).ok();
  const seen = (await read(nights(44, 45))).ok<Nights>().data.room_types[0]!.nights;
  expect(seen.map(({ left, oversold }) => [left, oversold])).toEqual([
    [0, 1],
    [4, 0],
  ]);
  const table = `property,room_type,date,out_of_order\n${hotel.slug},R1,${range.from},1\n${hotel.slug},R0,${range.from},1\n`;
  const { items, oversold_nights } = (await send(table)).ok<Imported>().data;
  expect(oversold_nights).toBe(1);
  expect(items.map(({ oversold }) => oversold)).toEqual([undefined, [{ ...night, effective: -1 }]]);
});

test("room types and rate plans are read by code, and unknown codes are named", async () => {
  const one = (await read(`${nights(50, 50)}&room_type=r1`)).ok<Nights>().data.room_types;
  expect(one.map(({ code }) => code)).toEqual(["R1"]);
  const plans = (await read(`${nights(50, 50)}&rate_plan=flex`)).ok<Nights>().data.room_types;
  const codes = plans.map(({ nights: [night] }) => night!.rate_plans.map(({ code }) => code));
  expect(codes).toEqual([["FLEX"], ["FLEX"]]);
  (await read("room_type=TWN")).refused("room_type_not_found");
  (await read("room_type=R0&rate_plan=BAR")).refused("rate_plan_not_found");
  const { data } = (await read("")).ok<Nights>();
  expect(data.room_types[0]!.nights).toHaveLength(31);
});

test("too long, too far or invalid dates are refused by name, and missing parameters are named", async () => {
  expect((await read("from=2026-02-30&to=x")).faults()).toEqual(["?from", "?to"]);
  expect((await read(nights(50, 40))).faults()).toEqual(["?to"]);
  expect((await read(nights(0, 366))).faults()).toEqual(["?to"]);
  expect((await read(nights(1_100, 1_101))).faults()).toEqual(["?to"]);
  expect((await read("format=xml")).faults()).toEqual(["?format"]);
  const long = await createHotel(service, { units: Array.from({ length: 20 }, () => 1) });
  const many = `/v1/admin/properties/${long.id}/ari?${nights(0, 365)}`;
  const refused = await service.api("GET", many, { agent: service.demo.admin });
  expect(refused.faults()).toEqual(["?to"]);
  expect(refused.text).toContain("21960 cells");
  const past = (await read(nights(-400, -390))).ok<Nights>();
  expect(past.data.room_types[0]!.nights).toEqual([]);
  expect(past.data.forgotten_before! > dateIn(-390)).toBe(true);
  expect(past.next_actions).toMatchObject([{ rel: "get" }]);
});

test("nights are also a table with one line for each night of a room or plan", async () => {
  const asked = `${nights(40, 41)}&room_type=R0`;
  const table = await read(asked, { accept: "text/csv" });
  expect(table.status).toBe(200);
  expect(table.headers.get("content-type")).toStartWith("text/csv");
  expect(table.headers.get("content-disposition")).toContain(`${hotel.slug}-${dateIn(40)}-`);
  expect(table.headers.get("cache-control")).toBe("no-store");
  const lines = table.text.split("\r\n");
  expect(lines[0]).toStartWith("property,room_type,rate_plan,agent_id,date,capacity,");
  expect(lines).toHaveLength(1 + 2 * 3 + 1);
  expect(lines[1]).toStartWith(`${hotel.slug},R0,,,${dateIn(40)},4,0,0,4,0,1,3,`);
  expect(lines[2]).toStartWith(`${hotel.slug},R0,FLEX,,${dateIn(40)},,,,,,,,7700,0,EUR,`);
  expect((await read(`${asked}&format=csv`)).text).toBe(table.text);
  expect((await read(`${asked}&format=json`, { accept: "text/csv" })).ok().data).toBeDefined();
});

interface Imported {
  readonly lines: number;
  readonly applied: number;
  readonly failed: number;
  readonly oversold_nights?: number;
  readonly items: readonly {
    readonly line: number;
    readonly ok: boolean;
    readonly changed?: boolean;
    readonly oversold?: readonly object[];
    readonly errors?: readonly { readonly column: string; readonly expected: string }[];
  }[];
}

const send = (raw: string | Uint8Array<ArrayBuffer>, query = "", type = "text/csv") =>
  service.api("POST", `/v1/admin/ari/import${query}`, {
    ...{ agent: service.demo.admin, raw },
    headers: { "content-type": type },
  });

test("importing an exported table changes nothing", async () => {
  const asked = `${nights(90, 93)}&format=csv`;
  const range = { from: dateIn(90), to: dateIn(93) };
  const room = { room_type_id: "R0", ...range };
  const fixed = { strategy: "fixed", at: dateIn(30) };
  await change({
    inventory: [{ ...room, capacity: 4, out_of_order: 1 }],
    rates: [
      { room_type_id: "R0", rate_plan_id: "FLEX", ...range, amount: 8_000, extra_adult: 500 },
    ],
    restrictions: [
      { ...room, cta: true },
      { ...room, rate_plan_id: "FIX", min_stay_through: 2, min_advance_days: 5, los_pattern: "YN" },
    ],
    ceilings: [
      { ...room, ceiling: 3, release: { strategy: "rolling", days_before: 7 } },
      { ...room, rate_plan_id: "FLEX", agent_id: "agt_x", ceiling: 1, release: fixed },
    ],
  });
  const told = (text: string) =>
    text.replace(/,(?:[^,]*,){4}((?:[^,]*,){3}[^,]*\r)/g, ",$1").replaceAll("base", "");
  const before = (await read(asked)).text;
  await change({
    inventory: [{ ...room, capacity: null, out_of_order: null }],
    rates: [
      { room_type_id: "R0", rate_plan_id: "FLEX", ...range, amount: null, extra_adult: null },
    ],
    restrictions: [{ ...room, rate_plan_id: "FIX", min_advance_days: null, los_pattern: "Y" }],
    ceilings: [
      { ...room, ceiling: 9, release: null },
      { ...room, rate_plan_id: "FLEX", agent_id: "agt_x", ceiling: null },
    ],
  });
  expect(told((await read(asked)).text)).not.toBe(told(before));
  const { data } = (await send(before)).ok<Imported>();
  expect(data).toMatchObject({ failed: 0, applied: before.split("\r\n").length - 2 });
  const after = told((await read(asked)).text).replaceAll("date_override", "");
  expect(after).toBe(told(before).replaceAll("date_override", ""));
  const head = journalHead();
  const again = (await send(before)).ok<Imported>().data;
  expect(again).toMatchObject({ applied: data.applied, unchanged: data.applied, failed: 0 });
  expect(again.items.every(({ changed }) => changed === false)).toBe(true);
  expect(journalHead()).toBe(head);
});

test("repeated equal rates do not grow the journal", async () => {
  const dates = Array.from({ length: 700 }, (_, i) => dateIn(i));
  const rates = dates.flatMap((date) =>
    ["FLEX", "FIX"].map((rate_plan_id) => ({
      ...{ room_type_id: "R0", rate_plan_id, from: date, to: date, amount: 9_700 },
    })),
  );
  const sent = { agent: service.demo.admin, body: { rates } };
  const put = async () => (await service.api("PUT", path(), sent)).ok<object>().data;
  expect(await put()).toMatchObject({ changed: true, seq: expect.any(Number) });
  const head = journalHead();
  const same = await Promise.all(Array.from({ length: 20 }, put));
  for (const data of same) expect(data).toMatchObject({ changed: false, seq: null });
  expect(journalHead()).toBe(head);
});

test("a preview says what an update would oversell, and writes nothing", async () => {
  const other = await createHotel(service, { units: [2] });
  await newHold(service, stayRequest(other, { inDays: 30, nights: 1 }));
  const at = { from: dateIn(30), to: dateIn(30) };
  const body = { inventory: [{ room_type_id: "R0", ...at, capacity: 0 }] };
  const put = (sent: object) =>
    service.api("PUT", `/v1/admin/properties/${other.id}/ari`, {
      ...{ agent: service.demo.admin, body: sent },
    });
  const head = journalHead();
  const preview = (await put({ ...body, dry_run: true })).ok<object>().data;
  expect(preview).toMatchObject({ changed: true, seq: null, oversold_nights: 1 });
  expect(journalHead()).toBe(head);
  const done = (await put({ ...body, dry_run: false })).ok<object>().data;
  expect(done).toMatchObject({ changed: true, seq: expect.any(Number), oversold_nights: 1 });
});

test("each line of a table has a result, and a wrong line fails its whole update", async () => {
  const day = dateIn(100);
  const other = await createHotel(service, { units: [2] });
  const table = [
    "\ufeffproperty;room_type;rate_plan;date;capacity;amount",
    `${hotel.slug};R0;;${day};2;`,
    `${hotel.slug};R0;FLEX;${day};;99.50`,
    `${other.slug};R0;FLEX;${day};;9950`,
    `${other.slug};R0;BAR;${day};;1`,
    `nowhere;R0;;${day};1;`,
    `${other.slug};R0;FLEX;${day};;9950`,
  ].join("\r\n");
  const dry = (await send(table, "?dry_run=true")).ok<Imported>().data;
  expect(dry).toMatchObject({ lines: 6, applied: 1, failed: 5, dry_run: true });
  const { items, ...totals } = (await send(table)).ok<Imported>().data;
  expect(totals).toMatchObject({ lines: 6, applied: 1, failed: 5, dry_run: false });
  expect(items.map(({ line, ok, errors }) => [line, ok, errors?.[0]?.column])).toEqual([
    ...[
      [2, false, ""],
      [3, false, "amount"],
      [4, false, ""],
      [5, false, "rate_plan"],
    ],
    ...[
      [6, false, "property"],
      [7, true, undefined],
    ],
  ]);
  expect(items[1]!.errors![0]!.expected).toContain("9950 for 99.50");
  expect(items[3]!.errors![0]!.expected).toContain("FLEX, FIX");
  const at = `/v1/admin/properties/${other.slug}/ari?from=${day}&to=${day}&rate_plan=FLEX`;
  const set = (await service.api("GET", at, { agent: service.demo.admin })).ok<Nights>().data;
  expect(set.room_types[0]!.nights[0]!.rate_plans[0]!.amount).toBe(9_950);
});

test("each line of NDJSON is an update with its property, all or nothing", async () => {
  const range = { from: dateIn(110), to: dateIn(111) };
  const lines = [
    {
      property: hotel.id,
      rates: [{ rate_plan_id: "FIX", room_type_id: "R1", ...range, amount: 5 }],
    },
    { property: hotel.slug, inventory: [{ room_type_id: "TWN", ...range, capacity: 1 }] },
    { rates: [] },
  ];
  const long = JSON.stringify({ property: "x".repeat(1_000_000) });
  const raw = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{\n${long}\n{"à":1}`;
  const { data } = (
    await send(Buffer.from(raw, "latin1"), "", "application/x-ndjson")
  ).ok<Imported>();
  expect(data).toMatchObject({ lines: 6, applied: 1, failed: 5 });
  expect(data.items[1]!.errors![0]!.column).toBe("room_type");
  expect(data.items.slice(2).map(({ errors }) => errors![0])).toMatchObject([
    { message: "has no property" },
    { message: "is not well-formed JSON" },
    { message: "is too long" },
    { message: "is not UTF-8" },
  ]);
});

test("an import that is not a table is refused, and an unreadable line stops it with its number", async () => {
  expect((await send("x", "", "text/plain")).faults()).toEqual(["Content-Type"]);
  expect((await send("a,b\n1,2")).faults()).toEqual(["/line/1", "/line/1/1", "/line/1/2"]);
  const day = dateIn(120);
  const open = `property,room_type,date,capacity\n${hotel.slug},R0,${day},3\n"open`;
  const refused = await send(open);
  expect(refused.faults()).toEqual(["/line/3"]);
  expect(refused.refused("validation_failed").detail).toMatchObject({
    ...{ stopped_at_line: 3, applied: 1, failed: 0 },
  });
});

test("a wrong or missing content type is refused by name at both imports", async () => {
  const day = dateIn(121);
  const table = `sep=;\r\nproperty;room_type;date;capacity\r\n${hotel.slug};R0;${day};4\r\n`;
  for (const type of ['text/csv; charset="UTF-8"; header=present', "TEXT/CSV;header=present"]) {
    expect((await send(table, "", type)).ok<Imported>().data).toMatchObject({ applied: 1 });
  }
  const utf16 = Buffer.from(`\ufeff${table}`, "utf16le");
  const long = `${table}"${"x".repeat(1_000_000)}"`;
  for (const path of ["/v1/admin/ari/import", "/v1/admin/properties/import"]) {
    const told = async (raw: string | Uint8Array<ArrayBuffer>, type = "text/csv") => {
      const headers = { "content-type": type };
      const answer = await service.api("POST", path, { agent: service.demo.admin, raw, headers });
      const { field_errors } = answer.refused("validation_failed", 400).detail as {
        field_errors: { path: string; message: string; expected: string }[];
      };
      return field_errors.map(({ path: at, message, expected }) => `${at} ${message}: ${expected}`);
    };
    const taken = "Content-Type is not supported: text/csv or application/x-ndjson";
    for (const type of ["text/csv-foo", "application/x-ndjson2", "text/plain", "csv"]) {
      expect(await told(table, type)).toEqual([taken]);
    }
    expect(await told(table, "text/csv; charset=iso-8859-1")).toEqual([
      "Content-Type has another charset: charset=utf-8",
    ]);
    expect(await told(table, "text/csv; header=absent")).toHaveLength(1);
    for (const empty of ["", "\r\n"]) {
      expect((await told(empty))[0]).toContain(" is empty: a header line with the columns");
    }
    expect(await told("", "application/x-ndjson")).toEqual([" is empty: lines of JSON"]);
    expect(await told(utf16)).toEqual([
      '/line/1 is UTF-16: UTF-8: in a spreadsheet, save as "CSV UTF-8"',
    ]);
    // The one of properties has other columns, and reads no further.
    const isAri = path.includes("ari");
    expect((await told(long))[0]).toContain(isAri ? "/line/4 is too long" : "/line/2/1 ");
    const again = "date,slug,property,date,property,slug\n";
    expect((await told(again)).join()).toMatch(/"(date|slug)" is repeated: each column once/);
  }
});

test("ten thousand lines are applied, and all faults of a thousand bad lines are listed", async () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => {
    return `${hotel.slug},R0,FLEX,${dateIn(130 + (i % 400))},${20_000 + i}`;
  });
  const header = "property,room_type,rate_plan,date,amount";
  const { items, ...totals } = (await send([header, ...lines].join("\n"))).ok<Imported>().data;
  expect(totals).toMatchObject({ lines: 10_000, applied: 10_000, failed: 0 });
  expect(items.at(-1)).toMatchObject({ line: 10_001, ok: true });
  const asked = `/v1/admin/properties/${hotel.slug}/ari?from=${dateIn(529)}&to=${dateIn(529)}`;
  const last = (await service.api("GET", asked, { agent: service.demo.admin })).ok<Nights>().data;
  const [plan] = last.room_types[0]!.nights[0]!.rate_plans;
  expect(plan!.amount).toBe(20_000 + 9_999);
  expect(plan!.changed.fields).toEqual(["amount"]);
  const bad = lines.map(() => `,R0,,31/12/2026,120.50`);
  const refused = (await send([header, ...bad].join("\n"))).refused("validation_failed", 400);
  const { detail } = refused as unknown as { detail: Imported & { stopped_at_line: number } };
  expect(detail).toMatchObject({ applied: 0, failed: 1_000, stopped_at_line: 1_002 });
  expect(refused.detail).toMatchObject({
    field_errors: [{ message: "has too many invalid lines" }],
  });
  for (const { errors } of detail.items) {
    expect(errors!.map(({ column }) => column)).toEqual([
      ...["property", "date", "amount", "rate_plan"],
    ]);
  }
});

test("properties are imported from a table, and each fault names its line and column", async () => {
  const slug = `table-${crypto.randomUUID().slice(0, 8)}`;
  const header = [
    ...["slug", "name", "line1", "city", "country", "default_currency", "timezone"],
    ...["room_type", "room_name", "max_occupancy", "default_inventory", "rate_plan", "plan_name"],
    ...["currency", "base_rate_per_night", "meal_plan", "cancellation_kind"],
  ].join(",");
  const of = (name: string, currency: string) => [
    `${name},Table,1 Rue,Lyon,FR,EUR,Europe/Paris,DBL,Double,2,4,FLEX,Flexible,EUR,12000,room_only,non_refundable`,
    `${name},,,,,,,DBL,,,,BB,Breakfast,${currency},13000,breakfast,non_refundable`,
  ];
  const raw = [header, ...of(slug, "EUR"), ...of(`${slug}-2`, "EURO")].join("\r\n");
  const { data } = (
    await service.api("POST", "/v1/admin/properties/import", {
      ...{ agent: service.demo.admin, raw },
      headers: { "content-type": "text/csv" },
    })
  ).ok<{ imported: number; failed: number; items: readonly { line: number; error?: object }[] }>();
  expect(data).toMatchObject({ imported: 1, failed: 1 });
  expect(data.items).toMatchObject([
    { line: 2 },
    { line: 4, error: { detail: { field_errors: [{ path: "/line/5/currency" }] } } },
  ]);
  const made = await service.api("GET", `/v1/admin/properties/${slug}`, {
    agent: service.demo.admin,
  });
  const { room_types } = made.ok<{ room_types: { rate_plans: { code: string }[] }[] }>().data;
  expect(room_types[0]!.rate_plans.map(({ code }) => code)).toEqual(["FLEX", "BB"]);
});

test("an update that says what it has seen is refused when a cell of it was set later", async () => {
  const range = { from: dateIn(70), to: dateIn(70) };
  const rates = [{ rate_plan_id: "FLEX", room_type_id: "R0", ...range, amount: 6_000 }];
  const seen = (await change({ rates: [{ ...rates[0], amount: 5_000 }] })).data as { seq: number };
  const other = (await change({ rates: [{ ...rates[0], amount: 5_500 }] })).data as { seq: number };
  const body = { rates, if_unchanged_since: seen.seq };
  const agent = service.demo.admin;
  const refused = (await service.api("PUT", path(), { agent, body })).refused("conflict");
  expect(refused.detail).toMatchObject({
    ...{ reason: "version_mismatch", has_more: false },
    cells: [{ date: range.from, field: "amount", agent_id: null, seq: other.seq }],
  });
  expect(refused.next_actions).toContainEqual(
    expect.objectContaining({
      ...{ rel: "retry", method: "PUT" },
      body_hint: expect.objectContaining({ if_unchanged_since: refused.detail.seq }),
    }),
  );
  const again = { ...body, if_unchanged_since: refused.detail.seq };
  expect((await change(again)).data).toMatchObject({ changed: true });
  const ahead = { ...body, if_unchanged_since: 1_000_000_000 };
  (await service.api("PUT", path(), { agent, body: ahead })).refused("validation_failed");
});

test("room types are read in pages, and by a text in their names or codes", async () => {
  const of = async (query: string) => {
    const { data } = (await read(`${nights(40, 40)}&${query}`)).ok<
      Nights & { room_types_found: number }
    >();
    return [data.room_types_found, ...data.room_types.map(({ code }) => code)];
  };
  expect(await of("room_limit=1")).toEqual([2, "R0"]);
  expect(await of("room_limit=1&room_offset=1")).toEqual([2, "R1"]);
  expect(await of("room_limit=5&room_name=r1")).toEqual([1, "R1"]);
  const { data } = (await read(`from=${dateIn(40)}&nights=3`)).ok<Nights>();
  expect(data.room_types[0]!.nights).toHaveLength(3);
});
