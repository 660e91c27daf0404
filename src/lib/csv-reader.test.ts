/** Tables of any spreadsheet are read; invalid input is refused by name at bounded cost. */
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

test("line ends, byte order marks and separators of every spreadsheet are accepted", async () => {
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
    'a,b\r1,"x,y"\r',
    "sep=;\r\na;b\r\n1;x,y\r\n",
    '\ufeff"sep=,"\na,b\n1,"x,y"',
    "SEP=|\ra|b\r1|x,y",
  ]) {
    for (const size of [1, 7, 100]) {
      const rows = await read(text, size);
      expect(rows.map((row) => ("cells" in row ? row.cells : row))).toEqual(expected);
    }
  }
});

test("quotes preserve their content, and a row has the number of its first line", async () => {
  expect(await read('a,b\n"two\r\nlines","say ""so"""\n3,4')).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ["two\r\nlines", 'say "so"'] },
    { line: 4, cells: ["3", "4"] },
  ]);
  expect(await read('sep=;\r\na;b\r\n"1\r\n2";x\r\n3;4')).toEqual([
    { line: 2, cells: ["a", "b"] },
    { line: 3, cells: ["1\r\n2", "x"] },
    { line: 5, cells: ["3", "4"] },
  ]);
});

test("a file without a line of cells is reported as empty", async () => {
  for (const text of ["", "\ufeff", "\r\n\r\n", "sep=;", ",,\n"]) {
    expect(await read(text)).toMatchObject([{ line: 1, message: "is empty" }]);
  }
});

test("other encodings of spreadsheets are refused by name", async () => {
  const utf16 = Buffer.from("\ufeffa\tb\r\n1\t2", "utf16le");
  for (const bytes of [utf16, utf16.subarray(2), Buffer.from(utf16).swap16()]) {
    expect(await read(bytes)).toEqual([
      { line: 1, message: "is UTF-16", expected: 'UTF-8: in a spreadsheet, save as "CSV UTF-8"' },
    ]);
  }
  expect((await read(Buffer.from("a\nHôtel", "latin1"))).at(-1)).toEqual({
    ...{ line: 2, message: "is not UTF-8" },
    expected: 'UTF-8: in a spreadsheet, save as "CSV UTF-8"',
  });
});

test("an unreadable line ends the file and is named by its number", async () => {
  const last = async (text: string | Uint8Array, size?: number) => (await read(text, size)).at(-1);
  expect(await last('a\n"open\n')).toMatchObject({
    line: 2,
    message: "has a quote that is never closed",
  });
  expect(await last('a\n"x"y\nz')).toMatchObject({ line: 2 });
  expect(await last("a\nb\0\nc")).toMatchObject({ line: 2, message: "has a NUL character" });
  expect(await last(new Uint8Array([97, 10, 255, 10]))).toMatchObject({ message: "is not UTF-8" });
  const long = `a\n"${"x".repeat(1_000_000)}"\nb`;
  expect(await last(long, 65_536)).toMatchObject({
    ...{ line: 2, message: "is too long" },
    expected: "a line of ≤ 524288 characters, and every quote closed",
  });
  expect(await last("a".repeat(1_000_000), 65_536)).toMatchObject({ line: 1 });
  expect(await last(`a\n${",".repeat(5_000)}`)).toMatchObject({ message: "has too many cells" });
});

test("written tables are read back unchanged, in chunks of any size", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab,;\t\"'=+-@ \n\r€".split("")) });
  const cell = text
    .map((each) => (each === "" ? "-" : each))
    .filter((each) => !/^'[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(each));
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

test("no input makes the reader throw", async () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  const hostile = fc.string({ unit: fc.constantFrom(...'a,;"\r\n\0'.split("")), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(bytes, hostile), async (input) => {
      for (const row of await read(input, 3)) expect(row.line).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
});
