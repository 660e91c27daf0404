/** The calls that lead a property on: what mends it, and what puts it on sale. */
import type { Mending } from "../../../engine/core/outcomes.ts";
import type { PropertyState } from "../../../engine/core/supply.ts";
import { action, type May, type NextAction, permitted } from "../../actions/next-action.ts";

/**
 * What mends the property first, then its promotion, then a look at it. Of a ready body only
 * `<what it is>` is left to fill in.
 */
export function onwardActions(
  { property_id, state }: { readonly property_id: string; readonly state: PropertyState },
  mending: Mending | undefined,
  may: May | undefined,
): NextAction[] {
  const path = `/v1/admin/properties/${property_id}`;
  // What is archived is neither mended nor sold again.
  const { patch, ari } = (state === "archived" ? undefined : mending) ?? {};
  const isOffSale = state === "draft" || state === "suspended";
  const actions: NextAction[] = [];
  if (patch) actions.push(action("retry", "PATCH", path, { body_hint: patch }));
  if (ari) actions.push(action("retry", "PUT", `${path}/ari`, { body_hint: { ...ari } }));
  if (isOffSale) {
    const body_hint = { dry_run: false };
    actions.push(action("retry", "POST", `${path}/promote`, { body_hint }));
  }
  actions.push(action("get", "GET", path));
  return permitted(actions, may);
}
