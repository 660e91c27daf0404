/**
 * The hotels that can be booked by whoever has their address: those on sale of every tenant. Ids
 * are unique within a tenant only, so the addresses that are published name the tenant. Where one
 * does not, the hotel that had the id on sale first is meant: nobody can take an address over. A
 * slug is a tenant's own and is found only together with it.
 */
import type { PropertyEntry, State } from "../../engine/core/state.ts";

/** The hotel that is meant; null for a name that nobody has, or whose hotel is not on sale. */
export function hotelNamed(
  state: State,
  name: string,
  tenantId: string | undefined,
): PropertyEntry | null {
  // Partners leave a name empty that they have nothing for.
  const tenant_id = tenantId?.trim().toLowerCase() ?? "";
  if (tenant_id !== "") {
    const property = state.propertyNamed({ tenant_id, mode: "live" }, name);
    return property?.state === "live" ? property : null;
  }
  const id = name.toLowerCase();
  let first: PropertyEntry | null = null;
  for (const { properties } of state.tenants.values()) {
    const property = properties.live.get(id);
    if (property?.state !== "live") continue;
    // What is on sale was put there by a row.
    if (first === null || property.first_live_row! < first.first_live_row!) first = property;
  }
  return first;
}
