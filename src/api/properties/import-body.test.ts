/** A line of an import sets its members and keeps the rest; faults refer to the line. */
import { expect, test } from "bun:test";
import type { PropertyTree } from "../../../engine/core/supply.ts";
import { propertyTree, ratePlan, roomType } from "../../../test/support/builders.ts";
import { bodyAfter, pointerInLine } from "./import-body.ts";

const FLEX = ratePlan({ id: "flex", code: "FLEX" });
const BB = ratePlan({ id: "bb", code: "BB", meal_plan: "breakfast" });
const [TERMS] = propertyTree().policies;
const TREE = propertyTree({
  images: ["https://example.com/a.jpg"],
  room_types: [
    roomType({ id: "double", code: "DBL", rate_plans: [FLEX, BB] }),
    roomType({ id: "suite", code: "STE", rate_plans: [] }),
  ],
  policies: [
    { ...TERMS!, cancellation_kind: "free_until_cutoff", version: "1" },
    { ...TERMS!, cancellation_kind: "free_until_cutoff", version: "2" },
  ],
});
const after = (sent: unknown, before: PropertyTree | null = TREE) =>
  bodyAfter(sent, before).body as PropertyTree;

test("a line sets its members; rooms, plans and pictures that it omits stay", () => {
  const body = after({
    slug: TREE.slug,
    name: "Renamed",
    room_types: [
      { code: "STE", default_inventory: 1 },
      { code: "DBL", rate_plans: [{ code: "BB", base_rate_per_night: 1 }, { code: "NEW" }] },
      { code: "SGL" },
    ],
  });
  const [double, suite] = TREE.room_types;
  expect(body).toEqual({
    ...TREE,
    name: "Renamed",
    room_types: [
      {
        ...double!,
        rate_plans: [FLEX, { ...BB, base_rate_per_night: 1 }, { code: "NEW" } as typeof FLEX],
      },
      { ...suite!, default_inventory: 1 },
      { code: "SGL" } as typeof double & object,
    ],
  });
  expect(after({ slug: TREE.slug })).toEqual(TREE);
});

test("a plan that follows another by an amount is told to follow it by a percentage", () => {
  const rule = { rate_plan_id: "FLEX", amount: 100, round_to: 1, rounding: "half_up" } as const;
  const before = { ...TREE, room_types: [roomType({ code: "DBL", rate_plans: [FLEX, BB] })] };
  const derived = { ...before.room_types[0]!, rate_plans: [FLEX, { ...BB, derived_from: rule }] };
  const told = (plan: object) => {
    const room_types = [{ code: "DBL", rate_plans: [{ code: "BB", ...plan }] }];
    return after({ room_types }, { ...before, room_types: [derived] }).room_types[0]!.rate_plans[1];
  };
  const share = { rate_plan_id: "FLEX", bps: -1_000 };
  expect(told({ derived_from: share })!.derived_from).toEqual(share as never);
  expect(told({ name: "Other" })!.derived_from).toEqual(rule);
  expect(told({ derived_from: null })).toEqual(BB);
});

test("terms without a version are the current ones; a tax is replaced whole", () => {
  const terms = { cancellation_kind: "free_until_cutoff", cancellation_fee_pct_after_cutoff: 80 };
  const { policies } = after({ policies: [terms] });
  expect(policies).toEqual([
    TREE.policies[0]!,
    { ...TREE.policies[1]!, cancellation_fee_pct_after_cutoff: 80 },
  ]);
  const tax = { code: "VAT", name: "VAT", kind: "tax", included_in_rate: true, collect: "prepaid" };
  const old = { ...tax, basis: "per_night", amount: 100 } as PropertyTree["tax_rules"][0];
  const now = { ...tax, basis: "percent", rate_bps: 700 } as PropertyTree["tax_rules"][0];
  expect(after({ tax_rules: [now] }, { ...TREE, tax_rules: [old] }).tax_rules).toEqual([now]);
});

test("a kind gives default terms where a line omits them, but no fee for free cancellation", () => {
  const plan = (cancellation_kind: string) => ({ code: cancellation_kind, cancellation_kind });
  const kinds = ["free_until_cutoff", "non_refundable", "fee_from_booking"];
  const line = { room_types: [{ rate_plans: kinds.map(plan) }] };
  const { body, byKind } = bodyAfter(line, null);
  const kept = {
    free_cancellation_hours_before_checkin: 0,
    cancellation_fee_pct_after_cutoff: 100,
  };
  const terms = {
    version: "1",
    cancellation_kind: "non_refundable",
    ...kept,
    no_show_fee_pct: 100,
  };
  expect((body as PropertyTree).policies).toEqual([terms as PropertyTree["policies"][0]]);
  expect(byKind).toEqual(["/room_types/0/rate_plans/1"]);
  const told = bodyAfter({ ...line, policies: [{ ...terms, no_show_fee_pct: 90 }] }, null);
  expect(told.byKind).toEqual([]);
  const fee = { cancellation_kind: "fee_from_booking", cancellation_fee_pct_after_cutoff: 30 };
  expect(after({ policies: [fee] }, null).policies).toEqual([
    { free_cancellation_hours_before_checkin: 0, ...fee, version: "1" } as typeof TERMS & object,
  ]);
});

test("a pointer into the property is reported as one into the line, at any position", () => {
  const sent = { room_types: [{ code: "NEW" }, { code: "DBL", rate_plans: [{ code: "BB" }] }] };
  const { body } = bodyAfter(sent, TREE);
  const told = (pointer: string) => pointerInLine(pointer, body, sent);
  expect(told("/room_types/0/rate_plans/1/currency")).toBe("/room_types/1/rate_plans/0/currency");
  expect(told("/room_types/0/rate_plans/0/currency")).toBe("/room_types/1/rate_plans");
  expect(told("/room_types/1/rate_plans")).toBe("/room_types");
  expect(told("/room_types/2")).toBe("/room_types/0");
  expect(told("/policies/0")).toBe("/policies");
  expect(told("/geo/lat")).toBe("/geo/lat");
  const twins = { room_types: [{ code: "A" }, { code: "A" }, null] };
  for (const pointer of ["/room_types/1/code", "/room_types/2"]) {
    expect(pointerInLine(pointer, bodyAfter(twins, null).body, twins)).toBe(pointer);
  }
  expect(pointerInLine("/room_types/0/code", { room_types: 7 }, { room_types: 7 })).toBe(
    "/room_types/0/code",
  );
});

test("a value that is not a property is left for the schema to refuse", () => {
  const strange = [null, 7, [], { room_types: 7 }, { room_types: [null, { rate_plans: [1] }] }];
  for (const sent of [...strange, { policies: [null, "x"] }, { policies: 3, room_types: [] }]) {
    for (const before of [null, TREE]) {
      expect(() => bodyAfter(sent, before)).not.toThrow();
    }
  }
});
