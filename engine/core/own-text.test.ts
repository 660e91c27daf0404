import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { frozenQuote, propertyTree } from "../../test/support/builders.ts";
import { ownText } from "./own-text.ts";
import { quoteText } from "./quote-codec.ts";
import { decodeForFold } from "./row-codec.ts";

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
  const kept = [partsOf(32, ownText), partsOf(450, ownText)];
  expect(kept.map((parts) => parts.length)).toEqual([PAGES, PAGES]);
  expect(textBytes() - before).toBeLessThan((PAGES * PAGE_CHARS) / 2);
});

test("a hold that is folded keeps nothing of the page that its row stood in", () => {
  const quote = quoteText(frozenQuote(propertyTree()));
  const before = textBytes();
  const kept = Array.from({ length: PAGES }, (_, nth) => {
    const line = `hold|${nth}|1|t|live|agent|a|t|k|b|${nth}|hld_${nth}|2||${quote}`;
    const page = Buffer.from(`${line}\n${"x".repeat(PAGE_CHARS)}`).toString();
    return decodeForFold(page.split("\n")[0]!);
  });
  expect(kept.map(({ row }) => row)).toEqual(kept.map((_, nth) => nth));
  expect(textBytes() - before).toBeLessThan((PAGES * PAGE_CHARS) / 2);
});

test("every text is the same as its own", () => {
  for (const text of ["", "a", "agt_ann", "😀|~"]) expect(ownText(text)).toBe(text);
});
