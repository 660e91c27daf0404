import { expect, test } from "bun:test";
import { monthsAround, nameOf, rangeOf } from "./range.ts";

const TODAY = "2026-11-27";
const asked = (fields: Readonly<Record<string, string>>) =>
  rangeOf(new Map(Object.entries(fields)), TODAY);

test("without a choice it is the present month, beside the whole month before", () => {
  expect(asked({})).toEqual({
    ...{ from: "2026-11-01", to: "2026-11-30", granularity: "day" },
    before: { from: "2026-10-01", to: "2026-10-31" },
  });
  expect(asked({ month: "2027-01" }).before).toEqual({ from: "2026-12-01", to: "2026-12-31" });
});

test("dates go before a month, and are compared with as many days before them", () => {
  expect(asked({ month: "2026-03", from: "2026-11-10", to: "2026-11-16" })).toEqual({
    ...{ from: "2026-11-10", to: "2026-11-16", granularity: "day" },
    before: { from: "2026-11-03", to: "2026-11-09" },
  });
  expect(asked({ from: "2026-11-10" })).toMatchObject({ from: "2026-11-10", to: "2026-11-10" });
});

test("a chosen day begins as many days to compare with", () => {
  expect(asked({ month: "2026-02", compare_from: "2025-02-01" }).before).toEqual({
    ...{ from: "2025-02-01", to: "2025-02-28" },
  });
  expect(asked({ month: "2026-02", compare_from: "soon" }).before).toBeNull();
});

test("what is no range is left to the API, and is compared with nothing", () => {
  expect(asked({ from: "2026-11-30", to: "2026-11-01" }).before).toBeNull();
  expect(asked({ from: "never", to: "2026-11-01" })).toMatchObject({ from: "never", before: null });
});

test.each([
  ["2026-03-04", "day"],
  ["2026-03-05", "day"],
  ["2026-05-05", "week"],
  ["2029-01-01", "month"],
])("from January 2026 to %s is shown by %s", (to, granularity) => {
  expect(asked({ from: "2026-01-01", to }).granularity).toBe(granularity as "day");
});

test("months to choose from are those around the present one, and the chosen one", () => {
  const months = monthsAround(TODAY, "2026-11");
  expect([months.length, months[0], months.at(-1)]).toEqual([24, "2025-11", "2027-10"]);
  expect(monthsAround(TODAY, "2024-02")[0]).toBe("2024-02");
});

test("a whole month is named by it, other days by the first and the last", () => {
  expect(nameOf({ from: "2026-02-01", to: "2026-02-28" })).toBe("Feb 2026");
  expect(nameOf({ from: "2026-02-01", to: "2026-02-27" })).toMatch(/^1\W+27 Feb 2026$/);
});
