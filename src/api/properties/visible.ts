/** What a caller sees of the supply. */
import type { SearchScope } from "../../../engine/core/search.ts";
import type { PropertyEntry } from "../../../engine/core/state.ts";
import type { Principal } from "../../control/principal.ts";
import type { Call } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";

/** The caller as searches ask for it. */
export function scopeFor(principal: Principal, { engineNow }: Context): SearchScope {
  const { tenant_id, mode, agent_id, property_ids } = principal;
  return { tenant_id, mode, agent_id, property_ids, nowMs: engineNow() };
}

/** A live property of the caller's tenant and mode by id or slug, or why there is none. */
export function findProperty(
  call: Call,
  idOrSlug: string,
): PropertyEntry | "property_not_found" | "resource_access_denied" {
  const { principal, context } = call;
  const { state } = context.replica;
  const slug = `${principal.mode}:${idOrSlug}`;
  const id = state.tenants.get(principal.tenant_id)?.slugs.get(slug) ?? idOrSlug;
  const property = state.property(principal, id);
  if (property?.state !== "live") return "property_not_found";
  const { property_ids } = principal;
  return property_ids && !property_ids.has(id) ? "resource_access_denied" : property;
}
