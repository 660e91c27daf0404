import { expect, test } from "bun:test";
import fc from "fast-check";
import { everyEvent, livingIn } from "../../../test/support/every-event.ts";
import { given } from "../../../test/support/given.ts";
import { dateOf } from "../calendar.ts";
import type { Row } from "../events/event.ts";
import { PlacedHold, PlacedOutcome } from "../holds/placed-hold.ts";
import { RenderedOutcome } from "../outcomes.ts";
import type { FrozenQuote } from "../price/quote.ts";
import {
  checkInDayOf,
  nightCountOf,
  propertyIdOf,
  quoteText,
  readQuote,
} from "../price/quote-codec.ts";
import { decodeForFold, decodeRow, encodeRow, textsOf } from "./row-codec.ts";

const amount = fc.integer({ min: 0, max: 4_000_000_000 });
const instant = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });
const hash = fc.stringMatching(/^[0-9a-f]{64}$/).map((hex) => `sha256:${hex}`);
const word = fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" });

const quotes: fc.Arbitrary<FrozenQuote> = fc
  .record({
    quote_id: word,
    agent_id: word,
    property_id: fc.uuid(),
    room_type_id: fc.uuid(),
    rate_plan_id: fc.uuid(),
    checkInDay: fc.integer({ min: 20_000, max: 22_000 }),
    nightly: fc.array(amount, { minLength: 1, maxLength: 90 }),
    extra_adult: fc.oneof(amount, fc.array(amount, { minLength: 1, maxLength: 5 })),
    ages: fc.array(fc.integer({ min: 0, max: 17 }), { maxLength: 5 }),
    tiers: fc.array(fc.record({ until_ms: instant, fee: amount }), { maxLength: 3 }),
    anchor_ms: instant,
    amounts: fc.tuple(amount, amount, amount, amount, amount, amount),
    price_hash: hash,
    policy_hash: hash,
    created_at: instant,
    expires_at: instant,
  })
  .map((from) => ({
    quote_id: from.quote_id,
    tenant_id: "00000000-0000-4000-8000-00000000000a",
    mode: "live",
    agent_id: from.agent_id,
    property_id: from.property_id,
    room_type_id: from.room_type_id,
    rate_plan_id: from.rate_plan_id,
    stay: {
      check_in: dateOf(from.checkInDay),
      check_out: dateOf(from.checkInDay + from.nightly.length),
    },
    guests: { adults: 2, children: from.ages.map((age) => ({ age })) },
    supply_version: 3,
    policy_version: "2026-03|x",
    currency: "EUR",
    nightly: from.nightly,
    extra_adult: from.extra_adult,
    sources: "ob",
    room_subtotal: from.amounts[0],
    total: from.amounts[1],
    due_now: from.amounts[2],
    due_at_property: from.amounts[3],
    fees: {
      tiers: from.tiers,
      after: from.amounts[4],
      no_show: from.amounts[5],
      anchor_ms: from.anchor_ms,
      anchor: new Date(from.anchor_ms).toISOString(),
    },
    created_at: from.created_at,
    expires_at: from.expires_at,
    price_hash: from.price_hash,
    policy_hash: from.policy_hash,
  }));

test("a quote survives encoding member by member, in the same order", () => {
  fc.assert(
    fc.property(quotes, (quote) => {
      const text = quoteText(quote);
      const read = readQuote(text, quote.tenant_id, quote.mode);
      expect(JSON.stringify(read)).toBe(JSON.stringify(quote));
      expect(quoteText(read)).toBe(text);
      expect(propertyIdOf(text)).toBe(quote.property_id);
      expect(JSON.stringify(text)).toBe(`"${text}"`);
      for (const each of [quote, read]) {
        expect(dateOf(checkInDayOf(each))).toBe(quote.stay.check_in);
        expect(nightCountOf(each)).toBe(quote.nightly.length);
      }
    }),
  );
});

function holdRow(quote: FrozenQuote, others: readonly string[]): Row {
  const data = { hold_id: "hld_1", quote, expires_at: "2026-12-01T10:00:00.123Z" };
  const placed = new PlacedHold("hld_1", quote, Date.parse(data.expires_at));
  const outcome = new PlacedOutcome("t1", placed, 9, others).toJSON();
  return {
    row: 7,
    stamp: 1_790_000_000_000,
    tenant_id: quote.tenant_id,
    mode: quote.mode,
    actor: { kind: "agent", id: "agt_1" },
    trace_id: "t1",
    key: { key: "ab".repeat(16), body_hash: "cd".repeat(16), agent_id: "agt_1" },
    phase: "sealed",
    events: [{ type: "hold.created", data, seq: 9 }],
    outcome,
  };
}

test("a placed hold's row decodes to the same events and the same outcome bytes", () => {
  fc.assert(
    fc.property(quotes, fc.array(word, { maxLength: 20 }), (quote, others) => {
      const row = holdRow(quote, others);
      const { outcome, ...rest } = row;
      const payload = encodeRow(rest, new RenderedOutcome(outcome!));
      expect(payload).toMatch(/^hold\|[^"\\\n]*$/);
      expect(JSON.stringify(decodeRow(payload))).toBe(JSON.stringify(row));
    }),
  );
});

test("a row that is not exactly a placed hold is stored by member names", () => {
  const quote = fc.sample(quotes, 1)[0]!;
  const { outcome, ...rest } = holdRow(quote, []);
  const byOther = { ...rest, key: { ...rest.key!, agent_id: "agt_2" } };
  for (const row of [{ ...rest, phase: "open" as const }, byOther, { ...rest, events: [] }]) {
    const payload = encodeRow(row, new RenderedOutcome(outcome!));
    expect(payload.startsWith("{")).toBe(true);
    expect(JSON.stringify(decodeRow(payload))).toBe(JSON.stringify({ ...row, outcome }));
  }
});

test("an outcome that was stored with its rendering version is read unchanged", () => {
  const quote = fc.sample(quotes, 1)[0]!;
  const { outcome, ...rest } = holdRow(quote, []);
  const old = { ...rest, phase: "open" as const, outcome: { render: 1, ...outcome } };
  expect(decodeRow(JSON.stringify(old))).toEqual(old as Row);
});

/** Every kind of row; as decisions make them, receipts of outcomes are those of their events. */
function decidedRows(): Row[] {
  const world = given();
  everyEvent(livingIn(world), () => {});
  return world.rows.map((row) => {
    const { outcome, events } = row;
    if (!outcome?.ok || !("receipt" in outcome)) return row;
    const receipts = events.flatMap(({ data }) => ("receipt" in data ? [data.receipt] : []));
    const receipt = receipts.find((each) => Bun.deepEquals(each, outcome.receipt));
    return receipt ? { ...row, outcome: { ...outcome, receipt } } : row;
  });
}

test("a receipt is stored once in a row, however often it is repeated, and the row reads back whole", () => {
  const shared = decidedRows().filter(({ outcome, ...row }) => {
    const payload = encodeRow(row, new RenderedOutcome(outcome!));
    const whole = JSON.stringify({ ...row, outcome: row.key ? outcome : null });
    expect(JSON.stringify(decodeRow(payload))).toBe(whole);
    // Rows of before have it twice.
    expect(JSON.stringify(decodeRow(whole))).toBe(whole);
    const signed = [...payload.matchAll(/"kind":"[a-z_]+","issuer"/g)].map(([text]) => text);
    expect(new Set(signed).size).toBe(signed.length);
    return payload.startsWith("{") && payload.length < whole.length;
  });
  const kinds = new Set(shared.flatMap(({ events }) => events.map(({ type }) => type)));
  expect(kinds).toContain("booking.confirmed");
  expect(kinds).toContain("booking.cancelled");
});

test("a row whose outcome names an event without a receipt is refused", () => {
  const { outcome, ...row } = decidedRows().find(({ outcome: of }) => of?.ok && "receipt" in of)!;
  const payload = encodeRow(row, new RenderedOutcome(outcome!));
  for (const number of ["9", "-1", "0.5"]) {
    const wrong = payload.replace(/\d+\}\}$/, `${number}}}`);
    expect(wrong).not.toBe(payload);
    expect(() => decodeRow(wrong)).toThrow("has no receipt");
  }
});

test("a fold receives every row without its outcome, whatever its texts contain", () => {
  const world = given();
  everyEvent(livingIn(world), () => {});
  for (const { outcome: _, ...row } of world.rows) {
    for (const text of ['],"outcome":', '"],"outcome":{', "]}", "\\"]) {
      const data = { payment_id: text };
      const outcome = { ok: true, kind: "internal", trace_id: text, data } as const;
      const key = { key: "0".repeat(32), body_hash: text, agent_id: text };
      for (const each of [null, key]) {
        const payload = encodeRow(
          { ...row, trace_id: text, key: each },
          new RenderedOutcome(outcome),
        );
        expect(decodeForFold(payload)).toEqual({ ...decodeRow(payload), outcome: null });
      }
    }
  }
});

test("the text of a row shows whether it has an event of a type, in both encodings", () => {
  const world = given();
  everyEvent(livingIn(world), () => {});
  for (const { outcome, ...row } of world.rows) {
    const text = encodeRow(row, new RenderedOutcome(outcome!));
    for (const { type } of row.events) {
      const isTold = (line: string) => textsOf(type).some((each) => line.includes(each));
      expect([type, isTold(text)]).toEqual([type, true]);
    }
  }
});
