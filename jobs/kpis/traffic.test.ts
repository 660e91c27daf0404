/** Goal: agents' requests are counted once by all processes. Method: two counters on one file. */
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
