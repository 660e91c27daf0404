/** Names are found by parts of them, in any order, without case and accents. */
import { expect, test } from "bun:test";
import { hasNameParts, namePartsOf } from "./name-match.ts";

function isFound(sought: string, name: string): boolean {
  return hasNameParts(name, namePartsOf(sought, 2)!);
}

test("parts of a name are found in any order, without case, accents and punctuation", () => {
  const found: readonly (readonly [sought: string, name: string])[] = [
    ["love", "Ada Lovelace"],
    ["LOVELACE, Ada", "Ada Lovelace"],
    ["munoz", "José Muñoz"],
    ["Muñoz", "Jose Munoz"],
    ["strasse", "Anna Straße"],
    ["soren", "Søren Kierkegaard"],
    ["o'brien", "Pat O’Brien"],
    ["istanbul", "İSTANBUL"],
    ["ισις", "ΊΣΙΣ"],
    ["王小", "王小明"],
    ["عبد", "عبد الله"],
    ["m n", "Marie-Noëlle"],
  ];
  expect(found.filter(([sought, name]) => !isFound(sought, name))).toEqual([]);
});

test("a name without one of the parts is not found", () => {
  expect(isFound("ada byron", "Ada Lovelace")).toBe(false);
  expect(isFound("lovelaces", "Ada Lovelace")).toBe(false);
  expect(isFound("adalove", "Ada Lovelace")).toBe(false);
});

test("fewer characters than the least are no search, whatever is beside them", () => {
  expect(namePartsOf("é", 2)).toBeNull();
  expect(namePartsOf(" -.- ", 2)).toBeNull();
  expect(namePartsOf("a b", 2)).toEqual(["a", "b"]);
});
