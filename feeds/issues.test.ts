import { expect, test } from "bun:test";
import { propertyTree } from "../test/support/builders.ts";
import { issuesOf } from "./issues.ts";

const at = (id: string, line1: string, geo: { lat: number; lng: number } | null) =>
  propertyTree({ id, geo, address: { line1, city: "Madrid", country: "ES" } });

test("a list without problems has no issue", () => {
  const first = at("a", "Calle Mayor 1", { lat: 40.1, lng: -3.7 });
  const second = at("b", "Calle Mayor 2", { lat: 40.2, lng: -3.7 });
  expect(issuesOf([first, second])).toEqual([]);
});

test("each issue is counted and names its properties, the second one of two duplicates", () => {
  const place = { lat: 40.1, lng: -3.7 };
  const found = issuesOf([
    at("a", "Calle Mayor 1", place),
    at("b", "calle  mayor 1", place),
    at("c", "P.O. Box 7", null),
    at("d", "Plaza Mayor", null),
    at("e", "東京１丁目", null),
  ]);
  expect(found).toEqual([
    { issue: "DUPLICATE_ADDRESS", count: 1, property_ids: ["b"] },
    { issue: "DUPLICATE_LATLONG", count: 1, property_ids: ["b"] },
    { issue: "MISSING_LATLONG", count: 3, property_ids: ["c", "d", "e"] },
    { issue: "MISSING_PHYSICAL_STREET_ADDRESS", count: 1, property_ids: ["c"] },
    { issue: "MISSING_STREET_NUMBER", count: 1, property_ids: ["d"] },
  ]);
});
