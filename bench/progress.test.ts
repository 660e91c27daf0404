/** Goal: a terminal and a log show what runs and how long it will take. */
import { expect, test } from "bun:test";
import { duration, Progress, type Stage } from "./progress.ts";
import { runOf } from "./test-run.ts";

const PLAN: readonly Stage[] = [
  { name: "reads", steps: 2, stepSeconds: 10 },
  { name: "holds", steps: 3, stepSeconds: 20 },
];

/** A clock that steps move, and everything that was written. */
function watched(columns: number | null) {
  let nowMs = 0;
  let text = "";
  const screen = {
    write: (more: string) => {
      text += more;
    },
    columns: () => columns,
  };
  const progress = new Progress(PLAN, screen, () => nowMs);
  const takes = (seconds: number) => async () => {
    nowMs += seconds * 1000;
    return runOf({ requestsPerSecond: 1_234.5, p99Ms: 6.78 });
  };
  return { progress, takes, text: () => text };
}

test("before the first step the time left is the sum of the declared seconds", () => {
  expect(watched(null).progress.secondsLeft).toBe(80);
});

test("measured steps predict the rest of their stage and correct other stages", async () => {
  const { progress, takes } = watched(null);
  await progress.step("reads", "one", takes(15));
  // One more of 15 s, and three that were declared as 20 s by who said 10 s for 15 s.
  expect(progress.secondsLeft).toBe(15 + 3 * 30);
  await progress.step("reads", "two", takes(25));
  expect(progress.secondsLeft).toBe(3 * 40);
  await progress.step("holds", "one", takes(10));
  expect(progress.secondsLeft).toBe(2 * 10);
  expect(progress.elapsedSeconds).toBe(50);
});

test("time within a step counts, and more steps than planned do no harm", async () => {
  const { progress, takes } = watched(null);
  await progress.step("reads", "one", takes(10));
  await progress.step("reads", "two", async () => {
    await takes(4)();
    expect(progress.secondsLeft).toBe(6 + 60);
    await takes(50)();
    expect(progress.secondsLeft).toBe(60);
  });
  await progress.step("reads", "three", takes(1));
  for (let n = 0; n < 4; n += 1) await progress.step("holds", "again", takes(20));
  expect(progress.secondsLeft).toBe(0);
});

test("in a log every run is a line with its number, figures, elapsed time and time left", async () => {
  const { progress, takes, text } = watched(null);
  await progress.run("holds", { what: "ours spread", round: 1, of: 3 }, takes(90));
  progress.note("7 feeds built.");
  expect(text().split("\n")).toEqual([
    "holds: ours spread, run 2 of 3: 1,235/s, p99 6.8 ms (1 min 30 s, about 5 min left)",
    "7 feeds built.",
    "",
  ]);
  expect(text()).not.toContain("\x1b");
  expect(progress.takeNotes()).toEqual(["7 feeds built."]);
  expect(progress.takeNotes()).toEqual([]);
});

test("in a log a step without figures is printed at its start, the last run without a time left", async () => {
  const { progress, takes, text } = watched(null);
  for (const round of [0, 1]) await progress.step("reads", `build ${round}`, takes(10));
  const run = (round: number) => progress.run("holds", { what: "ours", round, of: 3 }, takes(20));
  for (const round of [0, 1, 2]) await run(round);
  const lines = text().trimEnd().split("\n");
  expect(lines.slice(0, 2)).toEqual([
    "reads: build 0 (0 s, about 1 min 20 s left)",
    "reads: build 1 (10 s, about 1 min 10 s left)",
  ]);
  expect(lines.at(-1)).toBe("holds: ours, run 3 of 3: 1,235/s, p99 6.8 ms (1 min 20 s)");
});

test("a terminal shows one updated line that never wraps and is removed at the end", async () => {
  const line = "25 %  holds: ours spread, run 1 of 3 · 40 s, about 2 min left";
  for (const [columns, shown] of [
    [100, line],
    [60, `${line.slice(0, 58)}…`],
  ] as const) {
    const { progress, takes, text } = watched(columns);
    await progress.run("holds", { what: "ours spread", round: 0, of: 3 }, takes(40));
    progress.note("7 feeds built.");
    progress.end();
    const frames = text().split("\r\x1b[2K");
    expect(frames).toContain(shown);
    expect(frames).toContain("7 feeds built.\n");
    expect(frames.at(-1)).toBe("");
    for (const frame of frames) expect([...frame.trimEnd()].length).toBeLessThan(columns);
  }
});

test("a failed step leaves the report to its caller and the terminal clean", async () => {
  const { progress, text } = watched(60);
  const failing = async () => {
    throw new Error("refused");
  };
  expect(progress.step("holds", "ours", failing)).rejects.toThrow("refused");
  progress.end();
  expect(text()).toEndWith("\r\x1b[2K");
});

test("durations are printed in everyday units", () => {
  expect([4.4, 59.4, 370, 3_599, 3_900].map(duration)).toEqual([
    ...["4 s", "59 s", "6 min 10 s", "59 min 59 s", "1 h 5 min"],
  ]);
});
