/** Whatever a spreadsheet writes is read, whatever else comes is named and costs no more. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { csvLine } from "./csv.ts";
import { csvRows } from "./csv-reader.ts";

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array, size = 7) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return Array.fromAsync(csvRows(chunksOf(bytes, size)));
}

const cellsOf = async (text: string) =>
  (await read(text)).map((row) => ("cells" in row ? row.cells : row.message));

test("line ends, byte order marks and separators of every spreadsheet are read alike", async () => {
  const expected = [
    ["a", "b"],
    ["1", "x,y"],
  ];
  for (const text of [
    'a,b\r\n1,"x,y"\r\n',
    'a,b\n1,"x,y"',
    "\ufeffa;b\r\n1;x,y\r\n",
    "a\tb\n1\tx,y\n\n\n",
    ' a , b \n1,"x,y"\n',
  ]) {
    expect(await cellsOf(text)).toEqual(expected);
  }
});

test("quotes keep what they hold, and a line is where it begins", async () => {
  expect(await read('a,b\n"two\r\nlines","say ""so"""\n3,4')).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ["two\r\nlines", 'say "so"'] },
    { line: 4, cells: ["3", "4"] },
  ]);
});

test("what cannot be read ends it and is named by its line", async () => {
  const last = async (text: string | Uint8Array, size?: number) => (await read(text, size)).at(-1);
  expect(await last('a\n"open\n')).toMatchObject({
    line: 2,
    message: "has a quote that is never closed",
  });
  expect(await last('a\n"x"y\nz')).toMatchObject({ line: 2 });
  expect(await last("a\nb\0\nc")).toMatchObject({ line: 2, message: "has a NUL character" });
  expect(await last(new Uint8Array([97, 10, 255, 10]))).toMatchObject({ message: "is not UTF-8" });
  const long = `a\n"${"x".repeat(1_000_000)}"\nb`;
  expect(await last(long, 65_536)).toMatchObject({ line: 2, message: "is too long" });
  expect(await last("a".repeat(1_000_000), 65_536)).toMatchObject({ line: 1 });
  expect(await last(`a\n${",".repeat(5_000)}`)).toMatchObject({ message: "has too many cells" });
});

test("whatever was written is read again as it was, in pieces of any size", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab,;\t\"'=+-@ \n\r€".split("")) });
  const cell = text
    .map((each) => (each === "" ? "-" : each))
    .filter((each) => !/^'[=+\-@\t\r]/.test(each));
  const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (written, size) => {
      const table = [["x", "y", "z"], ...written];
      const found = await read(table.map(csvLine).join(""), size);
      expect(found.map((row) => ("cells" in row ? row.cells : row))).toEqual(table);
    }),
    { numRuns: 200 },
  );
});

test("no input makes it throw", async () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  const hostile = fc.string({ unit: fc.constantFrom(...'a,;"\r\n\0'.split("")), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(bytes, hostile), async (input) => {
      for (const row of await read(input, 3)) expect(row.line).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
});
