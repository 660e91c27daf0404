/** RFC 8785: its own example, then properties against the runtime's JSON. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalJson } from "./canonical.ts";

test("the example of RFC 8785 §3.2 gives the bytes printed there", () => {
  const input = {
    numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
    literals: [null, true, false],
  };
  expect(canonicalJson(input)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test("members are ordered by UTF-16 code units, as in RFC 8785 §3.2.3", () => {
  const input = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
  };
  const keys = Object.keys(JSON.parse(canonicalJson(input)) as object);
  expect(keys).toEqual(["1", "\r", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"]);
});

test("undefined members are dropped, undefined items are null, minus zero is zero", () => {
  const sparse: unknown[] = [undefined, -0];
  sparse[3] = 1;
  expect(canonicalJson({ b: sparse, a: undefined })).toBe('{"b":[null,0,null,1]}');
  expect(canonicalJson({})).toBe("{}");
});

test("a member named __proto__ is data like any other", () => {
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe(
    '{"__proto__":{"a":2},"b":1}',
  );
});

test.each([
  ["NaN", Number.NaN],
  ["infinity", Number.NEGATIVE_INFINITY],
  ["a lone surrogate", "\ud800"],
  ["a lone surrogate in a name", { "\udc00": 1 }],
  ["a bigint", 1n],
  ["undefined", undefined],
  ["a function", () => 1],
  ["a symbol", Symbol("s")],
  ["a date", new Date(0)],
  ["a map", new Map()],
])("%s throws, also deep inside", (_, value) => {
  expect(() => canonicalJson(value)).toThrow(TypeError);
  if (value !== undefined) expect(() => canonicalJson([{ a: [value] }])).toThrow(TypeError);
});

test("every string of one code unit is written as ECMAScript writes it", () => {
  for (let unit = 0; unit <= 0xff_ff; unit += 1) {
    const text = String.fromCharCode(unit);
    if (!text.isWellFormed()) expect(() => canonicalJson(`a${text}`)).toThrow(TypeError);
    else if (canonicalJson(`a${text}`) !== JSON.stringify(`a${text}`)) {
      throw new Error(`U+${unit.toString(16)} is written otherwise`);
    }
  }
});

test("the text has the same value whatever the order of its members", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "grapheme" }), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      expect(canonicalJson(reversed(value))).toBe(text);
    }),
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, member]) => [key, reversed(member)]));
}
