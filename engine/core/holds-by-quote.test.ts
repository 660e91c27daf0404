import { expect, test } from "bun:test";
import fc from "fast-check";
import { frozenQuote, propertyTree } from "../../test/support/builders.ts";
import { HoldsByQuote } from "./holds-by-quote.ts";
import type { Hold } from "./records.ts";

const TREE = propertyTree();
const QUOTES = ["qt_1", "qt_2"].map((quote_id) => frozenQuote(TREE, { quote_id }));

/** Whether a hold is placed, on which quote; or which of the open ones ends. */
const step = fc.record({ isPlaced: fc.boolean(), quote: fc.nat(1), ending: fc.nat(20) });

test("the open holds of a quote are found, oldest first, whatever was placed and ended", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const byQuote = new HoldsByQuote();
      const open: Hold[] = [];
      for (const { isPlaced, quote, ending } of steps) {
        if (isPlaced) {
          const hold = { quote: QUOTES[quote]! } as Hold;
          open.push(hold);
          byQuote.add(hold);
        } else if (open.length > 0) {
          const [hold] = open.splice(ending % open.length, 1);
          byQuote.remove(hold!);
        }
        const expected = QUOTES.map((each) => open.filter((hold) => hold.quote === each));
        for (const [i, { quote_id }] of QUOTES.entries()) {
          const found = byQuote.of(quote_id);
          expect(found.length).toBe(expected[i]!.length);
          expect(found.every((hold, at) => hold === expected[i]![at])).toBeTrue();
        }
        expect(byQuote.size).toBe(expected.filter(({ length }) => length > 0).length);
      }
    }),
  );
});

test("a hold that is not open cannot end", () => {
  expect(() => new HoldsByQuote().remove({ quote: QUOTES[0]! } as Hold)).toThrow("by its quote");
});
