/** Goal: what the libraries are timed at is the same work, byte for byte. */
import { expect, test } from "bun:test";
import { build, LIBRARIES, resultsOf, SLICE_RESULTS, slicesOf } from "./xml-builders.ts";

const price = '<Baserate currency="EUR">120.00</Baserate><Tax currency="EUR">7.20</Tax>';
const bundle = (id: number) =>
  `<RoomBundle><RoomID>r${id}</RoomID><Occupancy>2</Occupancy>${price}</RoomBundle>`;
const results = Array.from({ length: SLICE_RESULTS + 3 }, (_, n) => {
  const sold = "<Unavailable><NoVacancy/></Unavailable>";
  const content = n % 3 === 0 ? sold : price + bundle(1).repeat(n % 3);
  return `<Result><Property>p</Property><Nights>${n + 1}</Nights>${content}</Result>\n`;
});
const document = `<?xml version="1.0"?>\n<Transaction id="x">\n${results.join("")}</Transaction>\n`;

test("slices have all results of a document, in their order", () => {
  const slices = [...slicesOf(document)];
  expect(slices.map((slice) => slice.length)).toEqual([SLICE_RESULTS, 3]);
  const nights = slices.flat().map(({ Nights }) => Nights);
  expect(nights).toEqual(results.map((_, n) => String(n + 1)));
  expect([...slicesOf("<Transaction></Transaction>")]).toEqual([]);
});

test.each(LIBRARIES)("%s writes what we have written", (library) => {
  const wanted = resultsOf(document);
  expect(wanted).toBe(results.join("").replaceAll("\n", ""));
  const slices = [...slicesOf(document)];
  expect(slices.map((slice) => build(library, slice)).join("")).toBe(wanted);
  expect(build(library, slices.flat())).toBe(wanted);
});
