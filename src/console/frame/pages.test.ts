import { expect, test } from "bun:test";
import { pageOf } from "./pages.tsx";
import type { Visit } from "./visit.ts";

const ALL = Array.from({ length: 25 }, (_, nth) => nth);

function page(query: Readonly<Record<string, string>>, all: readonly number[] = ALL) {
  const visit = { call: { query: new Map(Object.entries(query)) } } as unknown as Visit;
  return pageOf(visit, all, 10);
}

test("a list is shown from page to page, with its filter, to the end", () => {
  expect(page({ state: "a b" })).toEqual({
    ...{ items: ALL.slice(0, 10), words: "1 to 10 of 25", next: "?state=a+b&skip=10" },
  });
  expect(page({ skip: "10" }).next).toBe("?skip=20");
  expect(page({ skip: "20" })).toEqual({
    ...{ items: ALL.slice(20), words: "21 to 25 of 25", next: null },
  });
});

test("a short list has no pages, and an address beyond the end shows the first one", () => {
  expect(page({}, [1, 2])).toEqual({ items: [1, 2], words: null, next: null });
  for (const skip of ["25", "-3", "x", "1e9"]) expect(page({ skip }).items[0]).toBe(0);
});
