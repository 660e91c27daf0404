/**
 * The hotels that can be booked by whoever has their address: those on sale of every tenant. A
 * partner's link has no tenant, so a property is found by its id; where several tenants have that
 * id nobody guesses. A slug is a tenant's own and is found only together with it.
 */
import type { PropertyEntry, State } from "../../engine/core/state.ts";

/** Every hotel that is meant; none for a name that nobody has, or whose hotel is not on sale. */
export function hotelsNamed(
  state: State,
  name: string,
  tenantId: string | undefined,
): PropertyEntry[] {
  const isOpen = (property: PropertyEntry | undefined): property is PropertyEntry =>
    property?.state === "live";
  // Partners leave a name empty that they have nothing for.
  const tenant_id = tenantId?.trim().toLowerCase() ?? "";
  if (tenant_id !== "") {
    const property = state.propertyNamed({ tenant_id, mode: "live" }, name);
    return [property].filter(isOpen);
  }
  const id = name.toLowerCase();
  return [...state.tenants.values()]
    .map(({ properties }) => properties.live.get(id))
    .filter(isOpen);
}
