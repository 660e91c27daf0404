/** Goal: every form of a visitor makes a valid search. */
import { expect, test } from "bun:test";
import { readForm } from "./demo-search.ts";

const NOW_MS = Date.parse("2026-11-22T19:00:00Z");
const PLACES = [
  { kind: "country", name: "France" },
  { kind: "city", name: "Paris" },
  { kind: "city", name: "Rome" },
] as const;
const USUAL = { destination: "Paris", check_in: "2026-12-22", check_out: "2026-12-24", adults: 2 };

const read = (query: Record<string, string>) =>
  readForm(new Map(Object.entries(query)), PLACES, NOW_MS);

test("an empty form searches two nights in a month where most hotels are", () => {
  expect(read({})).toEqual(USUAL);
});

test("the values of a form are used", () => {
  const said = { destination: "Trastevere, Rome", check_in: "2027-02-27", check_out: "2027-03-02" };
  expect(read({ ...said, adults: "3" })).toEqual({ ...said, adults: 3 });
});

test("an impossible value counts as omitted", () => {
  const odd = ["", "x", "2026-13-01", "2026-11-31", "20261122", "2026-11-21", "0001-01-01"];
  for (const check_in of odd)
    expect({ said: check_in, form: read({ check_in }) }).toEqual({ said: check_in, form: USUAL });
  for (const adults of ["", "0", "21", "1.5", "-1", "two", "1e9"]) {
    expect(read({ adults })).toEqual(USUAL);
  }
  for (const destination of ["", "  ", "x".repeat(101)]) {
    expect(read({ destination })).toEqual(USUAL);
  }
  const from = { check_in: "2027-02-01" };
  for (const check_out of ["2027-01-31", "2027-02-01", "2027-06-01", "soon"]) {
    expect(read({ ...from, check_out }).check_out).toBe("2027-02-03");
  }
});
