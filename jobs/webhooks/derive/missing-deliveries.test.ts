/**
 * Goal: a tenant with many searches delays no other. Method: searches of two tenants over a journal
 * of several pages, one step at a time.
 */
import { expect, test } from "bun:test";
import { anEndpoint } from "../../../test/support/deliveries.ts";
import { WebhookRig } from "../../../test/support/webhook-rig.ts";
import { DeliveryStore } from "../store/delivery-store.ts";
import { Derivation } from "./derivation.ts";
import { MissingDeliveries } from "./missing-deliveries.ts";

test("searches of tenants take turns, regardless of order and size", () => {
  const rig = new WebhookRig();
  rig.notice(600);
  const { db, replica } = rig.open();
  replica.catchUp(1_000);
  const store = new DeliveryStore(db);
  const first = Array.from({ length: 5 }, (_, i) => anEndpoint({ endpoint_id: `whe_a${i}` }));
  const other = anEndpoint({ endpoint_id: "whe_b", tenant_id: "t-2" });
  const endpoints = [...first, other];
  for (const [i, { endpoint_id }] of endpoints.entries()) {
    store.requestMissing(endpoint_id, 0, rig.now() + 1, i);
  }
  const damage = { report: () => {} };
  const refills = new MissingDeliveries({ db, replica, derivation: new Derivation(db), damage });
  const served: string[] = [];
  for (let at = refills.step(endpoints, rig.now()); at !== null; ) {
    served.push(at);
    at = refills.step(endpoints, rig.now());
  }
  // Three pages each.
  expect(served).toHaveLength(18);
  expect(served.slice(0, 6)).toEqual(["whe_a0", "whe_b", "whe_a0", "whe_b", "whe_a0", "whe_b"]);
  expect(served.slice(6)).not.toContain("whe_b");
  expect(store.count({ tenant_id: "t-1", mode: "live", visible_property_ids: null })).toBe(3_000);
  for (const file of [replica, db]) file.close();
  rig.stop();
});
