/** Goal: an endpoint gets the events it selects, of its own tenant and mode, and no others. */
import { expect, test } from "bun:test";
import { type Endpoint, matches } from "./endpoint.ts";

const ALL: Endpoint = {
  ...{ endpoint_id: "whe_1", tenant_id: "t-1", mode: "live", url: "https://a.example/" },
  ...{ kinds: null, property_ids: null, subjects: null, headers: {}, scopes: [] },
  ...{ max_in_flight: 10, max_per_s: null, ordering: "none", state: "active" },
  ...{ format: "json", ota: null },
  ...{ secrets: ["whsec_AAAA"], after_row: 0, version: 1 },
};
const EVENT = {
  tenant_id: "t-1",
  mode: "live" as const,
  type: "booking.confirmed",
  subject: { type: "booking", id: "bkg_1" },
};

const gets = (endpoint: Partial<Endpoint>, property_id: string | null = "p-1") =>
  matches({ ...ALL, ...endpoint }, EVENT, property_id);

test("an endpoint without filters gets every event of its tenant and mode, and no other", () => {
  expect(gets({})).toBeTrue();
  expect(gets({}, null)).toBeTrue();
  expect(gets({ tenant_id: "t-2" })).toBeFalse();
  expect(gets({ mode: "test" })).toBeFalse();
});

test("an endpoint with kinds gets events of those kinds only", () => {
  expect(gets({ kinds: ["hold.created", "booking.confirmed"] })).toBeTrue();
  expect(gets({ kinds: ["booking.cancelled"] })).toBeFalse();
  expect(gets({ kinds: [] })).toBeFalse();
});

test("an endpoint of some properties gets their events, and no event without a property", () => {
  expect(gets({ property_ids: ["p-1", "p-2"] })).toBeTrue();
  expect(gets({ property_ids: ["p-2"] })).toBeFalse();
  expect(gets({ property_ids: ["p-1"] }, null)).toBeFalse();
  expect(gets({ property_ids: [] })).toBeFalse();
});

test("an endpoint of some subjects gets their events; a subject is type and id", () => {
  expect(gets({ subjects: ["booking:bkg_1"] })).toBeTrue();
  expect(gets({ subjects: ["hold:bkg_1"] })).toBeFalse();
  expect(gets({ subjects: ["booking:bkg_10", "booking:bkg_"] })).toBeFalse();
});

test("all filters hold together", () => {
  const filters = { kinds: ["booking.confirmed"], subjects: ["booking:bkg_1"] };
  expect(gets({ ...filters, property_ids: ["p-1"] })).toBeTrue();
  expect(gets({ ...filters, property_ids: ["p-2"] })).toBeFalse();
});
