import { expect, test } from "bun:test";
import type { Head } from "../../engine/log/head.ts";
import { freshen, hasRow, untilFresh } from "./freshness.ts";

/** No slice of work may be longer: everybody else in the process waits meanwhile. */
const SLICE_MS_MAX = 5;

/** A replica at row 1 that gets on by what the test makes of `catchUp`. */
class FakeReplica {
  head: Head = { row: 1, chain: "" };
  isFresh = false;
  /** The budget of each call. */
  readonly budgets: number[] = [];
  readonly #work: (replica: FakeReplica) => void;

  constructor(work: (replica: FakeReplica) => void = () => {}) {
    this.#work = work;
  }

  catchUp(budgetMs: number): boolean {
    this.budgets.push(budgetMs);
    this.#work(this);
    return this.isFresh;
  }

  reach(row: number): void {
    this.head = { ...this.head, row };
  }
}

/** Keeps the process busy, as applying rows does. */
function work(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}

test("a refresh is one slice of work, whatever remains after it", () => {
  const replica = new FakeReplica();
  freshen(replica);
  expect(replica.budgets).toHaveLength(1);
  expect(replica.budgets[0]).toBeWithin(0, SLICE_MS_MAX + 1);
});

test("a reader sees all earlier rows, however many slices that takes", async () => {
  const replica = new FakeReplica((self) => {
    self.reach(self.head.row + 1);
    self.isFresh = self.head.row >= 20;
  });
  await Promise.all([untilFresh(replica), untilFresh(replica)]);
  expect(replica.head.row).toBe(20);
  for (const budget of replica.budgets) expect(budget).toBeLessThanOrEqual(SLICE_MS_MAX);
});

test("a reader of a lagging process stops waiting in time and gets the known rows", async () => {
  const replica = new FakeReplica();
  const startedMs = performance.now();
  await untilFresh(replica);
  expect(performance.now() - startedMs).toBeGreaterThan(499);
});

test("an existing row is not waited for", async () => {
  const replica = new FakeReplica();
  let isNextTurn = false;
  setImmediate(() => {
    isNextTurn = true;
  });
  expect(await hasRow(replica, 1, 0)).toBeTrue();
  // What left no row behind is there as well.
  expect(await hasRow(replica, 0, 0)).toBeTrue();
  expect(isNextTurn).toBeFalse();
  expect(replica.budgets).toEqual([]);
});

test("a row within one slice is there at once, even when there is no time to wait", async () => {
  const replica = new FakeReplica((self) => self.reach(3));
  expect(await hasRow(replica, 2, 0)).toBeTrue();
  expect(replica.budgets).toHaveLength(1);
});

test("a row that takes many slices is waited for, and timers fire meanwhile", async () => {
  const replica = new FakeReplica((self) => {
    work(1);
    self.reach(self.head.row + 1);
  });
  let fired = 0;
  const timer = setInterval(() => (fired += 1), 1);
  expect(await hasRow(replica, 60)).toBeTrue();
  clearInterval(timer);
  expect(replica.head.row).toBe(60);
  expect(fired).toBeGreaterThan(5);
  for (const budget of replica.budgets) expect(budget).toBeLessThanOrEqual(SLICE_MS_MAX);
});

test("a row that another task applies is seen", async () => {
  const replica = new FakeReplica();
  setTimeout(() => replica.reach(2), 20);
  expect(await hasRow(replica, 2)).toBeTrue();
});

test("the wait for a row that does not come ends in time, and timers fire meanwhile", async () => {
  const replica = new FakeReplica();
  let isFired = false;
  setTimeout(() => {
    isFired = true;
  }, 10);
  const startedMs = performance.now();
  expect(await hasRow(replica, 2, 60)).toBeFalse();
  expect(performance.now() - startedMs).toBeGreaterThan(59);
  expect(isFired).toBeTrue();
});

test("a decided answer waits at most six seconds", async () => {
  const startedMs = performance.now();
  expect(await hasRow(new FakeReplica(), 2)).toBeFalse();
  expect(performance.now() - startedMs).toBeWithin(6_000, 8_000);
}, 20_000);

test("a row that a stopped copy lacks is looked for only now and then", async () => {
  const replica = new FakeReplica();
  replica.isFresh = true;
  expect(await hasRow(replica, 2, 100)).toBeFalse();
  expect(replica.budgets.length).toBeWithin(1, 100);
});

test("there is one slice in each turn of the loop, however many calls wait", async () => {
  let turn = 0;
  let next = setImmediate(function pass() {
    turn += 1;
    next = setImmediate(pass);
  });
  const slices = new Map<number, number>();
  const replica = new FakeReplica(() => slices.set(turn, (slices.get(turn) ?? 0) + 1));
  const waits = Array.from({ length: 64 }, () => hasRow(replica, 2, 40));
  expect(await Promise.all(waits)).toEqual(Array(64).fill(false));
  clearImmediate(next);
  expect(turn).toBeGreaterThan(3);
  // The first who comes does not wait for a turn.
  expect(Math.max(...slices.values())).toBeLessThanOrEqual(2);
});

test("an error of the replica reaches the calls that wait", async () => {
  const replica = new FakeReplica(() => {
    throw new Error("damage");
  });
  const waits = [hasRow(replica, 2, 100), hasRow(replica, 2, 100)];
  for (const each of await Promise.allSettled(waits)) expect(each.status).toBe("rejected");
});
