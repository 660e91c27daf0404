import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { nameOf, ownText } from "./own-text.ts";

/** Bytes that strings keep outside of their cells, once nothing else is left. */
function textBytes(): number {
  Bun.gc(true);
  return heapStats().extraMemorySize;
}

const PAGE_CHARS = 64 * 1024;
const PAGES = 400;

/** An id out of each of many pages. */
function idsOf(keep: (id: string) => string): Set<string> {
  const ids = Array.from({ length: PAGES }, (_, nth) => {
    const page = Buffer.from(`hold|${String(nth).padStart(32, "0")}|${"x".repeat(PAGE_CHARS)}`);
    return keep(page.toString().slice(5, 37));
  });
  return new Set(ids);
}

test("an id that is kept keeps nothing of the page that it stood in", () => {
  const before = textBytes();
  const kept = [idsOf(ownText), idsOf(nameOf)];
  expect(kept.map((ids) => ids.size)).toEqual([PAGES, PAGES]);
  expect(textBytes() - before).toBeLessThan((PAGES * PAGE_CHARS) / 10);
});

test("every text is its own, and equal ones have one name, however many there were since", () => {
  for (const text of ["", "a", "agt_ann", "😀|~"]) {
    expect(ownText(text)).toBe(text);
    expect(nameOf(text)).toBe(text);
  }
  for (let nth = 0; nth < 120_000; nth += 1)
    expect(nameOf(`n${nth % 60_000}`)).toBe(`n${nth % 60_000}`);
});
