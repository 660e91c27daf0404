/**
 * The hotels that anyone with their address can book: those on sale, of every tenant. Ids and slugs
 * are unique within a tenant only, so published addresses name the tenant. Without one, an id means
 * the hotel that had it on sale first, and a slug every hotel that has it: a tenant that takes
 * another's id or slug never takes over its address.
 */
import type { PropertyEntry, State } from "../../../engine/core/state/state.ts";

/** The hotels on sale that `name`, an id or a slug, can mean; several only for a shared slug. */
export function hotelsNamed(
  state: State,
  name: string,
  tenantId: string | undefined,
): PropertyEntry[] {
  // Partners send an empty value for what they do not know.
  const given = tenantId?.trim().toLowerCase() ?? "";
  const tenants = given === "" ? [...state.tenants.keys()] : [given];
  const found = tenants.flatMap((tenant_id) => {
    const property = state.propertyNamed({ tenant_id, mode: "live" }, name);
    return property?.state === "live" ? [property] : [];
  });
  const byId = found.filter(({ tree }) => tree.id === name.toLowerCase());
  // A row put each of them on sale.
  const [first] = byId.sort((a, b) => a.first_live_row! - b.first_live_row!);
  return first ? [first] : found;
}
