/** Goal: a refused promotion gives one body that repairs all its reasons. */
import { expect, test } from "bun:test";
import { propertyTree, ratePlan, roomType } from "../../../test/support/builders.ts";
import { dayIn } from "../../../test/support/given.ts";
import type { PropertyTree } from "../supply.ts";
import { promotionReasons } from "./promotion.ts";
import { promotionFixesOf } from "./promotion-fixes.ts";

const TODAY = dayIn(0);

function mended(tree: PropertyTree) {
  const property = { mode: "live", tree, rooms: new Map(), retired: new Map() } as const;
  return promotionFixesOf(tree, promotionReasons(property, TODAY, true), TODAY);
}

test("a promotable tree needs no fix, and warnings alone need none", () => {
  expect(mended(propertyTree())).toBeNull();
  expect(mended(propertyTree({ images: [], amenities: [] }))).toBeNull();
});

test("missing or wrong members are requested by name", () => {
  const tree = propertyTree({ geo: null, phone: "12", email: "no", checkin_time: null });
  expect(mended(tree)).toEqual({
    patch: {
      geo: { lat: "<latitude, -90 to 90>", lng: "<longitude, -180 to 180>" },
      checkin_time: "<local time as HH:mm>",
      phone: "<phone number, such as +34931234567>",
      email: "<email address of the property>",
    },
  });
});

test("a plan without a policy requests a policy of its kind, in addition to existing ones", () => {
  const plans = [
    ratePlan(),
    ratePlan({ id: "p2", code: "B", cancellation_kind: "non_refundable" }),
  ];
  const tree = propertyTree({ room_types: [roomType({ rate_plans: plans })] });
  const patch = mended(tree)?.patch as { policies: { cancellation_kind: string }[] };
  expect(Object.keys(patch)).toEqual(["policies"]);
  expect(patch.policies[0]).toEqual(tree.policies[0]!);
  expect(patch.policies.map((each) => each.cancellation_kind)).toEqual([
    "free_until_cutoff",
    "non_refundable",
  ]);
});

test("plans in one other currency set the property's; among several, the odd ones are restated", () => {
  const plan = (id: string, currency: string) => ratePlan({ id, code: id, currency });
  const rooms = (...plans: ReturnType<typeof plan>[]) => [roomType({ rate_plans: plans })];
  const dollars = propertyTree({ room_types: rooms(plan("a", "USD"), plan("b", "USD")) });
  expect(mended(dollars)).toEqual({ patch: { default_currency: "USD" } });
  const mixed = propertyTree({ room_types: rooms(plan("a", "EUR"), plan("b", "USD")) });
  const restated = { currency: "EUR", base_rate_per_night: "<amount in minor units>" };
  expect(mended(mixed)?.patch).toMatchObject({
    room_types: [{ rate_plans: [plan("a", "EUR"), { id: "b", ...restated }] }],
  });
});

test("missing rooms, plans and units are requested, and the rest is unchanged", () => {
  const none = mended(propertyTree({ room_types: [] }))?.patch;
  expect(none).toMatchObject({ room_types: [{ rate_plans: [{ currency: "EUR" }] }] });
  const bare = roomType({ rate_plans: [], default_inventory: 0 });
  const patch = mended(propertyTree({ room_types: [bare] }))?.patch;
  expect(patch).toMatchObject({
    room_types: [{ ...bare, default_inventory: "<how many rooms there are>", rate_plans: [{}] }],
  });
});

test("a list that is too long to send is left to the reader of the property", () => {
  const text = "x".repeat(9_000);
  const kind = { cancellation_kind: "non_refundable" } as const;
  const policies = propertyTree().policies.map((each) => ({ ...each, child_policy_text: text }));
  const tree = propertyTree({
    geo: null,
    policies: [...policies, { ...policies[0]!, version: "2026-04" }],
    room_types: [roomType({ rate_plans: [ratePlan(kind)] })],
  });
  expect(Object.keys(mended(tree)?.patch ?? {})).toEqual(["geo"]);
});
