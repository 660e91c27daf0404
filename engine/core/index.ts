/** The index of each realm: made at its first search, kept by the fold from then on. */
import { RealmIndex } from "./index/realm-index.ts";
import type { State } from "./state.ts";
import type { Realm } from "./supply.ts";

/** The index of a realm that has it already, or made now; it is of the state as it stands. */
export function indexOf(state: State, { tenant_id, mode }: Realm): RealmIndex {
  const tenant = state.tenant(tenant_id);
  const kept = tenant.index[mode];
  if (kept instanceof RealmIndex && !kept.isSparse) return kept;
  const index = new RealmIndex(state.baseDay);
  for (const property of tenant.properties[mode].values()) index.propertyChanged(property);
  tenant.index[mode] = index;
  return index;
}
