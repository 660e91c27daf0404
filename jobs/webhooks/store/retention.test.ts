/** Goal: old settled deliveries are removed; open ones and unhandled dead letters are kept. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  anEndpoint,
  DeliveriesRig,
  failed,
  NOON,
  REALM,
  succeeded,
} from "../../../test/support/deliveries.ts";
import { Retention } from "./retention.ts";

const DAY_MS = 86_400_000;

let rig: DeliveriesRig;
let retention: Retention;
beforeEach(() => {
  rig = new DeliveriesRig();
  retention = new Retention({ db: rig.db, keptDays: 30, now: () => NOON, log: () => {} });
});
afterEach(() => rig.stop());

function cutAfter(days: number): void {
  while (retention.cut(NOON + days * DAY_MS));
}
const count = (table: string) =>
  rig.db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n;

test("settled deliveries are removed with their attempts after their time and not before", () => {
  rig.derive(Array.from({ length: 700 }, (_, i) => i + 1));
  rig.attempt(succeeded());
  cutAfter(29);
  expect([count("delivery"), count("attempt"), count("hourly")]).toEqual([700, 700, 1]);
  cutAfter(31);
  expect([count("delivery"), count("attempt"), count("hourly")]).toEqual([0, 0, 0]);
});

test("a dead letter is kept until handled, or for 90 days; an open delivery for ever", () => {
  rig.derive([1, 2], [anEndpoint(), anEndpoint({ endpoint_id: "whe_2" })]);
  rig.kill(failed());
  const [dead, handled] = rig.all().filter(({ state }) => state === "dead_lettered");
  rig.store.discard(handled!.delivery_id, "not wanted", NOON);
  cutAfter(31);
  const left = () => rig.all().map(({ state }) => state);
  expect(left().sort()).toEqual(["dead_lettered", "pending", "pending"]);
  expect(rig.store.get(dead!.delivery_id)).not.toBeNull();
  cutAfter(91);
  expect(left()).toEqual(["pending", "pending"]);
  expect(rig.store.count({ ...REALM, visible_property_ids: null })).toBe(2);
});
