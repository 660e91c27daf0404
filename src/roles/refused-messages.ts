/** What a process reports of messages on Redis that somebody else has written. */
import type { MessageMacs } from "../../jobs/message-macs.ts";
import type { Family, RoleReport } from "../base/metrics.ts";

/** Refused messages by kind since the process began. */
export function refusedFamily(macs: MessageMacs): Family {
  return {
    name: "innkeep_refused_messages_total",
    type: "counter",
    help: "Messages on Redis that were refused because their MAC is wrong.",
    samples: macs.refused().map(({ kind, count }) => ({ labels: `kind="${kind}"`, value: count })),
  };
}

/** The kinds of which a message was refused in the last ten minutes, for `/readyz`. */
export function refusedLately(macs: MessageMacs): Pick<RoleReport, "refusedMessages"> {
  const recent = macs.refused().filter(({ isRecent }) => isRecent);
  return { refusedMessages: recent.map(({ kind }) => kind) };
}
