/**
 * Notices of the control store. The change has already happened there; the journal gives it a
 * position among the tenant's events, for webhooks and followers.
 */
import type { RecordNotice } from "./commands.ts";
import { type Context, type Decision, EventList, success } from "./decision.ts";

/** Always a success: the notice's event with the next number. */
export function recordNotice(command: RecordNotice, ctx: Context): Decision {
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const seq = events.add(command.notice);
  return { events: events.list, outcome: success(command, "internal", { seq }), phase: "sealed" };
}
