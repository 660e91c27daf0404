import { expect, test } from "bun:test";
import { dueIn } from "./queue.ts";

test("a job of a version before, for one payment or refund alone, is heard too", () => {
  const payment = { kind: "payment", id: "pay_1", deadline_ms: 5 } as const;
  const refund = { kind: "refund", id: "rfd_1" } as const;
  expect([dueIn(payment), dueIn(refund)]).toEqual([[payment], [refund]]);
  expect(dueIn({ due: [payment, refund] })).toEqual([payment, refund]);
});
