/** Where the demo has hotels. */
import type { State } from "../../engine/core/state.ts";

/** Cities in which a tenant has something on sale: those with most hotels first, then by name. */
export function citiesOf(state: State, tenantId: string): string[] {
  const live = state.tenants.get(tenantId)?.properties.live.values() ?? [];
  const onSale = [...live].filter((property) => property.state === "live");
  const counts = Map.groupBy(onSale, ({ tree }) => tree.address.city);
  return [...counts]
    .sort(([a, hotels], [b, others]) => others.length - hotels.length || (a < b ? -1 : 1))
    .map(([city]) => city);
}
