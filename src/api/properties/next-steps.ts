/** The calls that lead a property on: what mends it, and what puts it on sale. */
import type { Mending } from "../../../engine/core/outcomes.ts";
import type { PropertyState } from "../../../engine/core/supply.ts";
import type { NextAction } from "../../actions/next-action.ts";
import { ONTO_SALE } from "../../actions/steps.ts";
import type { Call } from "../../http/call.ts";
import { stepsTaken } from "../../refusals/recovery.ts";

/**
 * The same calls in the same order as a refused promotion offers. Of a ready body only
 * `<what it is>` is left to fill in.
 */
export function onwardActions(
  call: Pick<Call, "method" | "path" | "may">,
  { property_id, state }: { readonly property_id: string; readonly state: PropertyState },
  mending?: Mending,
): NextAction[] {
  const known = { detail: { property_id, state }, call, ...(mending && { hints: { mending } }) };
  return stepsTaken(ONTO_SALE, known, call.may);
}
