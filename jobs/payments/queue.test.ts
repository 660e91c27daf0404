import { expect, test } from "bun:test";
import { dueIn } from "./queue.ts";

test("a job of a version before, for one payment or refund alone, is heard too", () => {
  const payment = { kind: "payment", id: "pay_1", deadline_ms: 5 } as const;
  const refund = { kind: "refund", id: "rfd_1" } as const;
  const heard = (job: object) => dueIn(JSON.stringify(job));
  expect([heard(payment), heard(refund)]).toEqual([[payment], [refund]]);
  expect(heard({ due: [payment, refund] })).toEqual([payment, refund]);
});
