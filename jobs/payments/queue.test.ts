import { expect, test } from "bun:test";
import { macsOf } from "../../test/support/macs.ts";
import { dueIn } from "./queue.ts";

test("a job added by others has no effect and is counted", () => {
  const macs = macsOf();
  const due = [{ kind: "refund", id: "rfd_1" } as const];
  const text = JSON.stringify({ due });
  const heard = (message: string) => dueIn(message, "ik-test", macs);
  expect(heard(macs.write("payments", "ik-test:payments", text))).toEqual(due);
  expect(heard(macs.write("payments", "ik-other:payments", text))).toEqual([]);
  expect(heard(text)).toEqual([]);
  expect(macs.refused()).toContainEqual({ kind: "payments", count: 2, isRecent: true });
});
