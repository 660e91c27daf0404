/** Goal: no payment is taken before the provider has reported what a restored journal lost. */
import { expect, test } from "bun:test";
import { endWithin, roleOf } from "../../src/lib/service.ts";
import { until } from "../../test/support/service.ts";
import { afterReconciling } from "./after-reconciling.ts";
import { NotReconciled, type Orphan, type Reconciliation } from "./reconcile.ts";

const LIMIT_MS = 10_000;

function found(...states: readonly Orphan["state"][]): Reconciliation {
  const orphans = states.map((state, i) => {
    return { payment_id: `pay_${i}`, amount: 100, currency: "EUR", state };
  });
  const findings = [{ tenant_id: "t", mode: "live", orphans, differences: [] } as const];
  return { charges: states.length, findings };
}

/** Runs through the passes, each an answer or a failure, and notes what happened in which order. */
async function deedsOf(passes: readonly (Reconciliation | Error)[], refundsOrphans: boolean) {
  const deeds: string[] = [];
  const left = [...passes];
  const payments = { id: "payments", start: () => void deeds.push("payments"), stop() {} };
  const service = afterReconciling({
    payments: roleOf("payments", [payments], () => {}),
    pass: async () => {
      deeds.push("pass");
      const next = left.shift()!;
      if (next instanceof Error) throw next;
      return next;
    },
    onDone: () => void deeds.push("done"),
    refundsOrphans,
    log: () => {},
  });
  await service.start?.();
  await until("payments are taken", () => deeds.includes("payments"));
  await endWithin(service, LIMIT_MS);
  return deeds;
}

test("an undecided charge is refunded only after its verdict", async () => {
  const passes = [found("open"), found("refunded")];
  expect(await deedsOf(passes, true)).toEqual(["pass", "pass", "done", "payments"]);
});

test("one report is enough when nothing is refunded", async () => {
  expect(await deedsOf([found("open", "standing")], false)).toEqual(["pass", "done", "payments"]);
});

test("a silent provider is asked again, and nothing is charged meanwhile", async () => {
  const passes = [new NotReconciled("timeout"), found()];
  expect(await deedsOf(passes, false)).toEqual(["pass", "pass", "done", "payments"]);
});
