/**
 * Notices of the control plane. What they tell has happened already and is the control plane's own;
 * the journal gives it a place among the tenant's events, so that who follows these hears of it.
 */
import type { RecordNotice } from "../commands.ts";
import { type Context, type Decision, EventList, success } from "./context.ts";

/** Always a success: the notice's event under the next number. */
export function recordNotice(command: RecordNotice, ctx: Context): Decision {
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const seq = events.add(command.notice);
  return { events: events.list, outcome: success(command, "internal", { seq }), phase: "sealed" };
}
