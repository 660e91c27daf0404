/** The cancellation table as money and as the wire snapshot, on both sides of every instant. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { policyTerms, propertyTree, ratePlan, roomType } from "../../../test/support/builders.ts";
import { rowAt } from "../../../test/support/quoted-terms.ts";
import { dayOf } from "../calendar.ts";
import { canonicalJson } from "../canonical.ts";
import type { CancellationKind, PolicyTerms, PropertyTree, RatePlan } from "../supply.ts";
import { policyHashInput } from "./hash-input.ts";
import { feeAt, feeTable, policyFor } from "./policy.ts";
import { type PolicySnapshot, policySnapshot } from "./policy-snapshot.ts";
import type { FrozenQuote } from "./quote.ts";

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
const EVENING = "2026-12-20T20:00:00.000Z";
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

test("without free cancellation there is no free tier", () => {
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

test("a row keeps at most the prepaid amount and at least nothing", () => {
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

test("the three-tier example renders completely, with the end of its last row", () => {
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
    after_last_tier: {
      cutoff_at: "2026-12-20T14:00:00.000Z",
      penalty: { kind: "percentage", bps: 5_000 },
      fee: 17_100,
      refund: 17_100,
    },
    no_show: { penalty: { kind: "percentage", bps: 10_000 }, fee: 34_200 },
    fee_basis: "prepaid_total",
    modification: { allowed_until: "2026-12-18T14:00:00.000Z", rule: "same_length_same_total" },
    child_policy_text: null,
    description:
      "Free cancellation until 18 Dec 2026, 15:00 (Madrid time); then it costs 50 % of the " +
      "prepaid amount, and 100 % from 20 Dec 2026, 15:00 (Madrid time).",
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
    "Cancellation costs 50 % from now, of the prepaid amount, " +
      "100 % from 20 Dec 2026, 15:00 (Madrid time).",
  );
});

test.each([
  ["non_refundable", 50, "non_refundable", null, "Non-refundable: the prepaid amount is kept."],
  [
    "fee_from_booking",
    100,
    "non_refundable",
    "2026-12-20T14:00:00.000Z",
    "Non-refundable: the prepaid amount is kept.",
  ],
  [
    "fee_from_booking",
    12.5,
    "partially_refundable",
    "2026-12-20T14:00:00.000Z",
    "Cancellation costs 12.5 % from now, of the prepaid amount, " +
      "100 % from 20 Dec 2026, 15:00 (Madrid time).",
  ],
  [
    "fee_from_booking",
    0,
    "refundable",
    "2026-12-20T14:00:00.000Z",
    "Free cancellation until 20 Dec 2026, 15:00 (Madrid time); " +
      "then it costs 100 % of the prepaid amount.",
  ],
] as const)(
  "a %s plan at %d percent is described by what it refunds",
  (kind, pct, refundability, until, text) => {
    const one = terms(kind, { cancellation_fee_pct_after_cutoff: pct });
    const snapshot = policySnapshot(treeOf(one), quoteOf(one, EARLY, 0));
    expect(snapshot).toMatchObject({ refundability, description: text });
    expect(snapshot.modification.allowed_until).toBe(until);
  },
);

test.each([
  [FREE, "2026-12-18T13:59:59.000Z", "refundable"],
  [FREE, "2026-12-18T14:00:00.000Z", "partially_refundable"],
  [FREE, "2026-12-20T13:59:59.000Z", "partially_refundable"],
  [FREE, "2026-12-20T14:00:00.000Z", "non_refundable"],
  [terms("fee_from_booking", { no_show_fee_pct: 0 }), "2026-12-20T14:00:00.000Z", "refundable"],
] as const)(
  "the quote of case %# states the fee of cancelling at once",
  (one, created, refundability) => {
    const snapshot = policySnapshot(treeOf(one), quoteOf(one, created));
    expect(snapshot.refundability).toBe(refundability);
    const evening = snapshot.description;
    if (created === "2026-12-20T14:00:00.000Z") {
      expect(evening).toBe(
        refundability === "refundable"
          ? "Free cancellation at any time."
          : "Non-refundable: the prepaid amount is kept.",
      );
    }
  },
);

test("words, rows, refundability and fees agree every second, in every zone, at clock changes too", () => {
  const zones = ["Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"];
  const days = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-25", "2026-11-01", "2026-12-20"];
  const kinds = ["free_until_cutoff", "fee_from_booking", "non_refundable"] as const;
  const times = ["00:30", "01:30", "02:30", "15:00", "23:59"];
  const pct = fc.constantFrom(0, 12.5, 50, 100);
  const hours = fc.constantFrom(0, 1, 24, 48.5);
  const around = fc.tuple(fc.nat({ max: 2 }), fc.integer({ min: -3_605, max: 3_605 }));
  fc.assert(
    fc.property(
      fc.record({
        zone: fc.constantFrom(...zones),
        date: fc.constantFrom(...days),
        time: fc.constantFrom(...times),
        kind: fc.constantFrom(...kinds),
        ...{ after: pct, noShow: pct, hours, around },
      }),
      ({ zone: timezone, date, time, kind, after, noShow, hours: free, around: [at, seconds] }) => {
        const one = terms(kind, {
          free_cancellation_hours_before_checkin: free,
          cancellation_fee_pct_after_cutoff: after,
          no_show_fee_pct: noShow,
        });
        const tree = treeOf(one, { timezone, checkin_time: time });
        const priced = { due_now: 10_000 };
        const fees = feeTable({ tree, terms: one, checkInDay: dayOf(date), priced });
        const edges = [fees.tiers[0]?.until_ms ?? fees.anchor_ms, fees.anchor_ms, 0];
        const created_at = (edges[at] || fees.anchor_ms - 3 * DAY_MS) + seconds * 1_000;
        const quote = { ...quoteOf(one, EARLY, 10_000), fees, created_at };
        const snapshot = policySnapshot(tree, quote);
        const { description, refundability } = snapshot;
        // What a cancellation costs from now on, by the table that `cancel` reads.
        const steps = [feeAt(fees, created_at).fee];
        const changes: number[] = [];
        for (let next = feeAt(fees, created_at).next_change_at; next !== null; ) {
          const { fee, next_change_at } = feeAt(fees, next);
          if (fee !== steps.at(-1)) {
            steps.push(fee);
            changes.push(next);
          }
          next = next_change_at;
        }
        const [now = 0] = steps;
        expectRowsAgree(snapshot, quote);
        const words = { 0: "refundable", 10000: "non_refundable" } as Record<number, string>;
        expect(refundability).toBe((words[now] ?? "partially_refundable") as never);
        expect(description.startsWith("Free cancellation")).toBe(now === 0);
        expect(description.startsWith("Non-refundable")).toBe(now === 10_000 && !changes.length);
        const percents = [...description.matchAll(/([\d.]+) %/g)].map(([, share]) => Number(share));
        const told = steps.filter((fee) => fee > 0).map((fee) => fee / 100);
        expect(percents).toEqual(description.startsWith("Non-refundable") ? [] : told);
        // Every instant in the sentence is one at which the fee changes, to the second.
        const named = [...description.matchAll(/\d+ \w{3} \d{4}, [\d:]+ \([^)]*\)/g)];
        expect(named).toHaveLength(changes.length);
        for (const [i, [text]] of named.entries()) {
          expect(shownAt(changes[i]!, timezone)).toStartWith(
            text.replace(/^(\d) /, "0$1 ").replace(/ \(.*/, ""),
          );
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

/** From the quote on, at each change: the row that a client reads has the fee of `cancel`. */
function expectRowsAgree(snapshot: PolicySnapshot, { fees, created_at }: FrozenQuote): void {
  const ends = [...fees.tiers.map(({ until_ms }) => until_ms), fees.anchor_ms];
  const instants = [created_at, ...ends.flatMap((ms) => [ms - 1, ms, ms + 1])];
  for (const atMs of instants.filter((ms) => ms >= created_at)) {
    const { fee, next_change_at } = feeAt(fees, atMs);
    const { fee: shown, cutoff_at = null } = rowAt(snapshot, atMs);
    expect([shown, cutoff_at && Date.parse(cutoff_at)]).toEqual([fee, next_change_at]);
  }
  if (created_at >= fees.anchor_ms) expect(snapshot.after_last_tier.fee).toBe(fees.no_show);
}

/** `18 Dec 2026, 15:00:00`, by the runtime's own calendar. */
function shownAt(ms: number, timeZone: string): string {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat("en-US", {
      ...{ timeZone, hourCycle: "h23", year: "numeric", month: "short", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
    })
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const { day, month, year, hour, minute, second } = parts;
  return `${day} ${month} ${year}, ${hour}:${minute}:${second}`;
}

test("a local time that occurs twice carries its offset", () => {
  const tree = treeOf(FREE, { timezone: "Europe/Madrid", checkin_time: "02:30" });
  const terms24 = terms("free_until_cutoff", { free_cancellation_hours_before_checkin: 1 });
  const priced = { due_now: 100 };
  const fees = feeTable({ tree, terms: terms24, checkInDay: dayOf("2026-10-25"), priced });
  const quote = { ...quoteOf(terms24, "2026-10-01T10:00:00.000Z"), fees };
  const own = { ...tree, policies: [terms24] };
  expect(policySnapshot(own, quote).description).toBe(
    "Free cancellation until 25 Oct 2026, 02:30 (Madrid time, UTC+02:00); then it costs 50 % of " +
      "the prepaid amount, and 100 % from 25 Oct 2026, 02:30 (Madrid time, UTC+01:00).",
  );
});

test.each([
  [EARLY, "f9453265a30c668617da2db4f2cb91cee16dc8ad13375ca1b0c775b5c1be50b3"],
  [EVENING, "539383f192ae177f07256a03d9545837eef9d33e702b5581968e11b6a171220c"],
] as const)("terms made at %s keep the bytes of their hash", (at, sum) => {
  const { hash: _, ...terms } = policySnapshot(treeOf(FREE), quoteOf(FREE, at));
  const text = policyHashInput(terms);
  expect(text).toBe(canonicalJson(terms));
  expect(new Bun.CryptoHasher("sha256").update(text).digest("hex")).toBe(sum);
});

test("a quote made after the anchor has the no-show row as its last, which never ends", () => {
  const { tiers, after_last_tier, no_show } = policySnapshot(
    treeOf(FREE),
    quoteOf(FREE, EVENING, 23_600),
  );
  expect(tiers.map(({ cutoff_at }) => cutoff_at < EVENING)).toEqual([true]);
  expect(after_last_tier).toEqual({ cutoff_at: null, ...no_show, refund: 0 });
  expect(after_last_tier.fee).toBe(23_600);
});

test("a quote of an offer that its tree lacks throws", () => {
  const quote = quoteOf(FREE, EARLY);
  expect(() => policySnapshot(treeOf(FREE), { ...quote, policy_version: "x" })).toThrow(
    "no policy",
  );
  expect(() => policySnapshot(treeOf(FREE), { ...quote, rate_plan_id: "x" })).toThrow("no plan");
});
