/** Lists of slots, and slots by text, against plain arrays. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { reaching, SlotLists, Slots } from "./slots.ts";
import { SlotsByText } from "./slots-by-text.ts";

/** Whether a slot is put into which list; or which of those that are in one leaves. */
const steps = fc.array(
  fc.record({ isAdded: fc.boolean(), list: fc.nat(40), leaving: fc.nat(200) }),
  { maxLength: 200 },
);

test("a slot has one owner until it is returned", () => {
  const slots = new Slots();
  const taken = Array.from({ length: 5 }, () => slots.take());
  expect(taken).toEqual([1, 2, 3, 4, 5]);
  slots.giveBack(2);
  slots.giveBack(4);
  expect([slots.take(), slots.take(), slots.take()].sort()).toEqual([2, 4, 6]);
});

test("a growing column keeps its content", () => {
  const cells = reaching(new Uint32Array(16), 15);
  cells[15] = 7;
  const longer = reaching(cells, 16);
  expect(longer.length).toBe(32);
  expect(longer[15]).toBe(7);
  expect(reaching(longer, 31)).toBe(longer);
});

test("lists keep the order in which slots were added, whichever are removed", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const slots = new Slots();
      const lists = new SlotLists();
      const present: { slot: number; list: number }[] = [];
      for (const { isAdded, list, leaving } of all) {
        if (isAdded) {
          const slot = slots.take();
          lists.add(list, slot);
          present.push({ slot, list });
        } else if (present.length > 0) {
          const [left] = present.splice(leaving % present.length, 1);
          expect(lists.remove(left!.slot)).toBe(left!.list);
          slots.giveBack(left!.slot);
        }
        const expected = present.filter((each) => each.list === list).map(({ slot }) => slot);
        expect(lists.oldestFirst(list)).toEqual(expected);
        expect(lists.newestOf(list)).toBe(expected.at(-1) ?? 0);
      }
    }),
  );
});

test("slots of one text keep their order among many others", () => {
  const byText = new SlotsByText();
  for (let slot = 1; slot <= 200; slot += 1) byText.add(`qt_${slot % 3}`, slot);
  const found: number[] = [];
  for (let slot = byText.newestOf("qt_1"); slot !== 0; slot = byText.olderThan(slot)) {
    found.push(slot);
  }
  expect(found).toEqual(Array.from({ length: 67 }, (_, i) => 199 - 3 * i));
});

test("slots are found by their text, newest first, however many texts there are", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const slots = new Slots();
      const byText = new SlotsByText();
      const present: { slot: number; text: string }[] = [];
      for (const { isAdded, list, leaving } of all) {
        const text = `qt_${list}`;
        if (isAdded) {
          const slot = slots.take();
          byText.add(text, slot);
          present.push({ slot, text });
        } else if (present.length > 0) {
          const [left] = present.splice(leaving % present.length, 1);
          byText.remove(left!.slot);
          slots.giveBack(left!.slot);
        }
        const found: number[] = [];
        for (let slot = byText.newestOf(text); slot !== 0; slot = byText.olderThan(slot)) {
          found.push(slot);
        }
        const expected = present.filter((each) => each.text === text).map(({ slot }) => slot);
        expect(found).toEqual(expected.reverse());
      }
    }),
  );
});
