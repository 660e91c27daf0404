import { expect, test } from "bun:test";
import fc from "fast-check";
import { Fields, fromField, fromListField, toField, toListField } from "./text-fields.ts";

/** Any text there is: every code unit, with what has a meaning in fields made likely. */
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom("|", ",", "~", '"', "\\", "\n", "\ud800", "\udc00", "😀", "~007c"),
);
const anyText = fc.array(unit, { maxLength: 30 }).map((units) => units.join(""));

test("every text is read from a field as it was written", () => {
  fc.assert(fc.property(anyText, (text) => expect(fromField(toField(text))).toBe(text)));
});

test("a field is one line without separators, goes into JSON as it is and is sound UTF-8", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const field = toField(text);
      expect(field).not.toMatch(/[|,"\\\n]/);
      expect(JSON.stringify(field)).toBe(`"${field}"`);
      expect(Buffer.from(field, "utf8").toString("utf8")).toBe(field);
    }),
  );
});

test("a list is read as it was written", () => {
  const texts = fc.array(
    anyText.filter((text) => text !== ""),
    { maxLength: 5 },
  );
  fc.assert(fc.property(texts, (list) => expect(fromListField(toListField(list))).toEqual(list)));
});

test("fields are read in order, and the text after them is left unchanged", () => {
  fc.assert(
    fc.property(anyText, fc.integer(), fc.array(fc.uuid()), anyText, (text, number, ids, rest) => {
      const fields = new Fields(
        `mark|${toField(text)}|${number}|${toListField(ids)}|${rest}`,
        "mark|".length,
      );
      expect([fields.text(), fields.number(), fields.list()]).toEqual([text, number, ids]);
      expect(fields.rest()).toBe(rest);
    }),
  );
});

test("a number is read exactly, whatever its length, sign and form", () => {
  const numbers = fc.oneof(
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 999_999_999_999_999, 1_000_000_000_000_000, 2 ** 53, 1e21),
  );
  fc.assert(
    fc.property(numbers, fc.boolean(), (number, isLast) => {
      const fields = new Fields(`${number}${isLast ? "" : "|b"}`);
      expect(fields.number()).toBe(Number(String(number)));
      if (isLast) expect(() => fields.text()).toThrow("missing");
      else expect(fields.text()).toBe("b");
    }),
  );
  expect(new Fields("007|").number()).toBe(7);
});

test("an absent or invalid number is an error", () => {
  for (const text of ["", "|1", "x", "1x", "1,2", "NaN"])
    expect(() => new Fields(text).number()).toThrow();
  const fields = new Fields("a");
  fields.text();
  expect(() => fields.text()).toThrow("missing");
});
