import { expect, test } from "bun:test";
import { logger } from "./log.ts";

function capture() {
  const lines: string[] = [];
  return { lines, write: (line: string) => void lines.push(line) };
}

test("a line is one JSON object with time, level, message, role, pid and the given fields", () => {
  const { lines, write } = capture();
  logger("api", "info", write).info("listening", { port: 3000, trace_id: "t1" });
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
  const log = logger("api", "warn", write);
  log.debug("no");
  log.info("no");
  log.warn("yes");
  log.error("yes");
  expect(lines).toHaveLength(2);
});

test("errors keep their stack and cause, and a bigint does not throw", () => {
  const { lines, write } = capture();
  const error = new Error("outer", { cause: new Error("inner") });
  logger("api", "info", write).error("failed", { error, row: 7n });
  expect(lines[0]).toContain("outer");
  expect(lines[0]).toContain("inner");
  expect(lines[0]).toContain('"row":"7"');
});
