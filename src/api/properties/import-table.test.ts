/** Lines of rate plans become properties, and faults are told where their cells stand. */
import { expect, test } from "bun:test";
import { csvRows } from "../../base/csv-reader.ts";
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
      { version: "1", cancellation_kind: "free_until_cutoff" },
      { version: "1", cancellation_fee_pct_after_cutoff: 100 },
    ],
  });
  expect(two!.body).toEqual({ slug: "two", name: "Two", address: { city: "Nice" } });
});

test("a fault of the body is told of the line and column that it came from", async () => {
  const [one] = (await read(TABLE)) as TableProperty[];
  const paths = ["/room_types/0/rate_plans/1/currency", "/room_types/1/code", "/amenities/1"];
  const faults = [...paths, "/tax_rules"].map((path) => ({ path, message: "", expected: "" }));
  expect(one!.errorsWith(faults).map(({ path }) => path)).toEqual([
    ...["/line/3/currency", "/line/4/room_type", "/line/2/amenities", "/line/2/tax_rules"],
  ]);
});

test("what differs from an earlier line is a fault, and so is a column that there is not", async () => {
  const [one] = (await read(`slug,name\none,One\none,Other`)) as TableProperty[];
  expect(one!.errors.map(({ path }) => path)).toEqual(["/line/3/name"]);
  expect(await read("sep=,\nslug,price,name,slug\none,1")).toMatchObject([
    {
      line: 2,
      faults: [
        { path: "/line/2/2", message: '"price" is not a known column' },
        { path: "/line/2/4", message: '"slug" is there twice' },
      ],
    },
  ]);
  expect(await read("name\none")).toMatchObject([{ line: 1, faults: [{ message: "lacks slug" }] }]);
  expect(await read("")).toMatchObject([{ line: 1, faults: [{ message: "is empty" }] }]);
});

test("each cell that is wrong is told once, with what the body lacks beside", async () => {
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
    ["/line/2/max_occupancy", "a whole number, in digits alone"],
    ["/line/2/base_rate_per_night", "minor units, a whole number: 12000 for 120,00"],
    ["/line/3", "no more cells than columns"],
    ["/line/3/name", "what /line/2/name says, or an empty cell"],
    [
      "/line/3/base_rate_per_night",
      "minor units, a whole number in digits alone: 12000 for 120.00",
    ],
    ["/line/3/currency", ""],
  ]);
});

test("lines without end of one slug are gathered as far as a property goes, and told so once", async () => {
  const rooms = Array.from({ length: 60_000 }, (_, i) => `s,R${i}`).join("\n");
  const wide = Array.from({ length: 20 }, (_, i) => `w,${"x".repeat(50_000)}${i}`).join("\n");
  const table = `slug,room_type\n${rooms}\n${wide}\nt,DBL`;
  const [many, long, next] = (await read(table)) as TableProperty[];
  expect(many!.errors).toMatchObject([{ path: "/line/5002", message: "is too much" }]);
  expect(many!.body.room_types).toHaveLength(5_000);
  expect(long!.errors).toMatchObject([{ message: "is too much" }]);
  expect(JSON.stringify(long!.body).length).toBeLessThan(600_000);
  expect(next!.errors).toEqual([]);
});

test("numbers may have the comma of a spreadsheet, and whole ones have no mark at all", async () => {
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
