/** Goal: what version 0.2 stored is read as if it had been written today. */
import { expect, test } from "bun:test";
import { readStored } from "./stored-words.ts";

const requote = { hotel_id: "h", room_type_id: "r", rate_plan_id: "p" };

test("a frozen quote names its property, a quote request keeps the word of the wire", () => {
  const stored = { data: { quote: { ...requote, price_hash: "sha256:0" } }, hints: { requote } };
  const read = readStored(JSON.stringify(stored));
  const { hotel_id: property_id, ...terms } = requote;
  expect(read).toEqual({
    data: { quote: { property_id, ...terms, price_hash: "sha256:0" } },
    hints: { requote },
  });
});

test("what was called sealed is encrypted, however deep; a sealed phase stays", () => {
  const stored = {
    phase: "sealed",
    events: [{ type: "payment.pending", secret: { sealed: { guest: "x" } } }],
    cancellation: { sealed: null },
  };
  expect(readStored(JSON.stringify(stored))).toEqual({
    phase: "sealed",
    events: [{ type: "payment.pending", secret: { encrypted: { guest: "x" } } }],
    cancellation: { encrypted: null },
  });
});

test("the order of members is kept: documents are compared by their bytes", () => {
  const text = '{"b":1,"sealed":{},"a":[{"hotel_id":"h","price_hash":"x"}]}';
  const today = '{"b":1,"encrypted":{},"a":[{"property_id":"h","price_hash":"x"}]}';
  expect(JSON.stringify(readStored(text))).toBe(today);
  expect(JSON.stringify(readStored(today))).toBe(today);
});
