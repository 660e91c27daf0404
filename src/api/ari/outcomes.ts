/** The answer of an update of nights, and who must be looked for where it leaves one oversold. */
import type { SuccessOf } from "../../../engine/core/outcomes.ts";
import { action, permitted } from "../../actions/next-action.ts";
import type { Rendering } from "../../http/execute.ts";

/** Days whose guests are offered at once; `oversold` has the others. */
const DAYS_OFFERED = 5;

export const applied: Rendering<"ari"> = {
  kind: "ari",
  answer: ({ may }, { data, trace_id }) => {
    const actions = permitted(inHouse(data), may);
    return { data, trace_id, ...(actions.length > 0 && { actions }) };
  },
};

/** Whoever is in the house on those days, of whom somebody must move. */
function inHouse({ property_id, oversold = [] }: SuccessOf<"ari">["data"]) {
  const dates = [...new Set(oversold.map(({ date }) => date))].slice(0, DAYS_OFFERED);
  return dates.map((date) => {
    const asked = `in_house=${date}&property_id=${property_id}&state=confirmed`;
    return action("get", "GET", `/v1/admin/bookings?${asked}`);
  });
}
