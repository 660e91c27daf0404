/** Goal: figures that one process reports about others are labelled with their roles. */
import { expect, test } from "bun:test";
import { exposition } from "./metrics.ts";
import { replacementsFamily } from "./replacements.ts";

test("replacements are counted by the role replaced, and no label occurs twice", () => {
  const families = [
    replacementsFamily([
      { role: "engine", reason: "silent", count: 2 },
      { role: "redis", reason: "died", count: 1 },
    ]),
  ];
  const text = exposition([{ role: "worker", pid: 7, families }]);
  expect(text.split("\n").slice(2, 4)).toEqual([
    'innkeep_process_replacements_total{role="engine",reason="silent",pid="7"} 2',
    'innkeep_process_replacements_total{role="redis",reason="died",pid="7"} 1',
  ]);
});

test("without replacements the metric has no sample", () => {
  expect(replacementsFamily().samples).toEqual([]);
});
