/** Reasons against promotion: each with its place, all at once. */
import { expect, test } from "bun:test";
import {
  createProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
  updateAri,
} from "../../../test/support/builders.ts";
import { dayIn, given } from "../../../test/support/given.ts";
import { dateOf } from "../calendar.ts";
import type { AriUpdate, Mode, PropertyTree } from "../supply.ts";
import { promotionReasons } from "./promotion.ts";

const OPEN_HORIZON_DAYS = 548;

function reasons(
  over: Partial<PropertyTree>,
  options: { mode?: Mode; payments?: boolean; ari?: AriUpdate } = {},
): string[] {
  const { mode = "live", payments = true, ari } = options;
  const tree = propertyTree(over);
  const world = given(
    createProperty(tree, { mode }),
    ...(ari ? [updateAri(tree, ari, { mode })] : []),
  );
  const property = world.state.property({ ...REALM, mode }, tree.id)!;
  return promotionReasons(property, dayIn(0), payments).map(
    ({ code, path, severity }) => `${severity} ${code} ${path}`,
  );
}

test("a complete property has no errors and no warnings", () => {
  expect(reasons({})).toEqual([]);
});

test("contact, place and time are errors on live, pictures and taxes only warnings", () => {
  const bare = { geo: null, checkin_time: null, phone: "0931234567", email: "desk" };
  const empty = { images: [], amenities: [], tax_rules: [] };
  expect(reasons({ ...bare, ...empty }, { payments: false })).toEqual([
    "error missing_geo /geo",
    "error missing_checkin_time /checkin_time",
    "error invalid_contact_phone /phone",
    "error invalid_contact_email /email",
    "warning no_images /images",
    "warning no_amenities /amenities",
    "warning no_tax_rules /tax_rules",
    "error payment_provider_not_configured ",
  ]);
  expect(reasons({ ...bare, ...empty }, { mode: "test", payments: false })).toEqual([]);
});

test("an absent contact is not reported as invalid", () => {
  expect(reasons({ phone: null, email: null })).toEqual([]);
});

test("rooms, inventory, plans, policies and currency are required in both modes", () => {
  const rooms = [
    roomType({ id: "no-units", default_inventory: 0 }),
    roomType({ id: "no-plan", rate_plans: [] }),
    roomType({
      id: "odd-plans",
      rate_plans: [
        ratePlan({ id: "no-policy", cancellation_kind: "non_refundable" }),
        ratePlan({ id: "dollars", currency: "USD" }),
      ],
    }),
  ];
  for (const mode of ["live", "test"] as const) {
    expect(reasons({ room_types: rooms }, { mode })).toEqual([
      "error room_type_without_inventory /room_types/0",
      "error room_type_without_rate_plan /room_types/1/rate_plans",
      "error rate_plan_without_policy /room_types/2/rate_plans/0",
      "error currency_mismatch /room_types/2/rate_plans/1/currency",
    ]);
    expect(reasons({ room_types: [] }, { mode })).toEqual(["error no_room_types /room_types"]);
  }
});

test("taxes that make the dearest stay inexact are errors in both modes", () => {
  const [vat] = propertyTree().tax_rules;
  const tax_rules = Array.from({ length: 12 }, (_, n) => {
    return { ...vat!, code: `T${n}`, rate_bps: 10_000, included_in_rate: false, compound: true };
  });
  for (const mode of ["live", "test"] as const) {
    expect(reasons({ tax_rules }, { mode })).toEqual(
      [9, 10, 11].map((i) => `error price_not_exact /tax_rules/${i}`),
    );
  }
});

test("inventory by date counts as inventory", () => {
  const date = dateOf(dayIn(100));
  const inventory = [{ room_type_id: "room-double", from: date, to: date, capacity: 1 }];
  const room_types = [roomType({ default_inventory: 0 })];
  expect(reasons({ room_types }, { ari: { inventory } })).toEqual([]);
});

test("stop-sell on every night of the next 18 months is an error, one open night is enough", () => {
  const closedFor = (days: number) => {
    const range = { from: dateOf(dayIn(0)), to: dateOf(dayIn(days - 1)) };
    return { restrictions: [{ room_type_id: "room-double", ...range, stop_sell: true }] };
  };
  expect(reasons({}, { ari: closedFor(OPEN_HORIZON_DAYS) })).toEqual([
    "error no_open_rates_in_horizon /room_types",
  ]);
  expect(reasons({}, { ari: closedFor(OPEN_HORIZON_DAYS - 1) })).toEqual([]);
});

test("a price that is not in minor units and terms that a kind overrides give warnings", () => {
  const prices = [499, 500].map((base_rate_per_night, i) =>
    ratePlan({ id: `plan-${i}`, code: `P${i}`, base_rate_per_night }),
  );
  const room_types = [roomType({ rate_plans: prices })];
  expect(reasons({ room_types })).toEqual([
    "warning base_rate_low /room_types/0/rate_plans/0/base_rate_per_night",
  ]);
  const [policy] = propertyTree().policies;
  const none = { ...policy!, cancellation_kind: "non_refundable", version: "nr" } as const;
  const free = {
    free_cancellation_hours_before_checkin: 24,
    cancellation_fee_pct_after_cutoff: 50,
  };
  const kept = {
    free_cancellation_hours_before_checkin: 0,
    cancellation_fee_pct_after_cutoff: 100,
  };
  const policies = [policy!, { ...none, ...free }, { ...none, ...kept, version: "nr-2" }];
  expect(reasons({ policies })).toEqual(["warning policy_terms_unused /policies/1"]);
});

test("a discount whose last day has passed gives a warning, one of today none", () => {
  const of = (over: object) => ({ code: "D", label: "Deal", bps: -500, ...over });
  const on = (inDays: number) => dateOf(dayIn(inDays));
  const discounts = [
    ...[of({ booked_until: on(-2) }), of({ booked_until: on(0) }), of({ stay_until: on(-2) })],
    of({ booked_from: on(-9) }),
  ];
  const room_types = [roomType({ rate_plans: [ratePlan({ discounts })] })];
  expect(reasons({ room_types })).toEqual([
    "warning discount_over /room_types/0/rate_plans/0/discounts/0",
    "warning discount_over /room_types/0/rate_plans/0/discounts/2",
  ]);
});
