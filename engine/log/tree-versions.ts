/**
 * Former versions of a property's tree. Memory has only the present one; each of the others is read
 * from its row, which is never deleted.
 */
import type { Event, EventOf, Row } from "../core/events/event.ts";
import type { FrozenQuote } from "../core/price/quote.ts";
import type { State } from "../core/state/state.ts";
import { type Difference, versionAfter } from "../core/structural-sharing.ts";
import type { PropertyTree } from "../core/supply.ts";

/** A fold and the journal of its rows. */
interface Folded {
  readonly state: Pick<State, "property">;
  row(row: number): Row | null;
}

type Quoted = Pick<FrozenQuote, "tenant_id" | "mode" | "property_id" | "supply_version">;

function makes(
  event: Event,
  property_id: string,
): event is EventOf<"property.created" | "property.replaced"> {
  const isMade = event.type === "property.created" || event.type === "property.replaced";
  return isMade && event.data.property_id === property_id;
}

/**
 * The tree of the version that a quote names; null while the fold is behind it.
 *
 * @throws Damage when a row is damaged; Error when one has no tree, which is a bug.
 */
export function treeOf(folded: Folded, quote: Quoted): PropertyTree | null {
  const property = folded.state.property(quote, quote.property_id);
  if (!property || quote.supply_version > property.versions.length) return null;
  if (quote.supply_version === property.supply_version) return property.tree;
  const differences: Difference[] = [];
  for (let version = quote.supply_version; version > 0; version -= 1) {
    const { row } = property.versions[version - 1]!;
    const made = folded.row(row)?.events.find((event) => makes(event, quote.property_id));
    if (!made) break;
    const { data } = made;
    if (data.tree !== undefined)
      return differences.reduceRight((tree, each) => versionAfter(tree, each), data.tree);
    differences.push(data.difference);
  }
  throw new Error(`no row makes version ${quote.supply_version} of ${quote.property_id}`);
}
