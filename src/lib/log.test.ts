import { expect, test } from "bun:test";
import { logger } from "./log.ts";

function capture() {
  const lines: string[] = [];
  return { lines, write: (line: string) => void lines.push(line) };
}

test("a line is one JSON object with time, level, message, role, pid and the given fields", () => {
  const { lines, write } = capture();
  logger("api", { logLevel: "info" }, write).info("listening", { port: 3000, trace_id: "t1" });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toEndWith("\n");
  const { time, ...rest } = JSON.parse(lines[0] ?? "");
  expect(new Date(time).toISOString()).toBe(time);
  expect(rest).toEqual({
    level: "info",
    msg: "listening",
    role: "api",
    pid: process.pid,
    port: 3000,
    trace_id: "t1",
  });
});

test("lines below the level are dropped", () => {
  const { lines, write } = capture();
  const log = logger("api", { logLevel: "warn" }, write);
  log.debug("no");
  log.info("no");
  log.warn("yes");
  log.error("yes");
  expect(lines).toHaveLength(2);
});

test("errors keep their stack and cause, and a bigint does not throw", () => {
  const { lines, write } = capture();
  const error = new Error("outer", { cause: new Error("inner") });
  logger("api", { logLevel: "info" }, write).error("failed", { error, row: 7n });
  expect(lines[0]).toContain("outer");
  expect(lines[0]).toContain("inner");
  expect(lines[0]).toContain('"row":"7"');
});

test("a line for people is short: time, level, role, message, error and fields", () => {
  const { lines, write } = capture();
  const log = logger("worker", { logLevel: "info", logFormat: "text" }, write);
  log.warn("redis", {
    error: new Error("first\nsecond"),
    in_ms: 5,
    path: "a b",
    trace_id: undefined,
  });
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d {2}warn {3}worker {5}redis {2}first \/ second {2}in_ms=5 path="a b"\n$/,
  );
  log.error("failed", { error: new Error("outer", { cause: new Error("inner") }), row: 7n });
  const [first, ...stack] = lines[1]!.trimEnd().split("\n");
  expect(first).toMatch(/error {2}worker {5}failed {2}outer {2}row=7$/);
  expect(stack[0]).toMatch(/^ +at /);
  expect(stack).toContain("  because: inner");
  // No terminal, no colour.
  expect(lines.join("")).not.toContain("\x1b");
});
