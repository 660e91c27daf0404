/**
 * Goal: frequent statements and operators' queries cost only the rows that they touch, however many
 * deliveries are kept. Method: SQLite's query plan of each statement run on a recording connection.
 */
import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { anEndpoint, DeliveriesRig, failed, NOON, REALM } from "../../test/support/deliveries.ts";
import { BulkReplays } from "./recover/bulk-replays.ts";
import { Retention } from "./store/retention.ts";

let rig: DeliveriesRig;
const asked = new Set<string>();

function noting(db: Database): void {
  for (const name of ["query", "prepare"] as const) {
    const real = db[name].bind(db) as (sql: string) => unknown;
    Object.assign(db, {
      [name](sql: string) {
        asked.add(sql);
        return real(sql);
      },
    });
  }
}

/** Statements that would look at every delivery that is kept, with their plans. */
function walks(): string[] {
  return [...asked]
    .filter((sql) => !/^\s*PRAGMA/.test(sql))
    .flatMap((sql) => {
      const plan = rig.db.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
      const found = plan.filter(({ detail }) => /^SCAN (delivery|attempt)( |$)/.test(detail));
      return found.map(({ detail }) => `${detail}: ${sql}`);
    });
}

beforeEach(() => {
  asked.clear();
  rig = new DeliveriesRig();
  noting(rig.db);
  noting(rig.operatorsDb);
});
afterEach(() => rig.stop());

test("no statement of the worker scans all deliveries", () => {
  const filter = { ...REALM, visible_property_ids: null, endpoint_id: "whe_1" };
  const bulkReplays = new BulkReplays(rig.db);
  rig.derive([1, 2, 3]);
  rig.kill();
  bulkReplays.request({ ...filter, since: 0, until: NOON * 2 }, NOON);
  while (bulkReplays.step(NOON) !== null);
  for (const ordering of ["per_subject", "none"] as const) {
    rig.derivation.follow([anEndpoint({ ordering })]);
    while (rig.derivation.reorder(NOON));
  }
  const { claims } = rig;
  const taken = claims.take("whe_1", 1, NOON);
  claims.waitingFor(taken[0]!, 10);
  claims.giveBack(taken, NOON);
  const terms = { state: "dead_lettered", reason: "endpoint_disabled", limit: 1 } as const;
  for (const dueBefore of [NOON, null]) {
    claims.giveUp("whe_1", { ...terms, dueBefore, nowMs: NOON });
  }
  claims.nextDueAt("whe_1");
  claims.endpointsWithOpen();
  claims.oldestOpen("whe_1");
  new Retention({ db: rig.db, keptDays: 1, now: () => NOON, log: () => {} }).cut(NOON * 2);
  expect(walks()).toEqual([]);
});

test("no query about one endpoint or delivery scans all deliveries", () => {
  const filter = { ...REALM, visible_property_ids: null };
  const [first] = rig.derive([1, 2, 3]);
  rig.attempt(failed());
  rig.kill();
  const { store } = rig;
  store.replay(first!.delivery_id, "manual", NOON, "key");
  store.discard(first!.delivery_id, "enough", NOON);
  store.attempts(first!.delivery_id);
  store.counts("whe_1");
  store.stats("whe_1", 0, NOON);
  for (const narrower of [{}, { is_unhandled: true }, { endpoint_id: "whe_1" }, { since: NOON }]) {
    store.list({ ...filter, ...narrower }, { after: null, limit: 1 });
  }
  store.countDead({ ...filter, property_id: "p-1" }, 10);
  store.list({ ...filter, webhook_id: "evt_1", reason: "tls" }, { after: null, limit: 1 });
  expect(walks()).toEqual([]);
});
