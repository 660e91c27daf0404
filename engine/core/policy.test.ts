/** The cancellation table as money and as the wire snapshot, on both sides of every instant. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { policyTerms, propertyTree, ratePlan, roomType } from "../../test/support/builders.ts";
import { dayOf } from "./calendar.ts";
import { feeAt, feeTable, policyFor, policyHashInput, policySnapshot } from "./policy.ts";
import type { FrozenQuote } from "./quote.ts";
import type { CancellationKind, PolicyTerms, PropertyTree, RatePlan } from "./supply.ts";

const DAY_MS = 86_400_000;

function terms(kind: CancellationKind, over: Partial<PolicyTerms> = {}): PolicyTerms {
  return policyTerms({ cancellation_kind: kind, ...over });
}

function plan(kind: CancellationKind): RatePlan {
  return ratePlan({ id: "rp1", cancellation_kind: kind });
}

function treeOf(one: PolicyTerms, over: Partial<PropertyTree> = {}): PropertyTree {
  const rate_plans = [plan(one.cancellation_kind)];
  const room_types = [roomType({ id: "rt1", rate_plans })];
  const own = { checkin_time: null, policies: [one], tax_rules: [], room_types };
  return propertyTree({ id: "p1", ...own, ...over });
}

function feesOf(one: PolicyTerms, checkIn = "2026-12-20", due_now = 34_200) {
  const tree = treeOf(one);
  return feeTable({ tree, terms: one, checkInDay: dayOf(checkIn), priced: { due_now } });
}

function quoteOf(one: PolicyTerms, created: string, due_now = 34_200): FrozenQuote {
  return {
    quote_id: "q1",
    tenant_id: "t1",
    mode: "test",
    agent_id: "a1",
    property_id: "p1",
    room_type_id: "rt1",
    rate_plan_id: "rp1",
    stay: { check_in: "2026-12-20", check_out: "2026-12-23" },
    guests: { adults: 2, children: [] },
    supply_version: 1,
    policy_version: one.version,
    currency: "EUR",
    nightly: [11_400, 11_400, 11_400],
    extra_adult: 0,
    sources: "bbb",
    room_subtotal: 34_200,
    total: 38_700,
    due_now,
    due_at_property: 4_500,
    fees: feesOf(one, "2026-12-20", due_now),
    price_hash: "sha256:00",
    policy_hash: "sha256:11",
    created_at: Date.parse(created),
    expires_at: Date.parse(created) + 1_800_000,
  };
}

const EARLY = "2026-11-01T10:00:00.000Z";
const FREE = terms("free_until_cutoff");

test("a plan uses the policy of its kind with the greatest version", () => {
  const versions = ["2026-03", "2026-10", "2026-09"];
  const policies = [...versions.map((version) => terms("non_refundable", { version })), FREE];
  const tree = treeOf(FREE, { policies });
  expect(policyFor(tree, plan("non_refundable"))?.version).toBe("2026-10");
  expect(policyFor(tree, plan("free_until_cutoff"))).toBe(FREE);
  expect(policyFor(tree, plan("fee_from_booking"))).toBeNull();
});

test("the fee changes at the cut-off instant itself, and again at check-in", () => {
  const fees = feesOf(FREE);
  const cutoffMs = Date.parse("2026-12-18T14:00:00Z");
  const anchorMs = Date.parse("2026-12-20T14:00:00Z");
  const row = (fee: number, tier_index: number, next_change_at: number | null) => ({
    fee,
    tier_index,
    next_change_at,
  });
  expect(feeAt(fees, cutoffMs - 1)).toEqual(row(0, 0, cutoffMs));
  expect(feeAt(fees, cutoffMs)).toEqual(row(17_100, 1, anchorMs));
  expect(feeAt(fees, cutoffMs + 1)).toEqual(row(17_100, 1, anchorMs));
  expect(feeAt(fees, anchorMs - 1)).toEqual(row(17_100, 1, anchorMs));
  expect(feeAt(fees, anchorMs)).toEqual(row(34_200, 2, null));
});

test.each([
  ["the clock goes forward", "2026-03-29", "2026-03-28T14:00:00+01:00"],
  ["the clock goes back", "2026-10-25", "2026-10-24T16:00:00+02:00"],
  ["the clock stands", "2026-06-10", "2026-06-09T15:00:00+02:00"],
])("a day before check-in is 86 400 elapsed seconds when %s", (_, checkIn, cutoff) => {
  const fees = feesOf(
    terms("free_until_cutoff", { free_cancellation_hours_before_checkin: 24 }),
    checkIn,
  );
  expect(fees.tiers).toEqual([{ until_ms: Date.parse(cutoff), fee: 0 }]);
  expect(fees.anchor_ms - fees.tiers[0]!.until_ms).toBe(DAY_MS);
  expect(feeAt(fees, Date.parse(cutoff) - 1).tier_index).toBe(0);
  expect(feeAt(fees, Date.parse(cutoff)).tier_index).toBe(1);
});

test("without free cancellation there is no tier", () => {
  const booking = feesOf(terms("fee_from_booking", { cancellation_fee_pct_after_cutoff: 12.5 }));
  expect(booking).toMatchObject({ tiers: [], after: 4_275, no_show: 34_200 });
  expect(feeAt(booking, 0)).toEqual({
    fee: 4_275,
    tier_index: 0,
    next_change_at: booking.anchor_ms,
  });
  expect(feeAt(booking, booking.anchor_ms).tier_index).toBe(1);
  const strict = terms("non_refundable", {
    cancellation_fee_pct_after_cutoff: 0,
    no_show_fee_pct: 0,
  });
  expect(feesOf(strict)).toMatchObject({ tiers: [], after: 34_200, no_show: 34_200 });
});

test("the anchor is the property's own check-in time", () => {
  const tree = treeOf(FREE, { checkin_time: "12:30", timezone: "Asia/Tokyo" });
  const fees = feeTable({
    tree,
    terms: FREE,
    checkInDay: dayOf("2026-12-20"),
    priced: { due_now: 1 },
  });
  expect(fees.anchor).toBe("2026-12-20T12:30:00+09:00");
  expect(fees.anchor_ms).toBe(Date.parse(fees.anchor));
});

test("no row keeps more than was prepaid or less than nothing", () => {
  const percent = fc.double({ min: -10, max: 200, noNaN: true });
  const kind = fc.constantFrom<CancellationKind[]>(
    "free_until_cutoff",
    "fee_from_booking",
    "non_refundable",
  );
  const atMs = fc.integer({ min: Date.parse("2026-12-01"), max: Date.parse("2027-01-01") });
  fc.assert(
    fc.property(kind, percent, percent, fc.nat(), atMs, (each, after, noShow, dueNow, at) => {
      const one = terms(each, {
        cancellation_fee_pct_after_cutoff: after,
        no_show_fee_pct: noShow,
      });
      const { fee, next_change_at } = feeAt(feesOf(one, "2026-12-20", dueNow), at);
      expect(Number.isSafeInteger(fee) && fee >= 0 && fee <= dueNow).toBe(true);
      expect(next_change_at === null || next_change_at > at).toBe(true);
    }),
  );
});

test("the example of domain §3 is rendered as printed there", () => {
  const quote = quoteOf(FREE, EARLY);
  expect(policySnapshot(treeOf(FREE), quote)).toEqual({
    policy_version: "2026-03",
    cancellation_kind: "free_until_cutoff",
    refundability: "refundable",
    timezone: "Europe/Madrid",
    anchor: "2026-12-20T15:00:00+01:00",
    tiers: [
      {
        until: "PT48H",
        cutoff_at: "2026-12-18T14:00:00.000Z",
        penalty: { kind: "none" },
        fee: 0,
        refund: 34_200,
      },
    ],
    after_last_tier: { penalty: { kind: "percentage", bps: 5_000 }, fee: 17_100, refund: 17_100 },
    no_show: { penalty: { kind: "percentage", bps: 10_000 }, fee: 34_200 },
    fee_basis: "prepaid_total",
    modification: { allowed_until: "2026-12-18T14:00:00.000Z", rule: "same_length_same_total" },
    child_policy_text: null,
    description: "Free cancellation until 18 Dec 2026 15:00 Madrid; then 50 %.",
    captured_at: EARLY,
    hash: "sha256:11",
  });
});

test("a snapshot captured at the cut-off says that free cancellation is over", () => {
  const quote = quoteOf(FREE, "2026-12-18T14:00:00.000Z");
  const snapshot = policySnapshot(treeOf(FREE), quote);
  expect(snapshot.tiers).toHaveLength(1);
  expect(snapshot.refundability).toBe("partially_refundable");
  expect(snapshot.description).toBe(
    "Free cancellation ended 18 Dec 2026 15:00 Madrid; cancellation fee 50 %.",
  );
});

test.each([
  ["non_refundable", 50, "non_refundable", null, "Non-refundable: the prepaid amount is kept."],
  [
    "fee_from_booking",
    100,
    "non_refundable",
    "2026-12-20T14:00:00.000Z",
    "Cancellation fee from booking: 100 %.",
  ],
  [
    "fee_from_booking",
    12.5,
    "partially_refundable",
    "2026-12-20T14:00:00.000Z",
    "Cancellation fee from booking: 12.5 %.",
  ],
  [
    "fee_from_booking",
    0,
    "refundable",
    "2026-12-20T14:00:00.000Z",
    "Cancellation fee from booking: 0 %.",
  ],
] as const)(
  "a %s plan at %d percent is described as what it gives back",
  (kind, pct, refundability, until, text) => {
    const one = terms(kind, { cancellation_fee_pct_after_cutoff: pct });
    const snapshot = policySnapshot(treeOf(one), quoteOf(one, EARLY, 0));
    expect(snapshot).toMatchObject({ refundability, description: text });
    expect(snapshot.modification.allowed_until).toBe(until);
  },
);

test("what is hashed is the canonical snapshot without its hash", () => {
  const quote = quoteOf(FREE, EARLY);
  const { hash: _, ...rest } = policySnapshot(treeOf(FREE), quote);
  const input = policyHashInput(treeOf(FREE), quote);
  expect(JSON.parse(input)).toEqual(rest);
  const rehashed: FrozenQuote = { ...quote, policy_hash: "sha256:ff" };
  expect(policyHashInput(treeOf(FREE), rehashed)).toBe(input);
});

test("a quote that names nothing in its tree is a broken program", () => {
  const quote = quoteOf(FREE, EARLY);
  expect(() => policySnapshot(treeOf(FREE), { ...quote, policy_version: "x" })).toThrow(
    "no policy",
  );
  expect(() => policySnapshot(treeOf(FREE), { ...quote, rate_plan_id: "x" })).toThrow("no plan");
});
