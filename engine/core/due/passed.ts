/** Oversell incidents whose nights are over: nobody can mend them any more. */
import { todayIn } from "../calendar.ts";
import { type Context, EventList, success } from "../decision.ts";
import { isIntact } from "../record-damage.ts";
import type { DueDecision } from "./due-by-time.ts";
import { inRealm } from "./test-clock.ts";

const DAY_MS = 86_400_000;

/** The end of an open incident whose last night has passed at its property, or null. */
export function nextPassed(ctx: Context): DueDecision | null {
  for (const {
    incident_id,
    property_id,
    endDay,
    tenant_id,
    mode,
  } of ctx.state.incidents.values()) {
    const realm = { tenant_id, mode };
    const { now } = inRealm(ctx, realm);
    // No property is a day ahead of UTC; that spares most a look at their zone.
    if (endDay > Math.floor(now / DAY_MS) + 1) continue;
    const { timezone } = ctx.state.property(realm, property_id)!.tree;
    if (endDay > todayIn(timezone, now) || !isIntact("incident", incident_id, ctx.records))
      continue;
    const events = new EventList(ctx.state, tenant_id, mode);
    const data = { incident_id, reason: "passed" } as const;
    events.add({ type: "inventory.oversell_resolved", data });
    const outcome = success({ trace_id: "" }, "internal", {});
    return { ...realm, decision: { events: events.list, outcome, phase: "transient" } };
  }
  return null;
}
