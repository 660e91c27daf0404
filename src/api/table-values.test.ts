import { expect, test } from "bun:test";
import { dateFault, wholeFault } from "./table-values.ts";

test("a date in another format is refused with the right format, both if it is ambiguous", () => {
  const told = (text: string) => dateFault(text)?.expected;
  expect(told("2026-12-31")).toBeUndefined();
  for (const text of ["31/12/2026", "31.12.2026", "12/31/2026", "2026/12/31", "31-12-2026"]) {
    expect(told(text)).toBe(`2026-12-31 for ${text}`);
  }
  expect(told("1.2.2026")).toBe("2026-02-01 for 1.2.2026");
  expect(told("01/02/2026")).toBe("2026-02-01 or 2026-01-02 for 01/02/2026, whichever is meant");
  expect(told("02/02/2026")).toBe("2026-02-02 for 02/02/2026");
  expect(told("2026-12-31T00:00:00Z")).toBe("2026-12-31, without a time");
  expect(told("2026-12-31 00:00")).toBe("2026-12-31, without a time");
  expect(told("46387")).toBe("2026-12-31 for 46387");
  for (const text of ["", "tomorrow", "31/31/2026", "x".repeat(500)]) {
    expect(dateFault(text)).toEqual({
      ...{ message: "is not a date as YYYY-MM-DD", expected: "a date as 2026-12-31" },
    });
  }
});

test("an amount with decimals is refused with its minor units, unless it is ambiguous", () => {
  const told = (text: string) => wholeFault(text, true)?.expected;
  for (const [text, whole] of [
    ["120.00", 12_000],
    ["120,00", 12_000],
    ["99,5", 9_950],
    ["1.200,00", 120_000],
    ["1,200.00", 120_000],
    ["1 200,00", 120_000],
    ["1 200,00 €", 120_000],
    ["€99.50", 9_950],
    ["99.50 EUR", 9_950],
  ] as const) {
    expect(told(text)).toBe(`minor units, a whole number: ${whole} for ${text}`);
  }
  for (const text of ["12.000", "1,250", "120 EUR", "1.200.000", "-1,5,5"]) {
    expect(told(text)).toBe("minor units, a whole number, digits only: 12000 for 120.00");
  }
  for (const text of ["12000", "-5", "dear", "", "1".repeat(60), "12a"]) {
    expect(wholeFault(text, true)).toBeNull();
  }
  expect(wholeFault("2,5", false)).toEqual({
    ...{ message: "has decimals", expected: "a whole number, digits only" },
  });
});
