/** Reports of messages on Redis with a wrong MAC. */
import type { MessageMacs } from "../../../jobs/redis/message-macs.ts";
import type { Family, RoleReport } from "../../lib/metrics.ts";

/** Refused messages by kind since the start. */
export function refusedFamily(macs: MessageMacs): Family {
  return {
    name: "innkeep_refused_messages_total",
    type: "counter",
    help: "Messages on Redis refused because of a wrong MAC.",
    samples: macs.refused().map(({ kind, count }) => ({ labels: `kind="${kind}"`, value: count })),
  };
}

/** The kinds with a refused message in the last ten minutes, for `/readyz`. */
export function recentlyRefused(macs: MessageMacs): Pick<RoleReport, "refusedMessages"> {
  const recent = macs.refused().filter(({ isRecent }) => isRecent);
  return { refusedMessages: recent.map(({ kind }) => kind) };
}
