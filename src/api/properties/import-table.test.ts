/** Lines of rate plans become properties; faults are reported at their cells. */
import { expect, test } from "bun:test";
import { csvRows } from "../../lib/csv-reader.ts";
import { type TableProperty, tableProperties } from "./import-table.ts";

async function read(text: string) {
  async function* bytes() {
    yield new TextEncoder().encode(text);
  }
  return Array.fromAsync(tableProperties(csvRows(bytes())));
}

const HEADER =
  "slug,name,city,amenities,room_type,max_occupancy,rate_plan,currency,base_rate_per_night," +
  "cancellation_kind,free_cancellation_hours,cancellation_fee_pct";
const TABLE = [
  HEADER,
  "one,One,Lyon,wifi|pool,DBL,2,FLEX,EUR,12000,free_until_cutoff,48,50",
  "one,,,,DBL,,FIX,EUR,9900,non_refundable,0,100",
  "one,,,,SGL,1,FLEX,EUR,8000,free_until_cutoff,48,50",
  "two,Two,Nice,,,,,,,,,",
].join("\n");

test("lines of one slug are one property, with its rooms, plans and policies", async () => {
  const [one, two] = (await read(TABLE)) as TableProperty[];
  expect(one!.errors).toEqual([]);
  expect(one!.body).toMatchObject({
    ...{ slug: "one", name: "One", address: { city: "Lyon" }, amenities: ["wifi", "pool"] },
    room_types: [
      { code: "DBL", max_occupancy: 2, rate_plans: [{ code: "FLEX" }, { code: "FIX" }] },
      { code: "SGL", rate_plans: [{ code: "FLEX", base_rate_per_night: 8_000 }] },
    ],
    policies: [
      { cancellation_kind: "free_until_cutoff", free_cancellation_hours_before_checkin: 48 },
      { cancellation_kind: "non_refundable", cancellation_fee_pct_after_cutoff: 100 },
    ],
  });
  expect(two!.body).toEqual({ slug: "two", name: "Two", address: { city: "Nice" } });
});

test("a fault of the body is reported at the line and column of its cell", async () => {
  const [one] = (await read(TABLE)) as TableProperty[];
  const paths = ["/room_types/0/rate_plans/1/currency", "/room_types/1/code", "/amenities/1"];
  const faults = [...paths, "/tax_rules"].map((path) => ({ path, message: "", expected: "" }));
  expect(one!.errorsWith(faults).map(({ path }) => path)).toEqual([
    ...["/line/3/currency", "/line/4/room_type", "/line/2/amenities", "/line/2/tax_code"],
  ]);
});

test("a cell that differs from an earlier line is a fault, and so is an unknown column", async () => {
  const [one] = (await read(`slug,name\none,One\none,Other`)) as TableProperty[];
  expect(one!.errors.map(({ path }) => path)).toEqual(["/line/3/name"]);
  expect(await read("sep=,\nslug,price,name,slug\none,1")).toMatchObject([
    {
      line: 2,
      faults: [
        { path: "/line/2/2", message: '"price" is not a known column' },
        { path: "/line/2/4", message: '"slug" is repeated' },
      ],
    },
  ]);
  expect(await read("name\none")).toMatchObject([
    { line: 1, faults: [{ message: "lacks slug or external_code" }] },
  ]);
  expect(await read("")).toMatchObject([{ line: 1, faults: [{ message: "is empty" }] }]);
});

test("each invalid cell is reported once, beside the members that the body lacks", async () => {
  const table = [
    "slug;name;room_type;max_occupancy;rate_plan;base_rate_per_night",
    "one;One;DBL;2,5;FLEX;120,00;;",
    "one;Other;DBL;;FIX;12.000;;x",
  ].join("\r\n");
  const [one] = (await read(table)) as TableProperty[];
  const faults = [
    { path: "/room_types/0/rate_plans/0/base_rate_per_night", message: "is no integer" },
    { path: "/room_types/0/rate_plans/1/currency", message: "is missing" },
  ].map((fault) => ({ ...fault, expected: "" }));
  expect(one!.errorsWith(faults).map(({ path, expected }) => [path, expected])).toEqual([
    ["/line/2/max_occupancy", "a whole number, digits only"],
    ["/line/2/base_rate_per_night", "minor units, a whole number: 12000 for 120,00"],
    ["/line/3", "no more cells than columns"],
    ["/line/3/name", "what /line/2/name says, or an empty cell"],
    ["/line/3/base_rate_per_night", "minor units, a whole number, digits only: 12000 for 120.00"],
    ["/line/3/currency", ""],
  ]);
});

test("lines of one slug are gathered up to a property's limit; the excess is reported once", async () => {
  const rooms = Array.from({ length: 60_000 }, (_, i) => `s,R${i}`).join("\n");
  const wide = Array.from({ length: 20 }, (_, i) => `w,${"x".repeat(50_000)}${i}`).join("\n");
  const table = `slug,room_type\n${rooms}\n${wide}\nt,DBL`;
  const [many, long, next] = (await read(table)) as TableProperty[];
  expect(many!.errors).toMatchObject([
    { path: "/line/5002", message: "makes the property too large" },
  ]);
  expect(many!.body.room_types).toHaveLength(5_000);
  expect(long!.errors).toMatchObject([{ message: "makes the property too large" }]);
  expect(JSON.stringify(long!.body).length).toBeLessThan(600_000);
  expect(next!.errors).toEqual([]);
});

test("numbers may have a decimal comma; whole numbers have no separator", async () => {
  const table = [
    "slug;lat;lng;star_rating;room_type;max_occupancy;rate_plan;base_rate_per_night",
    "one;41,987;-2.8;4,5;DBL;2;FLEX;12.000",
    "one;41,987;-2,8;;DBL;;FIX;99,00",
    "one;;;;DBL;;LOW;9900",
  ].join("\n");
  const [one] = (await read(table)) as TableProperty[];
  expect(one!.errors.map(({ path }) => path)).toEqual([
    ...["/line/2/base_rate_per_night", "/line/3/base_rate_per_night"],
  ]);
  const plans = [
    { code: "FLEX", base_rate_per_night: "12.000" },
    { code: "FIX", base_rate_per_night: "99,00" },
    { code: "LOW", base_rate_per_night: 9_900 },
  ];
  expect(one!.body).toEqual({
    ...{ slug: "one", geo: { lat: 41.987, lng: -2.8 }, star_rating: 4.5 },
    room_types: [{ code: "DBL", max_occupancy: 2, rate_plans: plans }],
  });
});

test("taxes are accepted on any line of their property, in percent or in minor units", async () => {
  const table = [
    "external_code;slug;tax_code;tax_name;tax_basis;tax_pct;tax_amount;tax_included;tax_collect;tax_min_age;tax_valid_from;room_type",
    "H1;one;VAT;;;10;;true;prepaid;;;DBL",
    "H1;one;CITY;City tax;per_person_per_night;;350;false;at_property;16;2026-01-01;SGL",
    "H1;one;VAT;;;10;;;;;;TPL",
    "H2;two;X;;;5,5;;true;prepaid;;01/02/2026;",
    "H2;two;Y;;;7 %;;true;prepaid;;;",
    "H2;two;;;;5;;true;;;;",
  ].join("\n");
  const [one, two] = (await read(table)) as TableProperty[];
  expect(one!.errors).toEqual([]);
  expect(one!.body).toMatchObject({ external_code: "H1", room_types: { length: 3 } });
  expect(one!.body.tax_rules).toEqual([
    {
      ...{ code: "VAT", name: "VAT", kind: "tax", basis: "percent", rate_bps: 1_000 },
      ...{ included_in_rate: true, collect: "prepaid" },
    },
    {
      ...{ code: "CITY", name: "City tax", kind: "tax", basis: "per_person_per_night" },
      ...{ amount: 350, included_in_rate: false, collect: "at_property" },
      ...{ min_age: 16, valid_from: "2026-01-01" },
    },
  ]);
  expect(two!.body.tax_rules).toMatchObject([{ rate_bps: 550 }, { rate_bps: "7 %" }]);
  expect(two!.errors.map(({ path, expected }) => `${path}: ${expected}`)).toEqual([
    "/line/5/tax_valid_from: 2026-02-01 or 2026-01-02 for 01/02/2026, whichever is meant",
    "/line/6/tax_pct: a number such as 10 or 5.5",
    "/line/7/tax_code: the code that tax_pct belongs to, on each line",
  ]);
});

test("a plan of a line can follow another, by a percentage with a sign or an amount", async () => {
  const table = [
    "slug,room_type,rate_plan,derived_from,derived_pct,derived_amount,derived_round_to",
    "one,DBL,FLEX,,,,",
    'one,DBL,SAVER,FLEX,"-10,5",,100',
    "one,DBL,HALF,FLEX,,2500,",
    "one,DBL,ODD,FLEX,-10 %,,",
  ].join("\n");
  const [one] = (await read(table)) as TableProperty[];
  const [room] = one!.body.room_types as { rate_plans: object[] }[];
  expect(room!.rate_plans).toEqual([
    { code: "FLEX" },
    { code: "SAVER", derived_from: { rate_plan_id: "FLEX", bps: -1_050, round_to: 100 } },
    { code: "HALF", derived_from: { rate_plan_id: "FLEX", amount: 2_500 } },
    { code: "ODD", derived_from: { rate_plan_id: "FLEX", bps: "-10 %" } },
  ]);
  expect(one!.errors.map(({ path }) => path)).toEqual(["/line/5/derived_pct"]);
  expect(one!.placed("/room_types/0/rate_plans/1/derived_from/bps")).toBe("/line/3/derived_pct");
});

test("cells of a room type or plan that their line does not name are a fault", async () => {
  const table = [
    "slug,room_type,room_name,rate_plan,base_rate_per_night,free_cancellation_hours",
    "one,DBL,Double,FLEX,12000,24",
    "one,,,BB,14000,",
    "one,DBL,,,9900,",
  ].join("\n");
  const [one] = (await read(table)) as TableProperty[];
  expect(one!.errors.map(({ path, message }) => `${path} ${message}`)).toEqual([
    "/line/3/room_type is missing",
    "/line/4/rate_plan is missing",
  ]);
  expect(one!.placed("/room_types/0/rate_plans/0")).toBe("/line/2/rate_plan");
});

test("a table without slugs identifies properties by external codes", async () => {
  const table = "external_code,name,room_type\nH1,One,DBL\nH1,,SGL\nH2,Two,DBL";
  const properties = (await read(table)) as TableProperty[];
  expect(properties.map(({ name, line }) => [name, line])).toEqual([
    ...[
      ["H1", 2],
      ["H2", 4],
    ],
  ]);
  expect(properties[0]!.body.room_types).toHaveLength(2);
});
