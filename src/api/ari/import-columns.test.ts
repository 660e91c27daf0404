/** A line of a table in the terms of an update, and what is wrong with it by its column. */
import { expect, test } from "bun:test";
import { headerProblems, readLine } from "./import-columns.ts";
import { Group } from "./import-groups.ts";

const HEADER =
  "Property,room_type,rate_plan,agent_id,date,capacity,amount,cta,min_los_arrival,ceiling,sold";
const header = HEADER.split(",");
const line = (text: string) => readLine(header, text.split(","));
const columns = (text: string) => line(text).errors.map(({ column }) => column);

test("a line sets what its cells say, an empty cell nothing, and null clears", () => {
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

test("what a line cannot mean is said of its column", () => {
  expect(columns("h,DBL,FLEX,,2026-12-01,5,,,,,")).toEqual(["capacity"]);
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

test("the first line names columns that there are, each once, and the least there must be", () => {
  expect(headerProblems(header)).toEqual([]);
  expect(
    headerProblems(["property", "from", "to", "price", "from"]).map(({ path }) => path),
  ).toEqual(["/line/1/4", "/line/1/5"]);
  expect(headerProblems(["property", "from"])).toHaveLength(1);
});

test("a group is applied whole: the fault of one line is said there, and beside it to the others", () => {
  const group = new Group("h");
  group.add(2, line("h,DBL,,,2026-12-01,5,,,,,"));
  group.add(3, line("h,DBL,,,01.12.2026,70000,,,,,"));
  expect(group.update()).toBeNull();
  expect(group.items()).toMatchObject([
    { line: 2, ok: false, errors: [{ message: "was not applied, because line 3 was not" }] },
    {
      line: 3,
      ok: false,
      errors: [{ column: "date" }, { column: "date" }, { column: "capacity" }],
    },
  ]);
});

test("however much is wrong, an answer repeats little of it", () => {
  const named = new Group("x".repeat(400_000));
  named.add(2, line("h,DBL,,,2026-12-01,5,,,,,"));
  expect(named.update()).toBeNull();
  const [item] = named.items();
  expect(item!.property).toHaveLength(120);
  expect(item!.errors).toMatchObject([{ column: "property", message: "is too long" }]);
  // A name that only begins alike is another one.
  expect(named.takes("x".repeat(400_001))).toBeFalse();
  const faulty = new Group("h");
  const entries = Array.from({ length: 900 }, () => ({ list: "inventory", entry: {} }) as const);
  faulty.add(1, { property: "h", entries, errors: [], isOneDate: false });
  expect(faulty.update()).toBeNull();
  expect(faulty.items()[0]!.errors).toHaveLength(20);
});
