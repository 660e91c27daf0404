import { expect, test } from "bun:test";
import { BadOption, PARTS, readOptions } from "./options.ts";

test("without arguments everything but the peers and the full scale is measured", () => {
  const options = readOptions([], {});
  expect(options).toMatchObject({ peers: false, full: false, runs: 5, seconds: 8 });
  expect([...options!.parts]).toEqual([...PARTS]);
});

test("the length of a run comes from the environment and the rest from the command line", () => {
  const args = ["--peers", "--full", "--only", "holds,core", "--runs", "2"];
  const options = readOptions(args, { BENCH_SECONDS: "1.5" });
  expect(options).toMatchObject({ peers: true, full: true, runs: 2, seconds: 1.5 });
  expect([...options!.parts]).toEqual(["holds", "core"]);
});

test("help asks for nothing to be measured", () => {
  expect(readOptions(["--help"], {})).toBeNull();
});

test.each([[["--only", "hold"]], [["--runs", "0"]], [["--runs", "many"]], [["--fast"]]])(
  "%p is refused",
  (args) => {
    expect(() => readOptions(args, {})).toThrow(BadOption);
  },
);

test("a length that is no number is refused by its name", () => {
  expect(() => readOptions([], { BENCH_SECONDS: "soon" })).toThrow("BENCH_SECONDS");
});
