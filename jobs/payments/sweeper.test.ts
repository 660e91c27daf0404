import { afterEach, expect, test } from "bun:test";
import { deriveId } from "../../engine/core/ids.ts";
import type { Payment, Refund } from "../../engine/core/records.ts";
import { Sweeper, type SweeperOptions, slotOf } from "./sweeper.ts";

const CREATED_MS = 1_000_000;
const HOUR_MS = 3_600_000;

let sweeper: Sweeper | undefined;
afterEach(() => sweeper?.stop());

function payment(id: string): Payment {
  return { payment_id: id, tenant_id: "t", created_at: CREATED_MS, state: "unknown" } as Payment;
}

/** Records that count how often they are asked; what is in the maps is open. */
function recordsOf(payments: readonly Payment[], refunds: readonly Refund[] = []) {
  const open = {
    payment: new Map(payments.map((payment) => [payment.payment_id, payment])),
    refund: new Map(refunds.map((refund) => [refund.refund_id, refund])),
  };
  const asked = { ids: 0, records: 0 };
  const read = <T>(map: ReadonlyMap<string, T>, id: string) => {
    asked.records += 1;
    return map.get(id) ?? null;
  };
  const records: SweeperOptions["records"] = {
    open(kind, fromId = "") {
      const ids = [...open[kind].keys()].filter((id) => id >= fromId);
      asked.ids += ids.length;
      return ids;
    },
    payment: (id) => read(open.payment, id),
    refund: (id) => read(open.refund, id),
  };
  return { open, asked, records };
}

/** Job ids in the order in which a sweeper over these records enqueues them. */
function sweeping(over: Partial<SweeperOptions> & Pick<SweeperOptions, "records" | "now">) {
  const ids: string[] = [];
  sweeper = new Sweeper({
    queue: { enqueue: async ({ id }, slot) => void ids.push(`${id}-${slot}`) },
    worker: { wouldDrop: () => false, freePlaces: () => 50 },
    damage: { tell: () => {} },
    onError: (error) => {
      throw error;
    },
    ...over,
  });
  sweeper.start();
  return ids;
}

test("slots count up with age: each second, then every 5 s, then every minute", () => {
  const slots = (...ages: number[]) => ages.map((ageMs) => slotOf(ageMs).slot);
  expect(slots(0, 999, 1_000, 14_999)).toEqual([0, 0, 1, 14]);
  expect(slots(15_000, 19_999, 20_000, 299_999)).toEqual([15, 15, 16, 71]);
  expect(slots(300_000, 359_999, 360_000)).toEqual([72, 72, 73]);
  const ends = [0, 14_999, 15_000, 299_999, 300_000].map((ageMs) => slotOf(ageMs).endMs);
  expect(ends).toEqual([1_000, 15_000, 20_000, 300_000, 360_000]);
});

test("an hour without a verdict is about 130 tries, at first one a second", async () => {
  let nowMs = CREATED_MS;
  const { records } = recordsOf([payment("p")]);
  const ids = sweeping({ records, now: () => nowMs });
  for (; nowMs < CREATED_MS + HOUR_MS; nowMs += 1_000) await sweeper?.sweep();
  expect(ids.slice(0, 3)).toEqual(["p-2", "p-3", "p-4"]);
  expect(ids).toHaveLength(13 + 57 + 55);
  expect(new Set(ids).size).toBe(ids.length);
});

test("at the start everything older than two seconds is due, payments and refunds", () => {
  const refund = { ...payment("r"), refund_id: "r", state: "pending" } as unknown as Refund;
  const young = { ...payment("young"), created_at: CREATED_MS + HOUR_MS };
  const { records } = recordsOf([payment("p"), young], [refund]);
  const ids = sweeping({ records, now: () => CREATED_MS + HOUR_MS + 1_999 });
  expect(ids.map((id) => id.split("-")[0])).toEqual(["p", "r"]);
});

test("what is being worked on is left alone, and no tenant gets more than it has places", () => {
  const due = ["a", "b", "c", "d"].map((id, i) => ({ ...payment(id), created_at: CREATED_MS + i }));
  const { records } = recordsOf(due);
  const worker = { wouldDrop: (id: string) => id === "b", freePlaces: () => 2 };
  const ids = sweeping({ records, worker, now: () => CREATED_MS + 2_003 });
  expect(ids).toEqual(["a-2", "c-2"]);
});

test("what has its verdict is forgotten, and what is new is tried", async () => {
  let nowMs = CREATED_MS;
  const { open, records } = recordsOf([payment("a")]);
  const ids = sweeping({ records, now: () => nowMs });
  const sweep = async (atMs: number) => {
    nowMs = CREATED_MS + atMs;
    await sweeper?.sweep();
    return ids.splice(0);
  };
  expect(await sweep(2_000)).toEqual(["a-2"]);
  open.payment.set("a", { ...payment("a"), state: "captured" });
  const id = deriveId("pay", CREATED_MS + 3_000, "0".repeat(32));
  open.payment.set(id, { ...payment(id), created_at: CREATED_MS + 3_000, state: "pending" });
  expect(await sweep(4_000)).toEqual([]);
  expect(await sweep(5_000)).toEqual([`${id}-2`]);
});

test("a clock that is set back delays no try", async () => {
  let nowMs = CREATED_MS;
  const { records } = recordsOf([payment("p")]);
  const ids = sweeping({ records, now: () => nowMs });
  for (nowMs += 1_000; nowMs <= CREATED_MS + 3_000; nowMs += 1_000) await sweeper?.sweep();
  nowMs -= 3_600_000;
  for (let second = 0; second < 4; second += 1, nowMs += 1_000) await sweeper?.sweep();
  expect(ids).toEqual(["p-2", "p-3", "p-4", "p-5", "p-6"]);
});

test("50,000 open payments cost a sweep what is due of them", async () => {
  const many = Array.from({ length: 50_000 }, (_, i) => {
    const created_at = CREATED_MS + i;
    const id = deriveId("pay", created_at, i.toString(16).padStart(8, "0").padEnd(32, "0"));
    return { ...payment(id), created_at };
  });
  let nowMs = CREATED_MS + HOUR_MS;
  const { records, asked } = recordsOf(many);
  sweeping({ records, now: () => nowMs });
  Object.assign(asked, { ids: 0, records: 0 });
  for (let second = 0; second < 59; second += 1) {
    nowMs += 1_000;
    await sweeper?.sweep();
  }
  // The newest millisecond is looked up again each second; per tenant 50 are tried.
  expect(asked.ids).toBe(59);
  expect(asked.records).toBeLessThanOrEqual(59 * 50);
});
