import { expect, test } from "bun:test";
import { join } from "node:path";
import { PARTS } from "./catalogue.ts";
import { BadOption, type Options, readRequest, USAGE } from "./options.ts";

function optionsOf(args: readonly string[], env: Record<string, string> = {}): Options {
  const request = readRequest(args, env);
  if (request.kind !== "measure") throw new Error(request.kind);
  return request.options;
}

test("without arguments everything except the peers and the full scale is measured", () => {
  const options = optionsOf([]);
  expect(options).toMatchObject({
    peers: false,
    full: false,
    holdRuns: 3,
    seconds: 12,
    json: false,
  });
  expect(options.runs).toBe(1);
  expect(options).toMatchObject({ out: import.meta.dir, command: "npm run bench" });
  for (const part of PARTS) expect(options.only.isWhole(part)).toBe(true);
});

test("the length of a run comes from the environment, all else from the command line", () => {
  const args = ["--peers", "--full", "--json", "--only", "holds,core", "--runs", "2"];
  const options = optionsOf([...args, "--out", "/tmp/a b"], { BENCH_SECONDS: "1.5" });
  expect(options).toMatchObject({ peers: true, full: true, json: true, holdRuns: 2, seconds: 1.5 });
  expect(PARTS.filter((part) => options.only.hasPart(part))).toEqual(["holds", "core"]);
  expect(options.out).toBe("/tmp/a b");
  const line = "npm run bench -- --peers --full --only holds,core --runs 2";
  expect(options.command).toBe(`BENCH_SECONDS=1.5 ${line}`);
});

test("a series can be measured apart from the rest of its part", () => {
  const { only } = optionsOf(["--only", "reads/search, holds/32,holds/256,holds/slow-disk"]);
  expect(PARTS.filter((part) => only.hasPart(part))).toEqual(["reads", "holds"]);
  expect([only.isWhole("reads"), only.isWhole("holds")]).toEqual([false, true]);
  expect(only.has("reads", "search")).toBe(true);
  expect(only.has("reads", "quotes")).toBe(false);
});

test("unknown names are refused together, and the known ones are listed", () => {
  const refused = () => readRequest(["--only", "hold,reads,reads/find"], {});
  expect(refused).toThrow(BadOption);
  expect(refused).toThrow('"hold", "reads/find"');
  for (const part of PARTS) expect(refused).toThrow(new RegExp(`^  ${part} `, "m"));
});

test("help and list measure nothing and fit a terminal", () => {
  const printed = ["--help", "-h", "--list"].map((arg) => readRequest([arg], {}));
  for (const request of printed) {
    if (request.kind !== "print") throw new Error(request.kind);
    for (const line of request.text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  }
  expect(printed[0]).toEqual({ kind: "print", text: USAGE });
});

test("the searched tenant may be smaller but must contain the searched cities", () => {
  expect(optionsOf([])).toMatchObject({ properties: 10_000 });
  expect(optionsOf([], { BENCH_PROPERTIES: "600" })).toMatchObject({
    ...{ properties: 600, command: "BENCH_PROPERTIES=600 npm run bench" },
  });
  expect(() => readRequest([], { BENCH_PROPERTIES: "500" })).toThrow("BENCH_PROPERTIES");
});

test("an earlier checkout without the files that start it is refused with what is missing", () => {
  const root = join(import.meta.dir, "..");
  const options = optionsOf(["--before", root]);
  expect(options.before).toMatchObject({ root });
  expect(options.command).toBe("npm run bench -- --before DIR");
  expect(optionsOf([]).before).toBeNull();
  const refused = () => readRequest(["--before", import.meta.dir], {});
  expect(refused).toThrow(BadOption);
  expect(refused).toThrow("without src/main.ts, package.json, node_modules");
});

test("the draw option measures nothing", () => {
  expect(readRequest(["--draw"], {})).toEqual({ kind: "draw", out: import.meta.dir });
});

test.each([[["--runs", "0"]], [["--runs", "many"]], [["--fast"]]])("%p is refused", (args) => {
  expect(() => readRequest(args, {})).toThrow(BadOption);
});

test("a length that is not a number is refused by its name", () => {
  expect(() => readRequest([], { BENCH_SECONDS: "soon" })).toThrow("BENCH_SECONDS");
});
