import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MUTANTS } from "../sim/mutants.ts";
import { SEEDED } from "./all.ts";
import { fileOf, type Mutation, mutated } from "./mutate.ts";

const ROOT = join(import.meta.dir, "..", "..");

/** The lines that a mutation of the function `f` in this source changes, as they are then. */
function changed(source: string, mutation: Mutation, name = "f"): string[] {
  const before = source.split("\n");
  const after = mutated(source, { ...mutation, name: "", in: `source.ts ${name}` }).split("\n");
  return after.filter((line) => !before.includes(line)).map((line) => line.trim());
}

/** A function with this body, beside another one with the same body. */
function f(body: string): string {
  return `function f() {\n${body}\n}\nfunction other() {\n${body}\n}`;
}

describe("drop leaves out", () => {
  test.each([
    ["a statement", "  sync(a);\n  sync(b);", "sync(b)", ";"],
    ["an if with its condition", "  if (a < b) return 1;", "a < b", ";"],
    ["what an if does", "  if (a && b) return 1;", "return 1", "if (a && b) ;"],
    ["a loop by its head", "  for (const x of a()) b(x);", "a()", ";"],
    ["an operand", "  return a() && b(1) && c;", "b", "return a() && c;"],
    ["an operand in parentheses", "  return a || (b && c);", "b && c", "return a;"],
    ["a fallback", "  return a ?? b;", "b", "return a;"],
    ["a member", "  g({ x: 1, y: b, z });", "y", "g({ x: 1,  z });"],
    ["the last member", "  g({ x: 1, ...(a ? { b } : {}) });", "a ?", "g({ x: 1,  });"],
    ["an element", "  return [...a, ...b];", "...a", "return [ ...b];"],
  ])("%s", (_what, body, drop, line) => {
    expect(changed(f(body), { drop })).toEqual([line]);
  });

  test("no declaration", () => {
    expect(() => changed(f("  const x = a();"), { drop: "a()" })).toThrow("0 times, not once");
  });
});

describe("holds makes true", () => {
  test.each([
    ["a comparison", "  return a.b === b ? 1 : 2;", "a.b", "return true ? 1 : 2;"],
    ["a condition", "  if (!a.has(b)) return;", "a.has", "if (true) return;"],
    ["an operand", "  return a(1) && b(2);", "b", "return a(1) && true;"],
    ["a whole condition", "  while (a && !b) wait();", "a && !b", "while (true) wait();"],
  ])("%s", (_what, body, holds, line) => {
    expect(changed(f(body), { holds })).toEqual([line]);
  });
});

test("always returns a value at once, whatever kind of function it is; a constant has it", () => {
  const source = `const N = 2 ** 3;
const arrow = (a) => a + 1;
class C {
  static #n = 3;
  get size() {
    return 1;
  }
}
class D {
  constructor() { start(); }
  get size() { return 2; }
}`;
  const lineOf = (name: string, value: string) => changed(source, { always: value }, name);
  expect(lineOf("N", "9")).toEqual(["const N = (9);"]);
  expect(lineOf("arrow", "{ a }")).toEqual(["const arrow = (a) => ({ a });"]);
  expect(lineOf("C.#n", "4")).toEqual(["static #n = (4);"]);
  expect(lineOf("C.size", "0")).toEqual(["get size() { return 0;"]);
  expect(lineOf("constructor", "")).toEqual(["constructor() { return ; start(); }"]);
  expect(() => lineOf("size", "0")).toThrow("source.ts size: the name is there 2 times, not once");
});

describe("instead compares tokens", () => {
  test("so that neither format nor comments count", () => {
    const source = f("  return g(\n    a, // first\n    b,\n  );");
    expect(changed(source, { instead: ["g(a, b)", "0"] })).toEqual(["return 0;"]);
  });

  test("a part of a name, of an operator or of another function is no match", () => {
    const mutation = (code: string): Mutation => ({ instead: [code, "0"] });
    const source = f("  return ab >= 1;");
    for (const code of ["a", ">", "other"]) {
      expect(() => changed(source, mutation(code))).toThrow(`${code}","0"]} is there 0 times`);
    }
    expect(changed(source, { instead: [">=", ">"] })).toEqual(["return ab > 1;"]);
  });

  test("more than one match is an error", () => {
    const source = f("  return a + a;");
    expect(() => changed(source, { instead: ["a", "b"] })).toThrow("is there 2 times, not once");
  });
});

test("text changes a part of a text, in which white space counts as such", () => {
  const source = "const SQL = `SELECT a\n  WHERE b = 1\n  AND c = 2`, P = /[|,]/g;";
  expect(changed(source, { text: ["b = 1 AND c", "c"] }, "SQL")).toEqual([
    "WHERE c = 2`, P = /[|,]/g;",
  ]);
  expect(changed(source, { text: ["|", ""] }, "P")).toEqual(["AND c = 2`, P = /[,]/g;"]);
});

test("before moves a statement to the place of an earlier one", () => {
  const source = f("  if (a) commit();\n  note(b);\n  for (const x of b) send(x);");
  const after = mutated(source, { name: "", in: "source.ts f", before: ["send", "commit"] });
  const [moved, next, last] = after
    .split("\n")
    .slice(1)
    .map((line) => line.trim());
  expect([moved, next, last]).toEqual([
    "for (const x of b) send(x);",
    "if (a) commit();",
    "note(b);",
  ]);
  const mutation = { before: ["commit", "send"] } as const;
  expect(() => changed(source, mutation)).toThrow("0 times, not once");
});

test("a function within another has the name of both", () => {
  const source = "function a() {\n  const b = () => 1;\n}\nfunction c() {\n  const b = () => 2;\n}";
  expect(changed(source, { always: "3" }, "c.b")).toEqual(["const b = () => (3);"]);
});

test("every seeded bug has its place in the source", () => {
  const astray = [...SEEDED, ...MUTANTS].flatMap((bug) => {
    const source = readFileSync(join(ROOT, fileOf(bug)), "utf8");
    try {
      return mutated(source, bug) === source ? [`${bug.name}: changes nothing`] : [];
    } catch (error) {
      return [`${bug.name}: ${(error as Error).message}`];
    }
  });
  expect(astray).toEqual([]);
});
