/**
 * The process that puts the searched tenant on sale: `SearchFill` as JSON is its argument. It
 * writes the journal by the engine's own commands, and then a snapshot. It is a process of its own,
 * because a heap that held a tenant stays large.
 */
import { writeSnapshot } from "../engine/log/snapshot.ts";
import { CoreRig, sellingCommands } from "./core-rig.ts";
import { grandSupply, suppliesOf } from "./search-tenant.ts";

export interface SearchFill {
  /** Of the journal, which is there or is made. */
  readonly directory: string;
  readonly lanes: number;
  readonly tenant_id: string;
  readonly properties: number;
  /** Also the property of twenty room types. */
  readonly hasGrand: boolean;
}

function fill({ directory, lanes, tenant_id, properties, hasGrand }: SearchFill): void {
  const rig = new CoreRig(directory, lanes);
  for (const supply of suppliesOf(properties)) rig.decide(sellingCommands(supply, tenant_id));
  if (hasGrand) rig.decide(sellingCommands(grandSupply(), tenant_id));
  const { journal, engine } = rig;
  rig.close();
  writeSnapshot(rig.path, journal.id, journal.head, engine.state);
}

fill(JSON.parse(process.argv[2]!) as SearchFill);
