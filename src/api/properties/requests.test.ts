import { expect, test } from "bun:test";
import { compile } from "../../http/validate.ts";
import { completeTree } from "./complete-tree.ts";
import { PatchBody, PropertyBody, type PropertyRequest } from "./requests.ts";
import { treeProblems } from "./tree-problems.ts";

const checkProperty = compile(PropertyBody);

const plan = {
  code: "FLEX",
  name: "Flexible",
  currency: "EUR",
  base_rate_per_night: 12_000,
  meal_plan: "breakfast",
  cancellation_kind: "free_until_cutoff",
} as const;
const room = {
  code: "DBL",
  name: "Double",
  max_occupancy: 3,
  default_inventory: 5,
  rate_plans: [plan],
};
const minimal: PropertyRequest = {
  slug: "seaview",
  name: "Sea View",
  address: { line1: "1 Quay", city: "Cádiz", country: "ES" },
  default_currency: "EUR",
  timezone: "Europe/Madrid",
  room_types: [room],
};
const policy = {
  version: "2026-01",
  cancellation_kind: "free_until_cutoff",
  free_cancellation_hours_before_checkin: 48,
  cancellation_fee_pct_after_cutoff: 50,
} as const;
const vat = {
  code: "VAT",
  name: "VAT",
  kind: "tax",
  basis: "percent",
  included_in_rate: true,
  collect: "prepaid",
} as const;

function counter(): () => string {
  let next = 0;
  return () => `00000000-0000-4000-8000-${String(++next).padStart(12, "0")}`;
}

function problemsOf(change: Partial<PropertyRequest>): string[] {
  const body = { ...minimal, ...change };
  expect(checkProperty(body)).toHaveLength(0);
  return treeProblems(completeTree(body, counter())).map(({ path }) => path);
}

function faultsOf(change: Record<string, unknown>): string[] {
  return checkProperty({ ...minimal, ...change }).map(({ path }) => path);
}

test("the fault of a patch member names each expected type once", () => {
  const wrong = Symbol("of no type");
  const sent = Object.fromEntries(Object.keys(PatchBody.properties).map((name) => [name, wrong]));
  const said = compile(PatchBody)(sent);
  expect(said.length).toBeGreaterThan(15);
  expect(said.filter(({ message }) => /or null.*or null/.test(message))).toEqual([]);
});

test("a tree gets new ids in document order, and every default", () => {
  const tree = completeTree({ ...minimal, policies: [policy] }, counter());
  expect(tree.id).toEndWith("01");
  expect(tree.room_types[0]).toMatchObject({
    id: expect.stringMatching(/02$/),
    included_occupancy: 2,
    overbooking_limit: 0,
    description: null,
    amenities: [],
  });
  expect(tree.room_types[0]?.rate_plans[0]).toEqual({
    ...plan,
    id: "00000000-0000-4000-8000-000000000003",
    extra_adult_per_night: 0,
    adjustments: [],
  });
  expect(tree.policies).toEqual([{ ...policy, child_policy_text: null, no_show_fee_pct: 100 }]);
  expect(tree).toMatchObject({ geo: null, checkin_time: null, pets_allowed: false, tax_rules: [] });
});

test("a completed tree is accepted again and stays the same", () => {
  const tree = completeTree({ ...minimal, policies: [policy] }, counter());
  const body: unknown = structuredClone(tree);
  expect(checkProperty(body)).toHaveLength(0);
  const again = completeTree(body as PropertyRequest, () => {
    throw new Error("no id is missing");
  });
  expect(again).toEqual(tree);
});

test("a single room includes one guest by default", () => {
  const room_types = [{ ...room, max_occupancy: 1 }];
  const tree = completeTree({ ...minimal, room_types }, counter());
  expect(tree.room_types[0]?.included_occupancy).toBe(1);
});

test("the key of the request does not become part of the tree", () => {
  const tree = completeTree({ ...minimal, idempotency_key: "k" }, counter());
  expect(tree).not.toHaveProperty("idempotency_key");
});

test("a slug is short, has plain characters and is not a UUID", () => {
  expect(faultsOf({ slug: "a-1" })).toEqual([]);
  for (const slug of ["", "Sea", "a_b", "a".repeat(121), "00000000-0000-4000-8000-000000000001"]) {
    expect(faultsOf({ slug })).toEqual(["/slug"]);
  }
});

test("ids, currencies, countries and clock times have a valid form", () => {
  const address = { ...minimal.address, country: "Spain" };
  const change = { id: "x", default_currency: "eur", checkin_time: "24:00", address };
  expect(faultsOf(change).sort()).toEqual([
    "/address/country",
    "/checkin_time",
    "/default_currency",
    "/id",
  ]);
});

test("unknown words and amounts that cannot be stored are reported at their path", () => {
  const bad = { ...plan, meal_plan: "dinner", base_rate_per_night: 4_000_000_001 };
  const room_types = [{ ...room, default_inventory: 60_001, rate_plans: [bad] }];
  expect(faultsOf({ room_types }).sort()).toEqual([
    "/room_types/0/default_inventory",
    "/room_types/0/rate_plans/0/base_rate_per_night",
    "/room_types/0/rate_plans/0/meal_plan",
  ]);
});

test("a zone is one that the calendar knows", () => {
  expect(problemsOf({ timezone: "Europe/Atlantis" })).toEqual(["/timezone"]);
});

test("codes and ids are used once", () => {
  const id = "00000000-0000-4000-8000-0000000000aa";
  const twin = { ...room, code: "TWN", rate_plans: [{ ...plan, id }, plan] };
  expect(problemsOf({ id, room_types: [room, room, twin] })).toEqual([
    "/room_types/1/code",
    "/room_types/2/rate_plans/1/code",
    "/room_types/2/rate_plans/0/id",
  ]);
});

test("a policy version is used once per kind of cancellation", () => {
  const other = { ...policy, cancellation_kind: "non_refundable" } as const;
  expect(problemsOf({ policies: [policy, other] })).toEqual([]);
  expect(problemsOf({ policies: [policy, other, policy] })).toEqual(["/policies/2/version"]);
});

test("a percent tax has only a rate, every other tax only an amount", () => {
  const night = { ...vat, code: "CITY", basis: "per_night" } as const;
  const fine = [
    { ...vat, rate_bps: 700 },
    { ...night, amount: 250 },
  ];
  expect(problemsOf({ tax_rules: fine })).toEqual([]);
  const both = { rate_bps: 1, amount: 1 };
  expect(problemsOf({ tax_rules: [vat, { ...night, ...both }] })).toEqual([
    "/tax_rules/0/rate_bps",
    "/tax_rules/1/rate_bps",
  ]);
});

test("taxes that could make a stay's amount inexact are reported, each by the member at fault", () => {
  const doubled = { ...vat, included_in_rate: false, rate_bps: 10_000, compound: true };
  const tax_rules = [
    ...Array.from({ length: 10 }, (_, n) => ({ ...doubled, code: `T${n}` })),
    { ...vat, included_in_rate: false, code: "FEE", basis: "per_stay" as const, amount: 1 },
  ];
  expect(problemsOf({ tax_rules: tax_rules.slice(0, 9) })).toEqual([]);
  expect(problemsOf({ tax_rules })).toEqual(["/tax_rules/9/rate_bps", "/tax_rules/10/amount"]);
});

test("a tax's dates are valid and in order", () => {
  const rule = { ...vat, rate_bps: 700 };
  const tax_rules = [
    { ...rule, valid_from: "2026-02-29" },
    { ...rule, code: "B", valid_from: "2026-03-02", valid_to: "2026-03-01" },
  ];
  expect(problemsOf({ tax_rules })).toEqual(["/tax_rules/0/valid_from", "/tax_rules/1/valid_to"]);
});

const derived = (over: object = {}, more: object = {}) => ({
  ...{ ...plan, code: "SAVER", base_rate_per_night: 0, ...more },
  derived_from: { rate_plan_id: "FLEX", bps: -1_000, ...over },
});

test("a derived plan follows another by id or code, and has the rate that follows", () => {
  const rate_plans = [plan, derived({ round_to: 100 })];
  const tree = completeTree({ ...minimal, room_types: [{ ...room, rate_plans }] }, counter());
  const [flex, saver] = tree.room_types[0]!.rate_plans;
  const rule = { rate_plan_id: flex!.id, bps: -1_000, round_to: 100, rounding: "half_up" };
  expect(saver).toMatchObject({ base_rate_per_night: 10_800, derived_from: rule });
  const body = structuredClone(tree) as PropertyRequest;
  expect(checkProperty(body)).toHaveLength(0);
  expect(completeTree(body, counter())).toEqual(tree);
});

test("a plan is derived from one with prices of its own, in its currency, by one change", () => {
  const problems = (...plans: object[]) =>
    problemsOf({ room_types: [{ ...room, rate_plans: [plan, ...plans] as never }] });
  const at = "/room_types/0/rate_plans/1/derived_from";
  expect(problems(derived())).toEqual([]);
  expect(problems(derived({ rate_plan_id: "flex" }))).toEqual([]);
  expect(problems(derived({ rate_plan_id: "NONE" }))).toEqual([`${at}/rate_plan_id`]);
  expect(problems(derived({ rate_plan_id: "SAVER" }))).toEqual([`${at}/rate_plan_id`]);
  expect(problems(derived({}, { currency: "USD" }))).toEqual([`${at}/rate_plan_id`]);
  expect(problems(derived({ bps: undefined }))).toEqual([`${at}/bps`]);
  expect(problems(derived({ amount: 1 }))).toEqual([`${at}/amount`]);
  const second = derived({ rate_plan_id: "SAVER" }, { code: "THIRD" });
  const chain = "/room_types/0/rate_plans/2/derived_from/rate_plan_id";
  expect(problems(derived(), second)).toEqual([chain]);
});

test("a discount takes off a percentage or an amount, within limits in their order", () => {
  const problems = (...all: object[]) => {
    const discounts = all.map((each) => ({ code: "D", label: "Deal", ...each }));
    const rate_plans = [{ ...plan, discounts }];
    return problemsOf({ room_types: [{ ...room, rate_plans }] as never });
  };
  const at = "/room_types/0/rate_plans/0/discounts/0";
  expect(problems({ bps: -1_500, min_nights: 3, max_nights: 3, days_of_week: ["fri"] })).toEqual(
    [],
  );
  expect(problems({})).toEqual([`${at}/bps`]);
  expect(problems({ bps: -1, amount: -1 })).toEqual([`${at}/amount`]);
  expect(problems({ bps: -1, booked_until: "2026-02-30" })).toEqual([`${at}/booked_until`]);
  const late = { bps: -1, stay_from: "2027-02-02", stay_until: "2027-02-01" };
  expect(problems(late)).toEqual([`${at}/stay_until`]);
  expect(problems({ amount: -1, min_advance_days: 9, max_advance_days: 3 })).toEqual([
    `${at}/max_advance_days`,
  ]);
  expect(problems({ bps: -1 }, { bps: -2 })).toEqual([`${at.replace(/0$/, "1")}/code`]);
  const dearer = { ...plan, discounts: [{ code: "D", label: "Deal", bps: 100 }] };
  expect(faultsOf({ room_types: [{ ...room, rate_plans: [dearer] }] })).toEqual([`${at}/bps`]);
});

test("child bands do not overlap and have a price", () => {
  const band = { min_age: 0, max_age: 2, pricing: "free", counts_toward_occupancy: false } as const;
  const next = { ...band, min_age: 3, max_age: 11 };
  expect(problemsOf({ child_bands: [band, next] })).toEqual([]);
  const child_bands = [
    band,
    { ...next, min_age: 2 },
    { ...band, min_age: 15, max_age: 12, pricing: "percent_bps" as const },
  ];
  expect(problemsOf({ child_bands })).toEqual([
    "/child_bands/1/min_age",
    "/child_bands/2/max_age",
    "/child_bands/2/value",
  ]);
});

test("a room's price covers no more guests than fit", () => {
  const room_types = [{ ...room, included_occupancy: 4 }];
  expect(problemsOf({ room_types })).toEqual(["/room_types/0/included_occupancy"]);
});
