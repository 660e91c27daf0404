/** A line of a table becomes an update; its faults are reported by column. */
import { expect, test } from "bun:test";
import { columnsOf, headerProblems, readLine } from "./import-columns.ts";
import { Group } from "./import-groups.ts";

const HEADER =
  "Property,room_type,rate_plan,agent_id,date,capacity,amount,cta,min_los_arrival,ceiling,sold";
const header = columnsOf(HEADER.split(","));
const line = (text: string) => readLine(header, text.split(","));
const columns = (text: string) => line(text).errors.map(({ column }) => column);

test("a line sets its filled cells, keeps empty ones, and null clears", () => {
  const range = { from: "2026-12-01", to: "2026-12-01" };
  expect(line("h,DBL,,,2026-12-01,5,,TRUE,null,2,9").entries).toEqual([
    { list: "inventory", entry: { room_type_id: "DBL", ...range, capacity: 5 } },
    {
      list: "restrictions",
      entry: { room_type_id: "DBL", ...range, cta: true, min_los_arrival: null },
    },
    {
      list: "ceilings",
      entry: { room_type_id: "DBL", ...range, rate_plan_id: null, agent_id: null, ceiling: 2 },
    },
  ]);
  expect(line("h,DBL,FLEX,,2026-12-01,,12000,,,,").entries).toEqual([
    {
      list: "rates",
      entry: { rate_plan_id: "FLEX", room_type_id: "DBL", ...range, amount: 12_000 },
    },
  ]);
  expect(line("h,DBL,,,2026-12-01,,,,,,7")).toMatchObject({ entries: [], errors: [] });
});

test("a release is a date or a number of days, and a pattern is text", () => {
  const named = ["property", "room_type", "date", "los_pattern", "ceiling", "ceiling_release"];
  const read = (text: string) => readLine(named, `h,DBL,2026-12-01,${text}`.split(",")).entries;
  const told = (text: string) => read(text).map(({ entry }) => entry.release);
  expect(told(",2,7")).toEqual([{ strategy: "rolling", days_before: 7 }]);
  expect(told(",2,2026-11-24")).toEqual([{ strategy: "fixed", at: "2026-11-24" }]);
  expect(told(",2,null")).toEqual([null]);
  expect(read(",2,")[0]!.entry).not.toHaveProperty("release");
  expect(read("NYY,,")).toMatchObject([{ list: "restrictions", entry: { los_pattern: "NYY" } }]);
  for (const [text, column] of [
    [",2,soon", "ceiling_release"],
    [",2,2026-11-31", "ceiling_release"],
    [",2,1000", "ceiling_release"],
    [",,7", "ceiling"],
    ["YXN,,", "los_pattern"],
  ] as const) {
    const group = new Group("h");
    group.add(2, readLine(named, `h,DBL,2026-12-01,${text}`.split(",")));
    expect(group.items()[0]!.errors!.map((error) => error.column)).toEqual([column]);
  }
});

test("an invalid value is reported at its column", () => {
  expect(columns("h,DBL,FLEX,,2026-12-01,5,,,,,")).toEqual(["capacity"]);
  expect(columns("h,DBL,,,1.12.2026,5,,,,,")).toEqual(["date"]);
  expect(columns("h,DBL,,,2026-12-01,,100,,,,")).toEqual(["rate_plan"]);
  expect(columns(",,,,2026-12-01,5,,,,,")).toEqual(["property", "room_type"]);
  expect(columns("h,DBL,,agt,2026-12-01,,,true,,,")).toEqual(["agent_id"]);
  expect(columns("h,DBL,,,,5,,,,,")).toEqual(["date"]);
  expect(line("h,DBL,FLEX,,2026-12-01,,120.00,,,,").errors).toEqual([
    {
      column: "amount",
      message: "has decimals",
      expected: "minor units, a whole number: 12000 for 120.00",
    },
  ]);
});

test("the first line names known columns, each once, including the required ones", () => {
  expect(headerProblems(header, 1)).toEqual([]);
  const told = headerProblems(["property", "from", "to", "price", "from", "x".repeat(900)], 2);
  expect(told.map(({ path, message }) => [path, message])).toEqual([
    ["/line/2/4", '"price" is not a known column'],
    ["/line/2/5", '"from" is repeated'],
    ["/line/2/6", `"${"x".repeat(64)}" is not a known column`],
  ]);
  expect(headerProblems(["property", "from"], 1)).toHaveLength(1);
});

test("every fault of a line is reported, each column once", () => {
  const faults = (text: string) => {
    const group = new Group("h");
    group.add(2, line("h,DBL,,,2026-12-01,5,,,,,"));
    group.add(3, line(text));
    expect(group.update()).toBeNull();
    return group.items()[1]!.errors!.map(({ column, expected }) => [column, expected]);
  };
  expect(faults("h,DBL,FLEX,,31/12/2026,,99.50,maybe,1000,2.5,")).toEqual([
    ["date", "2026-12-31 for 31/12/2026"],
    ["amount", "minor units, a whole number: 9950 for 99.50"],
    ["ceiling", "a whole number, digits only"],
    ["cta", "true or false or null"],
    ["min_los_arrival", "an integer from 0 to 999 or null"],
  ]);
  expect(faults(",,,,2026-02-30,70000,,,,,,")).toEqual([
    ["property", "the id or slug of a property"],
    ["room_type", "the id or code of a room type"],
    ["capacity", expect.stringContaining("60000")],
    ["date", "a date of the calendar"],
  ]);
  const range = columnsOf(["property", "room_type", "from", "to", "capacity"]);
  const group = new Group("h");
  group.add(2, readLine(range, ["h", "DBL", "2026-12-05", "", "x"]));
  group.add(3, readLine(range, ["h", "DBL", "2026-12-05", "2026-12-04", "99999"]));
  expect(group.update()).toBeNull();
  expect(group.items().map(({ errors }) => errors!.map(({ column }) => column))).toEqual([
    ["to", "capacity"],
    ["capacity", "to"],
  ]);
});

test("cells beyond the columns are a fault only if they are not empty", () => {
  expect(columns("h,DBL,,,2026-12-01,5,,,,,,,,")).toEqual([]);
  expect(columns("h,DBL,,,2026-12-01,5,,,,,,,x,")).toEqual([""]);
});

test("a group is applied whole: the faulty line has the error, the others refer to it", () => {
  const group = new Group("h");
  group.add(2, line("h,DBL,,,2026-12-01,5,,,,,"));
  group.add(3, line("h,DBL,,,01.12.2026,70000,,,,,"));
  expect(group.update()).toBeNull();
  expect(group.items()).toMatchObject([
    { line: 2, ok: false, errors: [{ message: "was not applied because line 3 is invalid" }] },
    {
      line: 3,
      ok: false,
      errors: [{ column: "date" }, { column: "capacity" }],
    },
  ]);
});

test("an answer is bounded however many faults the input has", () => {
  const named = new Group("x".repeat(400_000));
  named.add(2, line("h,DBL,,,2026-12-01,5,,,,,"));
  expect(named.update()).toBeNull();
  const [item] = named.items();
  expect(item!.property).toHaveLength(120);
  expect(item!.errors).toMatchObject([{ column: "property", message: "is too long" }]);
  // A name that only begins alike is another one.
  expect(named.takes("x".repeat(400_001))).toBeFalse();
  const faulty = new Group("h");
  const errors = Array.from({ length: 900 }, (_, i) => {
    return { column: `c${i}`, message: "is wrong", expected: "what is right" };
  });
  faulty.add(1, { property: "h", entries: [], errors, isOneDate: false });
  expect(faulty.update()).toBeNull();
  expect(faulty.items()[0]!.errors).toHaveLength(20);
});
