/**
 * The search index of each realm: made at its first search, or in advance for large realms, and
 * maintained by the fold from then on.
 */

import type { State } from "../state/state.ts";
import type { Realm } from "../supply.ts";
import { RealmIndex } from "./index/realm-index.ts";

/** The index of a realm, made now if it has none. */
export function indexOf(state: State, { tenant_id, mode }: Realm): RealmIndex {
  const tenant = state.tenant(tenant_id);
  const kept = tenant.index[mode];
  if (kept instanceof RealmIndex && !kept.isSparse) return kept;
  const index = new RealmIndex(state.baseDay, tenant.sheets[mode]);
  for (const property of tenant.properties[mode].values()) index.propertyChanged(property);
  tenant.index[mode] = index;
  return index;
}

/** A realm with this many properties delays its first search by some 6 ms. */
const LARGE_REALM = 100;

/** Makes the missing indexes of large realms. */
export function indexLargeRealms(state: State): void {
  for (const [tenant_id, { properties }] of state.tenants) {
    for (const mode of ["live", "test"] as const) {
      if (properties[mode].size >= LARGE_REALM) indexOf(state, { tenant_id, mode });
    }
  }
}
