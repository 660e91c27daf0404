/** What waits is counted for those who may list it. */
import { expect, test } from "bun:test";
import type { Payment } from "../../../engine/core/records.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { Call } from "../../http/call.ts";
import { type Needs, needsOf, needsOffers } from "./needs.ts";

const NOW = Date.UTC(2026, 8, 1, 12);
const OF_PAYMENTS = ["admin:payments"];
const NOTHING: Needs = {
  ...{ authorizations: null, incidents: null, dead_letters: null },
  ...{ refunds_failed: null, payments_unresolved: null },
};

const property = (id: string) => ({ tree: { id } }) as PropertyEntry;

/** A call with these payments without a verdict, by their property and age in seconds. */
function callWith(scopes: readonly string[], ages: readonly (readonly [string, number])[]): Call {
  const realm = { tenant_id: "t-1", mode: "live" } as const;
  const payments = ages.map(([property_id, ageS], i): [string, Payment] => {
    const created_at = NOW - 1000 * ageS;
    return [`pay_${i}`, { ...realm, agent_id: "agt_1", property_id, created_at } as Payment];
  });
  const context = { engineNow: () => NOW, replica: { state: { payments: new Map(payments) } } };
  const principal = { ...realm, kind: "operator", agent_id: "agt_ops", property_ids: null };
  return { context, principal: { ...principal, scopes: new Set(scopes) } } as unknown as Call;
}

test("payments count once they are stuck: younger ones are decided by themselves", async () => {
  const call = callWith(OF_PAYMENTS, [
    ["p-1", 299],
    ["p-1", 300],
    ["p-2", 3_000],
  ]);
  expect(await needsOf(call, null)).toEqual({ ...NOTHING, payments_unresolved: 2 });
  expect(await needsOf(call, property("p-1"))).toEqual({ ...NOTHING, payments_unresolved: 1 });
});

test("without the scope of a list nothing is counted", async () => {
  expect(await needsOf(callWith(["admin:bookings"], [["p-1", 300]]), null)).toEqual(NOTHING);
});

test("the lists that have something are offered, of the property where they can be", () => {
  const hrefs = (needs: Needs, of: PropertyEntry | null) => {
    return needsOffers(needs, of).map(([, { href }]) => href);
  };
  expect(hrefs({ ...NOTHING, incidents: 0 }, null)).toEqual([]);
  const all = { authorizations: 1, incidents: 1, dead_letters: 1, refunds_failed: 1 };
  const lists = [
    "/v1/admin/booking-authorizations?state=pending&property_id=p-1",
    "/v1/admin/oversell-incidents?state=open&property_id=p-1",
    "/v1/admin/webhook-deliveries?unhandled=true&limit=50&property_id=p-1",
    "/v1/admin/refunds?state=failed",
    "/v1/admin/payments?older_than_s=300",
  ];
  expect(hrefs({ ...all, payments_unresolved: 1 }, property("p-1"))).toEqual(lists);
  const anywhere = lists.map((href) => href.replace("&property_id=p-1", ""));
  expect(hrefs({ ...all, payments_unresolved: 1 }, null)).toEqual(anywhere);
});
