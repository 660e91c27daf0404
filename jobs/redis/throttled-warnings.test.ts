/** Goal: the log names each problem and its duration without being flooded. */
import { expect, test } from "bun:test";
import { throttledWarnings } from "./throttled-warnings.ts";

test("each problem is logged at once, then every 10 s with its count", () => {
  const lines: unknown[] = [];
  let nowMs = 0;
  const tell = throttledWarnings(
    (...line) => lines.push(line),
    "Redis",
    () => nowMs,
  );
  for (nowMs = 0; nowMs < 25_000; nowMs += 100) tell(new Error("no space"));
  tell(new Error("another"));
  expect(lines).toEqual([
    ["warn", "trouble with Redis", { error: "Error: no space" }],
    ["warn", "trouble with Redis", { error: "Error: no space", more: 99 }],
    ["warn", "trouble with Redis", { error: "Error: no space", more: 99 }],
    ["warn", "trouble with Redis", { error: "Error: another" }],
  ]);
});

test("different texts are all logged and are not kept for ever", () => {
  let count = 0;
  const tell = throttledWarnings(
    () => count++,
    "Redis",
    () => 0,
  );
  for (let i = 0; i < 1_000; i++) tell(`command ${i} failed`);
  tell("command 0 failed");
  expect(count).toBe(1_001);
});
