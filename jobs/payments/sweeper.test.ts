import { afterEach, expect, test } from "bun:test";
import { deriveId } from "../../engine/core/ids.ts";
import type { Payment, Refund } from "../../engine/core/records.ts";
import { intervalEndOf, Sweeper, type SweeperOptions } from "./sweeper.ts";

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

/** A worker with that many places for each tenant, all of them free again after each sweep. */
class Places {
  readonly tried: string[] = [];
  readonly #count: number;
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  hasSlot = () => this.#taken < this.#count;
  wouldDrop = (_id: string) => false;
  settle = async ({ id }: { readonly id: string }) => {
    this.#taken += 1;
    this.tried.push(id);
  };

  free(): void {
    this.#taken = 0;
  }
}

/** A sweeper over these records, which has swept once, and its worker. */
function sweeping(
  over: Partial<SweeperOptions> & Pick<SweeperOptions, "records" | "now">,
  worker = new Places(50),
) {
  const log = () => {};
  sweeper = new Sweeper({ worker, damage: { report: () => {} }, log, ...over });
  const { tried } = worker;
  sweeper.sweep();
  const sweep = () => {
    worker.free();
    sweeper?.sweep();
    return tried.splice(0);
  };
  return { tried, sweep };
}

test("attempts come each second at first, then every 5 s, then every minute", () => {
  const ends = [0, 999, 14_999, 15_000, 19_999, 299_999, 300_000].map(intervalEndOf);
  expect(ends).toEqual([1_000, 1_000, 15_000, 20_000, 20_000, 300_000, 360_000]);
});

test("an hour without a verdict makes about 130 attempts, at first one a second", () => {
  let nowMs = CREATED_MS;
  const { records } = recordsOf([payment("p")]);
  const { sweep } = sweeping({ records, now: () => nowMs });
  const agesMs: number[] = [];
  for (; nowMs < CREATED_MS + HOUR_MS; nowMs += 1_000) {
    for (const _ of sweep()) agesMs.push(nowMs - CREATED_MS);
  }
  expect(agesMs.slice(0, 3)).toEqual([2_000, 3_000, 4_000]);
  expect(agesMs).toHaveLength(13 + 57 + 55);
});

test("at the start each payment and refund older than two seconds is due", () => {
  const refund = { ...payment("r"), refund_id: "r", state: "pending" } as unknown as Refund;
  const young = { ...payment("young"), created_at: CREATED_MS + HOUR_MS };
  const { records } = recordsOf([payment("p"), young], [refund]);
  const { tried } = sweeping({ records, now: () => CREATED_MS + HOUR_MS + 1_999 });
  expect(tried).toEqual(["p", "r"]);
});

test("active payments are skipped, and no tenant exceeds its slots", () => {
  const due = ["a", "b", "c", "d"].map((id, i) => ({ ...payment(id), created_at: CREATED_MS + i }));
  const { records } = recordsOf(due);
  const worker = new Places(2);
  worker.wouldDrop = (id) => id === "b";
  const { tried } = sweeping({ records, now: () => CREATED_MS + 2_003 }, worker);
  expect(tried).toEqual(["a", "c"]);
});

test("decided payments are dropped, and new ones are tried", () => {
  let nowMs = CREATED_MS;
  const { open, records } = recordsOf([payment("a")]);
  const { sweep } = sweeping({ records, now: () => nowMs });
  const sweepAt = (atMs: number) => {
    nowMs = CREATED_MS + atMs;
    return sweep();
  };
  expect(sweepAt(2_000)).toEqual(["a"]);
  open.payment.set("a", { ...payment("a"), state: "captured" });
  const id = deriveId("pay", CREATED_MS + 3_000, "0".repeat(32));
  open.payment.set(id, { ...payment(id), created_at: CREATED_MS + 3_000, state: "pending" });
  expect(sweepAt(4_000)).toEqual([]);
  expect(sweepAt(5_000)).toEqual([id]);
});

test("a clock that is set back delays no attempt", () => {
  let nowMs = CREATED_MS;
  const { records } = recordsOf([payment("p")]);
  const { sweep } = sweeping({ records, now: () => nowMs });
  let tries = 0;
  for (nowMs += 1_000; nowMs <= CREATED_MS + 3_000; nowMs += 1_000) tries += sweep().length;
  nowMs -= 3_600_000;
  for (let second = 0; second < 4; second += 1, nowMs += 1_000) tries += sweep().length;
  expect(tries).toBe(5);
});

test("a sweep over 50,000 open payments costs only the payments that are due", () => {
  const many = Array.from({ length: 50_000 }, (_, i) => {
    const created_at = CREATED_MS + i;
    const id = deriveId("pay", created_at, i.toString(16).padStart(8, "0").padEnd(32, "0"));
    return { ...payment(id), created_at };
  });
  let nowMs = CREATED_MS + HOUR_MS;
  const { records, asked } = recordsOf(many);
  const { sweep } = sweeping({ records, now: () => nowMs });
  Object.assign(asked, { ids: 0, records: 0 });
  for (let second = 0; second < 59; second += 1) {
    nowMs += 1_000;
    sweep();
  }
  // The newest millisecond is looked up again each second; per tenant 50 are tried.
  expect(asked.ids).toBe(59);
  expect(asked.records).toBeLessThanOrEqual(59 * 50);
});
