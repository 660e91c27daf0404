import { expect, test } from "bun:test";
import fc from "fast-check";
import { yamlOf } from "./routes.ts";

test("every text is quoted, so that no parser takes it for another type", () => {
  const value = { time: "15:00", country: "NO", list: ["010", "1e3", "~", "2026-12-01"], n: 5 };
  const list = ['"list":', '  - "010"', '  - "1e3"', '  - "~"', '  - "2026-12-01"'];
  const lines = ['"time": "15:00"', '"country": "NO"', ...list, '"n": 5', ""];
  expect(yamlOf(value)).toBe(lines.join("\n"));
});

test("the written document is parsed back unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      expect(Bun.YAML.parse(yamlOf(plain))).toEqual(plain);
    }),
  );
  const odd = { "a\u2028b": "\u0085\ufeff\u007f", deep: [[], {}, [[1, { a: [null, true] }]]] };
  expect(Bun.YAML.parse(yamlOf(odd))).toEqual(odd);
});
