import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  addressed,
  type Packed,
  type SentItem,
  unpack,
  wholeItem,
} from "../../../jobs/lanes/queues.ts";
import { frozenQuote, placeHold, propertyTree } from "../../../test/support/builders.ts";
import type { PlaceHold } from "../commands.ts";
import { PlacedHold, PlacedOutcome } from "../holds/placed-hold.ts";
import { quoteText } from "../price/quote-codec.ts";
import { placedItem } from "./place-hold-text.ts";

const TREE = propertyTree();
const word = fc.string({ minLength: 1, maxLength: 20, unit: "binary" });
const amount = fc.integer({ min: 0, max: 4_000_000_000 });
const hex = fc.stringMatching(/^[0-9a-f]{32}$/);

const commands: fc.Arbitrary<PlaceHold> = fc
  .record({
    quote: fc.record({ quote_id: word, policy_version: word, agent_id: word }),
    meta: fc.record(
      {
        tenant_id: word,
        actor: fc.record({ kind: fc.constantFrom("agent", "partner"), id: word }),
        property_ids: fc.array(word, { maxLength: 3 }),
        trace_id: word,
        docs: fc.webUrl(),
        random: hex,
        key: hex,
        body_hash: hex,
      },
      { requiredKeys: ["tenant_id", "actor", "trace_id", "docs", "random", "key", "body_hash"] },
    ),
    ttl_ms: fc.integer({ min: 1, max: 1e9 }),
    limits: fc.record({
      max_open_holds: fc.option(amount),
      max_booking_amount: fc.option(fc.record({ amount, currency: word })),
    }),
  })
  .map(({ quote, meta, ...own }) => {
    const frozen = frozenQuote(TREE, { ...quote, tenant_id: meta.tenant_id });
    return placeHold(frozen, { ...own, ...meta, time_left_ms: 0 } as Partial<PlaceHold>);
  });

function pack(command: PlaceHold): Packed {
  return { ...command, quote: command.quote && quoteText(command.quote) };
}

test("a command to place a hold is decoded as it was sent, from a text that is safe in JSON", () => {
  fc.assert(
    fc.property(commands, (command) => {
      const { c } = addressed(7, pack(command), 4_900);
      expect(c).toBeString();
      expect(JSON.stringify(c)).toBe(`"${c}"`);
      const { quote, ...arrived } = unpack(c) as PlaceHold;
      const { quote: sent, ...rest } = command;
      expect(arrived).toEqual({ ...rest, time_left_ms: 4_900 });
      expect(JSON.stringify(quote)).toBe(JSON.stringify(sent));
    }),
  );
});

test("a command that lacks common members is sent as JSON", () => {
  const quote = frozenQuote(TREE);
  const whole = { ...placeHold(quote), time_left_ms: 0 };
  const others: Packed[] = [
    { ...pack(whole), quote: null, missing: "quote_expired" } as Packed,
    { ...pack(whole), is_anonymous: true },
    { ...pack(whole), quote_id: "qt_another" } as Packed,
  ];
  for (const command of others) {
    const { c } = addressed(1, command, 5);
    expect(c).toEqual({ ...command, time_left_ms: 5 });
    const arrived = unpack(JSON.parse(JSON.stringify(c)));
    expect(arrived).toMatchObject({ type: "PlaceHold", key: whole.key!, time_left_ms: 5 });
  }
});

test("the reply to a placed hold omits all that follows from the command", () => {
  fc.assert(
    fc.property(commands, fc.array(word, { maxLength: 3 }), amount, (command, others, seq) => {
      const hold = new PlacedHold("hld_1", command.quote!, 1_790_000_000_123);
      const outcome = new PlacedOutcome(command.trace_id, hold, seq, others);
      const item = JSON.parse(placedItem(5, 9, outcome)) as SentItem;
      const { o, ...rest } = wholeItem(item, pack(command));
      expect(rest).toEqual({ i: 5, k: command.key!, p: "sealed", x: false, r: 9 });
      expect(JSON.stringify(o)).toBe(JSON.stringify(outcome));
    }),
  );
});
