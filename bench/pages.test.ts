/** Goal: a budget is judged by its worst page, and a page's weight has all that it loads. */
import { expect, test } from "bun:test";
import { Selection } from "./catalogue.ts";
import { assetsOf, percentile } from "./page-server.ts";
import { measurePages, PAGE_KINDS, pageFigures, pageVerdicts } from "./pages.ts";
import { isMet } from "./result.ts";
import { type Sample, Samples } from "./samples.ts";

const figures = (each: Sample["figures"]): Sample => ({ figures: each });

function samplesOf(): Samples {
  const samples = new Samples();
  samples.add("server", "Today", figures({ p50Ms: 4, p99Ms: 12 }));
  samples.add("server", "Front page", figures({ p50Ms: 2, p99Ms: 40 }));
  samples.add("weight", "Today", figures({ kilobytes: 50, requests: 7 }));
  samples.add("weight", "Calendar, 62 nights", figures({ kilobytes: 75, requests: 6 }));
  samples.add("weight", "Front page", figures({ kilobytes: 25, requests: 4 }));
  for (const lcpMs of [900, 1_700, 1_400]) {
    samples.add("browser", "Today", figures({ lcpMs, shift: 0 }));
  }
  samples.add("edit", "an edit of a calendar's cell", figures({ inpMs: 96 }));
  samples.add("holds", "no console is open", figures({ p99Ms: 10 }));
  samples.add("holds", "20 live consoles", figures({ p99Ms: 11.5 }));
  return samples;
}

test("each budget is judged by its worst page, which it names", () => {
  const verdicts = pageVerdicts(samplesOf());
  expect(verdicts.map((each) => [each.text, each.measured, isMet(each)])).toEqual([
    ["p99 ms, the slowest page (Front page)", 40, false],
    ["KB of a console page, the heaviest (Today)", 50, true],
    ["requests of a console page, the most (Today)", 7, false],
    ["KB of a calendar of 62 nights × 10 room types", 75, true],
    ["KB of a guest's page, the heaviest (Front page)", 25, false],
    ["largest paint ms of a console page, the last (Today)", 1_400, true],
    ["layout shift, the most (Today)", 0, true],
    ["ms from a key to the paint, an edit of a calendar's cell", 96, true],
    ["p99 of a hold beside 20 live consoles ÷ none", 1.15, false],
  ]);
});

test("without a browser only what it shows is missing", () => {
  const samples = new Samples();
  samples.add("server", "Today", figures({ p50Ms: 4, p99Ms: 12 }));
  const { groups, verdicts } = pageFigures(samples);
  expect(groups.map(({ id }) => id)).toEqual(["server"]);
  expect(verdicts).toHaveLength(1);
  expect(Object.keys(PAGE_KINDS)).toContain("Today");
});

test("a page loads its styles, scripts, icons and pictures, each once, and follows no link", () => {
  const html = `<link rel="stylesheet" href="/a.css"><link rel="canonical" href="/self">
    <script src="/b.js?x=1&amp;y=2" defer></script><script src="/b.js?x=1&amp;y=2"></script>
    <img alt="" src="/c.svg"><link rel="icon" href="/d.svg"><a href="/elsewhere">more</a>`;
  expect(assetsOf(html)).toEqual(["/a.css", "/b.js?x=1&y=2", "/c.svg", "/d.svg"]);
});

test("a percentile is a latency that was measured", () => {
  const sorted = Array.from({ length: 200 }, (_, i) => i + 1);
  expect([50, 99, 99.9].map((share) => percentile(sorted, share))).toEqual([100, 198, 200]);
  expect(percentile([7], 99)).toBe(7);
});

test("a series that fails ends neither the others nor their figures", async () => {
  const tried: (string | null)[] = [];
  const notes: string[] = [];
  const fixture = {
    quotes: { spread: [], hot: [] },
    withCopy(crowd: string | null) {
      tried.push(crowd);
      return Promise.reject(new Error("does not start"));
    },
  };
  const progress = { note: (sentence: string) => void notes.push(sentence) };
  const bench = { only: new Selection(["pages"]), runs: 1, timing: { seconds: 1 }, progress };
  const { failures } = await measurePages(fixture as never, bench as never);
  expect(tried).toEqual([null, null, "spread"]);
  expect(failures).toHaveLength(3);
  const series = ["server", "browser", "consoles"];
  expect(notes).toEqual(series.map((name) => `pages/${name} failed: does not start`));
});
