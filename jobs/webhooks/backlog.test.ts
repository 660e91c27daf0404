/**
 * Goal: 100,000 deliveries that wait for one dead endpoint delay neither the process nor the file.
 * Method: that many rows, and the processor time of each operation beside the time of a full read.
 * `plans.test.ts` covers the query plans.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpuMsOf } from "../../test/support/cpu.ts";
import { anEndpoint, DeliveriesRig, failed, NOON, REALM } from "../../test/support/deliveries.ts";
import type { Delivery } from "./store/delivery.ts";
import { Retention } from "./store/retention.ts";

const COUNT = 100_000;
const DEAD = anEndpoint();
const OTHER = anEndpoint({ endpoint_id: "whe_2" });

let rig: DeliveriesRig;
/** Processor time that reading all deliveries takes. */
let allMs: number;
beforeAll(() => {
  rig = new DeliveriesRig();
  rig.derive([1], [DEAD, OTHER]);
  rig.db.run(
    `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO delivery (delivery_id, endpoint_id, tenant_id, mode, webhook_id, row, seq,
       prev_seq, kind, subject, property_id, event_at, created_at, state, next_attempt_at, trigger)
     SELECT printf('dlv_01kjmsy8g0%016d', i), endpoint_id, tenant_id, mode, 'evt_' || i, i, i,
       i - 1, kind, 'hold:hld_' || (i % 1000), property_id, event_at, created_at, state,
       created_at, trigger
     FROM n, (SELECT * FROM delivery WHERE endpoint_id = 'whe_1') AS first`,
    [COUNT],
  );
  allMs = heldMs(() => rig.db.query("SELECT * FROM delivery").all(), 3);
});
afterAll(() => rig.stop());

/** Processor time of the fastest of some runs, so that a busy machine fails nothing. */
function heldMs(work: () => unknown, runs = 9): number {
  return Math.min(...Array.from({ length: runs }, () => cpuMsOf(work)));
}

const all = { ...REALM, visible_property_ids: null };
const giveUp = { state: "dead_lettered", reason: "connect", limit: 200 } as const;

function settle(taken: readonly Delivery[]): void {
  const attempt = failed();
  rig.claims.settle(
    taken.map((delivery) => ({ delivery, at: NOON, attempt, reason: null })),
    NOON,
  );
}

const deeds: [string, () => unknown][] = [
  ["finding what is due", () => rig.claims.nextDueAt("whe_1")],
  ["finding who has something open", () => rig.claims.endpointsWithOpen()],
  ["finding the oldest", () => rig.claims.oldestOpen("whe_1")],
  ["counting dead letters", () => rig.claims.countDeadLetters(COUNT)],
  ["taking and settling a batch", () => settle(rig.claims.take("whe_1", 200, NOON))],
  [
    "giving up a slice",
    () => rig.claims.giveUp("whe_1", { ...giveUp, dueBefore: null, nowMs: NOON }),
  ],
  ["serving another endpoint", () => rig.attempt(failed(), NOON, "whe_2")],
  ["deriving more", () => rig.derive([COUNT + 1], [DEAD, OTHER])],
  [
    "changing its order, a slice at a time",
    () => {
      rig.derivation.follow([{ ...DEAD, ordering: "per_subject" }, OTHER]);
      expect(rig.derivation.reorder(NOON)).toBeTrue();
    },
  ],
  [
    "pausing and resuming",
    () => {
      rig.derivation.follow([{ ...DEAD, state: "paused" }, OTHER]);
      rig.derivation.follow([DEAD, OTHER]);
    },
  ],
  ["a page for an operator", () => rig.store.list(all, { after: null, limit: 100 })],
  ["a slice of a recovery", () => rig.store.recover(all, { limit: 200, nowMs: NOON })],
  [
    "a slice of forgetting",
    () => new Retention({ db: rig.db, keptDays: 30, now: () => NOON, log: () => {} }).cut(NOON),
  ],
];
test.each(deeds)("%s takes no longer than before", (_name, work) => {
  expect(heldMs(work)).toBeLessThan(allMs / 4);
});
