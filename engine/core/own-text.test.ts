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

/** A part of each of many pages. */
function partsOf(chars: number, keep: (part: string) => string): string[] {
  return Array.from({ length: PAGES }, (_, nth) => {
    const page = Buffer.from(`hold|${String(nth).padStart(32, "0")}|${"x".repeat(PAGE_CHARS)}`);
    return keep(page.toString().slice(5, 5 + chars));
  });
}

test("what is kept keeps nothing of the page that it stood in, also if nobody looks into it", () => {
  const before = textBytes();
  const kept = [partsOf(32, ownText), partsOf(32, nameOf), partsOf(450, ownText)];
  expect(kept.map((parts) => parts.length)).toEqual([PAGES, PAGES, PAGES]);
  expect(textBytes() - before).toBeLessThan((PAGES * PAGE_CHARS) / 2);
});

test("every text is its own, and equal ones have one name, however many there were since", () => {
  for (const text of ["", "a", "agt_ann", "😀|~"]) {
    expect(ownText(text)).toBe(text);
    expect(nameOf(text)).toBe(text);
  }
  for (let nth = 0; nth < 120_000; nth += 1)
    expect(nameOf(`n${nth % 60_000}`)).toBe(`n${nth % 60_000}`);
});
