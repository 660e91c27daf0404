/** How a decision about an incident is answered. */
import type { Rendering } from "../../http/execute.ts";
import { decidedActions } from "./actions.ts";

/** The answer of a call; a scan that finds something creates an incident. */
export function decided(isScan: boolean): Rendering<"incident"> {
  return {
    kind: "incident",
    answer: ({ may }, { data, trace_id }) => ({
      ...(isScan && data.seq !== null && { status: 201 }),
      data,
      actions: decidedActions(data, may),
      trace_id,
    }),
  };
}
