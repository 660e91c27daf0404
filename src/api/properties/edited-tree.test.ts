/** Goal: an edit makes the intended tree and keeps the ids of all kept elements. */
import { expect, test } from "bun:test";
import { propertyTree, ratePlan, roomType } from "../../../test/support/builders.ts";
import { mergePatch, patchedTree, replacedTree } from "./edited-tree.ts";
import type { PropertyRequest } from "./requests.ts";

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const TREE = propertyTree({
  id: id(1),
  room_types: [
    roomType({ id: id(2), rate_plans: [ratePlan({ id: id(3) })] }),
    roomType({ id: id(4), code: "SUITE", rate_plans: [ratePlan({ id: id(5) })] }),
  ],
});

/** The tree without a single id. */
function bare(): PropertyRequest {
  const text = JSON.stringify(TREE, (name, value) => (name === "id" ? undefined : value));
  return JSON.parse(text) as PropertyRequest;
}

function treeOf(reading: ReturnType<typeof replacedTree>) {
  if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
  return reading.value;
}

function faultsOf(reading: ReturnType<typeof replacedTree>): string[] {
  return reading.ok ? [] : reading.errors.map(({ path }) => path);
}

test("a merge patch replaces, merges and removes as RFC 7396 says", () => {
  // Of appendix A; null in a list, or in what is new, is no member that could be taken out.
  const cases: readonly (readonly [target: unknown, patch: unknown, merged: unknown])[] = [
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [
      ["a", "b"],
      ["c", "d"],
      ["c", "d"],
    ],
    [{ a: "foo" }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, merged] of cases) expect(mergePatch(target, patch)).toEqual(merged);
});

test("a body without ids keeps the ids of elements with the same code", () => {
  expect(treeOf(replacedTree(TREE, bare()))).toEqual(TREE);
  const turned = { ...bare(), room_types: bare().room_types!.toReversed() };
  expect(treeOf(replacedTree(TREE, turned)).room_types.map((room) => room.id)).toEqual([
    id(4),
    id(2),
  ]);
});

test("a code may move: the element named by id keeps it, the other is new", () => {
  const [double, suite] = bare().room_types!;
  const body = {
    ...bare(),
    room_types: [
      { ...double!, id: id(4) },
      { ...suite!, code: "DBL2" },
    ],
  };
  const [first, second] = treeOf(replacedTree(TREE, body)).room_types;
  expect([first?.id, first?.code, first?.rate_plans[0]?.id]).toEqual([id(4), "DBL", id(5)]);
  expect([id(2), id(4)]).not.toContain(second!.id);
  const both = { ...bare(), room_types: [{ ...suite!, id: id(2) }, double!] };
  const [renamed, fresh] = treeOf(replacedTree(TREE, both)).room_types;
  expect([renamed?.id, fresh?.id === id(2)]).toEqual([id(2), false]);
});

test("a patch changes the members it names and nothing else", () => {
  const patched = treeOf(
    patchedTree(TREE, { name: "Two", address: { city: "Toledo" }, geo: null }),
  );
  const address = { ...TREE.address, city: "Toledo" };
  expect(patched).toEqual({ ...TREE, name: "Two", address, geo: null });
  const lists = treeOf(patchedTree(TREE, { amenities: [], room_types: bare().room_types! }));
  expect(lists).toEqual({ ...TREE, amenities: [] });
});

test("an invalid value is reported at its path in the whole tree", () => {
  expect(faultsOf(patchedTree(TREE, { name: null, geo: { lat: 91 } }))).toEqual([
    "/name",
    "/geo/lat",
  ]);
  expect(faultsOf(patchedTree(TREE, { timezone: "Mars/Olympus" }))).toEqual(["/timezone"]);
  expect(faultsOf(replacedTree(TREE, { ...bare(), id: id(9) }))).toEqual(["/id"]);
  const long = "x".repeat(9_900);
  const policies = Array.from({ length: 60 }, (_, i) => ({
    ...{ ...TREE.policies[0]!, version: `v${i}`, child_policy_text: long },
  }));
  expect(faultsOf(patchedTree(TREE, { policies }))).toEqual([""]);
});
