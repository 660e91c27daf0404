/**
 * The answer of an update of nights, with a search for affected guests when a night is oversold.
 */
import { permitted } from "../../actions/next-action.ts";
import type { Rendering } from "../../http/execute.ts";
import { inHouse } from "../oversold.ts";

export const applied: Rendering<"ari"> = {
  kind: "ari",
  answer: ({ may }, { data, trace_id }) => {
    const actions = permitted(inHouse(data.property_id, data), may);
    return { data, trace_id, ...(actions.length > 0 && { actions }) };
  },
};
