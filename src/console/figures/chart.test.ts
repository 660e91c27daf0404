/** Goal: charts draw what they are given, to scale, in words too. Method: render and look. */
import { expect, test } from "bun:test";
import { render } from "preact-render-to-string";
import { Chart, topOf } from "./chart.tsx";

const PERIODS = ["Mon", "Tue", "Wed", "Thu"];
const AT = {
  ...{ id: "it", title: "Occupancy", summary: "All of it.", periods: PERIODS, words: String },
};

function drawn(over: Partial<Parameters<typeof Chart>[0]> = {}): string {
  const series = [{ name: "November", look: "bar" as const, values: [1, 2, null, 4] }];
  return render(Chart({ ...AT, series, ...over }));
}

test.each([
  [0, 1],
  [0.31, 0.4],
  [1, 1],
  [1.08, 1.2],
  [39, 40],
  [450, 500],
  [501, 600],
  [20_000, 20_000],
])("the axis of %p reaches %p", (value, top) => {
  expect(topOf(value)).toBeCloseTo(top);
});

test("a bar is as high as its value, and there is none where there is nothing", () => {
  const bars = [...drawn().matchAll(/<rect class="bar" [^>]*height="([^"]+)"[^>]*><title>/g)];
  expect(bars.map(([, height]) => Number(height))).toEqual([50, 100, 200]);
  expect(drawn()).toContain("<title>Tue: 2</title>");
});

test("what has not happened yet looks different, and the legend says so", () => {
  expect(drawn()).not.toContain("booked so far");
  const ahead = drawn({ aheadFrom: 1 });
  expect(ahead.match(/class="bar ahead"/g)).toHaveLength(3);
  expect(ahead).toContain("booked so far");
});

test("a line is interrupted where there is nothing", () => {
  const series = [{ name: "October", look: "before" as const, values: [4, null, 2, 0] }];
  expect(drawn({ series })).toContain('<path class="before" d="M125 0h0M625 100h0L875 200"');
});

test("the drawing has a name, a description and a legend in words; what is in them is text", () => {
  const title = '"><img src=x>';
  const html = drawn({ title });
  expect(html).not.toContain("<img");
  expect(html).toContain('aria-labelledby="it-title it-desc"');
  expect(html).toContain('<desc id="it-desc">All of it.</desc>');
  expect(html.replace(/<[^>]+>/g, " ")).toContain("November");
});
