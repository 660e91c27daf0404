/** Goal: agents' requests are counted once by all processes. Method: two counters on one file. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TrafficCounter } from "./traffic-counter.ts";
import { BOUNDS_MS, TrafficFile } from "./traffic-file.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2027, 0, 31, 12, 7);
const TODAY = Math.floor(NOW_MS / DAY_MS);
const ADA = { tenant_id: "t1", mode: "live", agent_id: "ada" } as const;
const BOB = { tenant_id: "t1", mode: "test", agent_id: "bob" } as const;
const SEARCH = { id: "search" };
const QUOTE = { id: "quote" };

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "innkeep-traffic-"));
  path = join(folder, "traffic.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

function counter(file = new TrafficFile(path), errors: unknown[] = []) {
  return new TrafficCounter({ file, now: () => NOW_MS, onError: (error) => errors.push(error) });
}

test("counts of several processes are summed by agent and route, separately by mode", () => {
  const [first, second] = [counter(), counter()];
  first.note(ADA, SEARCH, 200, 0.4);
  first.note(ADA, SEARCH, 429, 3);
  second.note(ADA, SEARCH, 200, 7_000);
  second.note(ADA, QUOTE, 503, 20);
  second.note(BOB, SEARCH, 200, 1);
  for (const each of [first, second]) each.stop();
  const file = new TrafficFile(path);
  const sums = file.sums(ADA, TODAY, TODAY);
  expect(
    sums.map(({ route, answered, refused, failed }) => [route, answered, refused, failed]),
  ).toEqual([
    ["quote", 0, 0, 1],
    ["search", 2, 1, 0],
  ]);
  expect(sums[1]!.latencies).toHaveLength(BOUNDS_MS.length + 1);
  expect([sums[1]!.latencies.at(0), sums[1]!.latencies.at(-1)]).toEqual([1, 1]);
  expect(file.sums(BOB, TODAY, TODAY)).toHaveLength(1);
  expect(file.sums(ADA, TODAY + 1, TODAY + 1)).toEqual([]);
  file.close();
});

test("counts that could not be written are written once by the next attempt", () => {
  const file = new TrafficFile(path);
  let isFull = true;
  const errors: unknown[] = [];
  const failing = {
    add: (...given: Parameters<TrafficFile["add"]>) => {
      if (isFull) throw new Error("disk full");
      file.add(...given);
    },
    close() {},
  };
  const counting = new TrafficCounter({
    ...{ file: failing, now: () => NOW_MS, onError: (error: unknown) => void errors.push(error) },
  });
  counting.note(ADA, SEARCH, 200, 1);
  counting.write();
  isFull = false;
  counting.note(ADA, SEARCH, 200, 1);
  counting.write();
  counting.write();
  expect(errors).toHaveLength(1);
  expect(file.sums(ADA, TODAY, TODAY)).toMatchObject([{ answered: 2 }]);
  file.close();
});

/** A process that holds the file's write lock for some time from when this resolves on. */
async function otherWriter(heldMs: number) {
  const script = `const { Database } = require("bun:sqlite");
    const db = new Database(${JSON.stringify(path)});
    db.run("BEGIN IMMEDIATE");
    console.log("held");
    Bun.sleepSync(${heldMs});
    db.run("ROLLBACK");`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  await child.stdout.getReader().read();
  return { ended: child.exited };
}

test.each(["drain", "stop"] as const)(
  "the last counts wait for another writer: %s",
  async (end) => {
    const [counting, file] = [counter(), new TrafficFile(path)];
    counting.note(ADA, SEARCH, 200, 1);
    const { ended } = await otherWriter(600);
    counting[end](performance.now() + 1_000);
    expect(file.sums(ADA, TODAY, TODAY)).toMatchObject([{ answered: 1 }]);
    await ended;
    if (end === "drain") counting.stop();
    expect(file.sums(ADA, TODAY, TODAY)).toMatchObject([{ answered: 1 }]);
    file.close();
  },
);

test("the end retries what the drain could not write, and counts that are lost are an error", () => {
  const errors: unknown[] = [];
  const [file, other] = [new TrafficFile(path), new Database(path)];
  const [first, second] = [counter(file, errors), counter(undefined, errors)];
  for (const each of [first, second]) each.note(ADA, SEARCH, 200, 1);
  other.run("BEGIN IMMEDIATE");
  for (const each of [first, second]) each.drain(performance.now());
  first.write();
  expect(errors).toEqual([]);
  second.stop();
  expect(errors).toMatchObject([{ code: "SQLITE_BUSY" }]);
  other.run("ROLLBACK");
  other.close();
  first.stop();
  expect(errors).toHaveLength(1);
  const read = new TrafficFile(path);
  expect(read.sums(ADA, TODAY, TODAY)).toMatchObject([{ answered: 1 }]);
  read.close();
});

test("old minutes are merged into hours with equal sums; data older than a year is removed", () => {
  const file = new TrafficFile(path);
  const counts = () =>
    [
      {
        ...ADA,
        route: "search",
        answered: 1,
        refused: 0,
        failed: 0,
        latencies: BOUNDS_MS.map(() => 1),
      },
    ].map((each) => ({ ...each, latencies: [...each.latencies, 0] }));
  for (const ms of [0, 60_000, 120_000]) file.add(counts(), NOW_MS + ms);
  const before = file.sums(ADA, TODAY, TODAY);
  file.tidy(NOW_MS + 3 * DAY_MS);
  expect(file.sums(ADA, TODAY, TODAY)).toEqual(before);
  file.add(counts(), NOW_MS);
  file.tidy(NOW_MS + 3 * DAY_MS);
  expect(file.sums(ADA, TODAY, TODAY)).toMatchObject([{ answered: 4 }]);
  file.tidy(NOW_MS + 402 * DAY_MS);
  expect(file.sums(ADA, TODAY, TODAY)).toEqual([]);
  file.close();
});
