import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RequestLog, readRequestLog } from "./request-log.ts";

const FILE_BYTES_MAX = 2_000;

let directory: string;
let errors: unknown[];

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), "innkeep-requests-")), "requests");
  errors = [];
});
afterEach(() => rmSync(join(directory, ".."), { recursive: true }));

function newLog(): RequestLog {
  const onError = (error: unknown) => errors.push(error);
  return new RequestLog({ directory, now: () => 0, onError, fileBytesMax: FILE_BYTES_MAX });
}

function request(trace: number, status = 404) {
  return {
    ...{ method: "GET", route: "/v1/holds/:id", status, code: "hold_not_found", ms: 1 },
    ...{ trace_id: String(trace).padStart(32, "0"), tenant_id: "tnt_1", agent_id: "agt_1" },
  };
}

const traces = () => readRequestLog(directory).requests.map(({ trace_id }) => Number(trace_id));

test("requests are in a private file after the next write, and not before", async () => {
  const log = newLog();
  log.note(request(1));
  expect(existsSync(directory)).toBeFalse();
  await log.write();
  const at = "1970-01-01T00:00:00.000Z";
  expect(readRequestLog(directory)).toEqual({ requests: [{ at, ...request(1) }], dropped: 0 });
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, "1.jsonl")).mode & 0o777).toBe(0o600);
});

test("a stop writes the waiting lines", async () => {
  const log = newLog();
  log.start();
  log.note(request(1));
  await log.stop();
  expect(traces()).toEqual([1]);
});

test("two processes keep only the last two files, and lose no line of these", async () => {
  const logs = [newLog(), newLog()];
  let trace = 0;
  for (let round = 0; round < 40; round += 1) {
    for (const log of logs) log.note(request(++trace));
    await Promise.all(logs.map((log) => log.write()));
  }
  const names = readdirSync(directory);
  expect(names).toHaveLength(2);
  const bytes = names.map((name) => readFileSync(join(directory, name)).length);
  expect(Math.max(...bytes)).toBeLessThan(1.5 * FILE_BYTES_MAX);
  const kept = traces().sort((a, b) => a - b);
  expect(kept.at(-1)).toBe(trace);
  expect(kept).toEqual(Array.from(kept, (_, i) => trace - kept.length + 1 + i));
  expect(errors).toEqual([]);
});

test("lines beyond the memory limit are dropped and counted, also in the log", async () => {
  const log = newLog();
  for (let trace = 1; trace <= 1_005; trace += 1) log.note(request(trace));
  expect(log.dropped).toBe(5);
  await log.write();
  const { requests, dropped } = readRequestLog(directory);
  expect([requests.length, dropped]).toEqual([1_000, 5]);
  log.note(request(2_000));
  await log.write();
  expect(readRequestLog(directory).dropped).toBe(5);
  expect(traces()).toContain(2_000);
});

test("a flood of 429 leaves space for all other lines", async () => {
  const log = newLog();
  for (let trace = 1; trace <= 5_000; trace += 1) log.note(request(trace, 429));
  log.note(request(6_000));
  expect(log.dropped).toBe(4_900);
  await log.write();
  expect(traces()).toContain(6_000);
});

test("on a full disk lines are lost and counted, and no error is thrown", async () => {
  const log = newLog();
  writeFileSync(directory, "");
  log.note(request(1));
  await log.write();
  expect(errors).toHaveLength(1);
  expect(log.dropped).toBe(1);
  rmSync(directory);
  log.note(request(2));
  await log.write();
  expect(traces()).toEqual([2]);
  expect(readRequestLog(directory).dropped).toBe(1);
});

test("no write begins during another, and lines that arrive meanwhile are kept", async () => {
  const log = newLog();
  log.note(request(1));
  const first = log.write();
  log.note(request(2));
  expect(log.write()).toBe(first);
  await first;
  expect(traces()).toEqual([1]);
  await log.write();
  expect(traces()).toEqual([1, 2]);
});

test("a truncated line is skipped, and the others are read", async () => {
  const log = newLog();
  log.note(request(1));
  await log.write();
  appendFileSync(join(directory, "1.jsonl"), '{"at":"19');
  expect(traces()).toEqual([1]);
});
