import { afterEach, expect, test } from "bun:test";
import type { Payment, Refund } from "../../engine/core/records.ts";
import { Sweeper, type SweeperOptions, slotOf } from "./sweeper.ts";

const CREATED_MS = 1_000_000;
const HOUR_MS = 3_600_000;

let sweeper: Sweeper | undefined;
afterEach(() => sweeper?.stop());

function payment(id: string): Payment {
  return { payment_id: id, tenant_id: "t", created_at: CREATED_MS } as Payment;
}

/** Job ids in the order in which a sweeper over these records enqueues them. */
function sweeping(over: Partial<SweeperOptions> & Pick<SweeperOptions, "records" | "now">) {
  const ids: string[] = [];
  sweeper = new Sweeper({
    queue: { enqueue: async ({ id }, slot) => void ids.push(`${id}-${slot}`) },
    worker: { isWorkingOn: () => false, freePlaces: () => 50 },
    onError: (error) => {
      throw error;
    },
    ...over,
  });
  sweeper.start();
  return ids;
}

test("slots count up with age: each second, then every 5 s, then every minute", () => {
  expect([0, 999, 1_000, 14_999].map(slotOf)).toEqual([0, 0, 1, 14]);
  expect([15_000, 19_999, 20_000, 299_999].map(slotOf)).toEqual([15, 15, 16, 71]);
  expect([300_000, 359_999, 360_000].map(slotOf)).toEqual([72, 72, 73]);
});

test("an hour without a verdict is about 130 tries, at first one a second", async () => {
  let nowMs = CREATED_MS;
  const records = { duePayments: () => [payment("p")], dueRefunds: () => [] };
  const ids = sweeping({ records, now: () => nowMs });
  for (; nowMs < CREATED_MS + HOUR_MS; nowMs += 1_000) await sweeper?.sweep();
  expect(ids.slice(0, 3)).toEqual(["p-2", "p-3", "p-4"]);
  expect(ids).toHaveLength(13 + 57 + 55);
  expect(new Set(ids).size).toBe(ids.length);
});

test("at the start everything older than two seconds is due, payments and refunds", () => {
  const refund = { refund_id: "r", tenant_id: "t", created_at: CREATED_MS } as Refund;
  const young = { ...payment("young"), created_at: CREATED_MS + HOUR_MS };
  const records = { duePayments: () => [payment("p"), young], dueRefunds: () => [refund] };
  const ids = sweeping({ records, now: () => CREATED_MS + HOUR_MS + 1_999 });
  expect(ids.map((id) => id.split("-")[0])).toEqual(["p", "r"]);
});

test("what is being worked on is left alone, and no tenant gets more than it has places", () => {
  const due = ["a", "b", "c", "d"].map(payment);
  const records = { duePayments: () => due, dueRefunds: () => [] };
  const worker = { isWorkingOn: (id: string) => id === "b", freePlaces: () => 2 };
  const ids = sweeping({ records, worker, now: () => CREATED_MS + 2_000 });
  expect(ids).toEqual(["a-2", "c-2"]);
});
