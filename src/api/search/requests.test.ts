import { expect, test } from "bun:test";
import { searchRequest } from "./requests.ts";

const NOW_MS = Date.parse("2026-12-01T12:00:00Z");
const stay = { check_in: "2026-12-20", check_out: "2026-12-23" };
const guests = { adults: 2 };

function pathsOf(body: unknown): string[] {
  const parsed = searchRequest.read(body, NOW_MS);
  return parsed.ok ? [] : parsed.errors.map(({ path }) => path).sort();
}

test("the typed form is accepted unchanged, with no children filled in", () => {
  const destination = { type: "property", value: "seaview" };
  const constraints = {
    max_price_per_night: { amount: 0, currency: "EUR" },
    meal_plan: "Breakfast",
  };
  const body = { destination, stay, guests, constraints };
  expect(searchRequest.read(body, NOW_MS)).toEqual({
    ok: true,
    value: { destination, stay, guests: { adults: 2, children: [] }, constraints },
  } as never);
});

test("an unknown word is not a fault, but a value of another type is", () => {
  const words = {
    ...{ meal_plan: "brunch", cancellation: "flexible", refundability: "x", bed_type: "water" },
    ...{ amenities: ["helipad"], min_star_rating: 4.5 },
  };
  const others = {
    ...{ meal_plan: 1, cancellation: null, refundability: [], bed_type: 2 },
    ...{ amenities: "wifi", min_star_rating: "4" },
  };
  for (const stayed of [{ stay }, stay]) {
    expect(pathsOf({ ...stayed, guests, constraints: words, sort: "price" })).toEqual([]);
    expect(pathsOf({ ...stayed, guests, constraints: others, sort: "name" })).toEqual([
      ...Object.keys(others)
        .sort()
        .map((name) => `/constraints/${name}`),
      "/sort",
    ]);
  }
});

test("the flat form becomes an area search", () => {
  expect(searchRequest.read({ destination: "Madrid", ...stay, guests }, NOW_MS)).toEqual({
    ok: true,
    value: {
      destination: { type: "area", value: "Madrid" },
      stay,
      guests: { adults: 2, children: [] },
    },
  });
  expect(searchRequest.read({ ...stay, guests }, NOW_MS).ok).toBe(true);
});

test("a mix of the two forms is refused", () => {
  expect(pathsOf({ destination: "Madrid", stay, guests })).toEqual(["/destination"]);
  expect(pathsOf({ ...stay, stay, guests })).toEqual(["/stay"]);
  const destination = { type: "area", value: "Madrid" };
  expect(pathsOf({ destination, ...stay, guests })).toEqual(["/destination"]);
});

test("an extra property is refused at every level", () => {
  expect(
    pathsOf({ stay: { ...stay, nights: 3 }, guests: { ...guests, pets: 1 }, page: 1 }),
  ).toEqual(["/guests/pets", "/page", "/stay/nights"]);
});

test("faults of form and calendar are reported together", () => {
  const body = { stay: { ...stay, check_in: "2026-02-30" }, guests: { adults: 0 } };
  expect(pathsOf(body)).toEqual(["/guests/adults", "/stay/check_in"]);
  const flat = { check_in: "2026-02-30", check_out: "soon", guests: { adults: 21 } };
  expect(pathsOf(flat)).toEqual(["/check_in", "/check_out", "/guests/adults"]);
});

test.each([
  ["check-out on the day of check-in", "2026-12-20", "2026-12-20", "/stay/check_out"],
  ["check-out before check-in", "2026-12-20", "2026-12-19", "/stay/check_out"],
  ["91 nights", "2026-12-01", "2027-03-02", "/stay/check_out"],
  ["a past check-in", "2026-11-30", "2026-12-02", "/stay/check_in"],
])("%s is refused", (_, check_in, check_out, path) => {
  expect(pathsOf({ stay: { check_in, check_out }, guests })).toEqual([path]);
});

test("90 nights from today are accepted", () => {
  expect(pathsOf({ stay: { check_in: "2026-12-01", check_out: "2027-03-01" }, guests })).toEqual(
    [],
  );
});

test("an empty body names its missing members, other values are refused as no object", () => {
  expect(pathsOf({})).toEqual(["/guests/adults", "/stay/check_in", "/stay/check_out"]);
  expect(pathsOf(undefined)).toEqual([""]);
  expect(pathsOf("Madrid")).toEqual([""]);
});
