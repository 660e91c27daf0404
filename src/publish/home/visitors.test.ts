/**
 * Goal: without a demo no visitor gets a key or learns that one exists; with a demo the number of
 * agents is limited, and no address can use up the daily limit.
 */
import { afterAll, expect, test } from "bun:test";
import { createAgent } from "../../access/control/agents.ts";
import { openTestControl } from "../../access/control/test-control.ts";
import type { PublicCall } from "../../http/call.ts";
import type { PublicRoute } from "../../http/route.ts";
import { unknownPath } from "../../http/unrouted.ts";
import { visitorRoutes } from "./visitors.ts";

const [route] = visitorRoutes as unknown as readonly [PublicRoute];
const control = openTestControl();
const { store, view, tenantId } = control;
afterAll(control.close);

function come(demo: object | null) {
  const context = { store, control: view, now: Date.now, demo: async () => demo };
  return route.handle({ context, path: "/demo/visitors" } as unknown as PublicCall);
}

test("without a demo the visitors' path is unknown", async () => {
  expect(await come(null)).toEqual(unknownPath("/demo/visitors"));
});

test("beyond the daily limit a visitor must wait and no agent is created", async () => {
  const terms = { name: "Visitor", kind: "agent", mode: "live" } as const;
  store.write(() => {
    for (let i = 0; i < 500; i += 1) createAgent(store, tenantId, terms);
  });
  const detail = { policy: "all_visitors", limit: 500, window_s: 86_400 };
  const answer = await come({ tenant_id: tenantId, iss: "none" });
  expect(answer).toMatchObject({ ok: false, code: "rate_limited", detail, retry_after: 3600 });
  const { n } = store.db.query<{ n: number }, []>("SELECT count(*) AS n FROM agent").get()!;
  expect(n).toBe(500);
});

test("the daily limit of one address leaves most of the total to others", () => {
  const { perDay } = route.addressLimit!;
  // A burst and what comes back in a day: the most that any 24 hours can see of one address.
  expect(2 * perDay!).toBeLessThanOrEqual(500 / 10);
});
