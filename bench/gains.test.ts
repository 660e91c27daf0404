import { expect, test } from "bun:test";
import { readGains } from "./gains.ts";
import { resultsPage } from "./page.ts";

test("every step with its gain is on the page, once, and has figures that can be divided", () => {
  const gains = readGains();
  const page = resultsPage({ sections: [] });
  expect(gains.length).toBeGreaterThan(0);
  for (const { step, figure, before, after } of gains) {
    expect(before).toBeGreaterThan(0);
    expect(after).toBeGreaterThan(0);
    const rows = page.split("\n").filter((line) => line.startsWith(`| ${step} | ${figure} |`));
    expect(rows).toHaveLength(1);
  }
});

test("a gain is what remains of the figure before", () => {
  const page = resultsPage({ sections: [] });
  expect(page).toContain("| scripts of an envelope | 5 | 2 | 0.4 |");
});
