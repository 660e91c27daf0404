/** Ends oversell incidents whose last night has passed: no operator can act on them any more. */
import { todayIn } from "../calendar.ts";
import { type Context, EventList } from "../decision.ts";
import { isIntact } from "../record-damage.ts";
import { type DueDecision, silent } from "./due-by-time.ts";
import { inRealm } from "./test-clock.ts";

const DAY_MS = 86_400_000;

/** The end of an open incident whose last night has passed at its property, or null. */
export function nextPassed(ctx: Context): DueDecision | null {
  for (const incident of ctx.state.incidents.values()) {
    const { incident_id, property_id, endDay, tenant_id, mode } = incident;
    const { now } = inRealm(ctx, incident);
    // No property is a day ahead of UTC; that spares most a look at their zone.
    if (endDay > Math.floor(now / DAY_MS) + 1) continue;
    const { timezone } = ctx.state.property(incident, property_id)!.tree;
    const hasPassed = endDay <= todayIn(timezone, now);
    if (!hasPassed || !isIntact("incident", incident_id, ctx.records)) continue;
    const events = new EventList(ctx.state, tenant_id, mode);
    const data = { incident_id, reason: "passed" } as const;
    events.add({ type: "inventory.oversell_resolved", data });
    const decision = { events: events.list, outcome: silent(), phase: "transient" } as const;
    return { tenant_id, mode, decision };
  }
  return null;
}
