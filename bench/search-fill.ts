/**
 * The process that puts the tenant on sale which is searched: `SearchFill` as JSON is its argument.
 * It writes the journal by the engine's own commands, as an operator's would be, and then a
 * snapshot; a line is printed whenever another tenth is done. In a process of its own, because a
 * heap that held a tenant stays large.
 */
import type { Command } from "../engine/core/commands.ts";
import { writeSnapshot } from "../engine/log/snapshot.ts";
import { CoreRig, freshMeta } from "./core-rig.ts";
import { FILL_STEPS, type SearchFill } from "./search-tasks.ts";
import { grandSupply, type Supply, suppliesOf } from "./search-tenant.ts";

function commandsOf({ tree, ari }: Supply, tenant_id: string): Command[] {
  const property_id = tree.id;
  const meta = () => ({ ...freshMeta(), tenant_id });
  return [
    { ...meta(), type: "CreateProperty", tree, payments_configured: true },
    { ...meta(), type: "UpdateAri", property_id, ari },
    { ...meta(), type: "PromoteProperty", property_id, dry_run: false, payments_configured: true },
  ];
}

function fill({ directory, lanes, tenant_id, properties, hasGrand }: SearchFill): void {
  const rig = new CoreRig(directory, lanes);
  let done = 0;
  for (const supply of suppliesOf(properties)) {
    rig.decide(commandsOf(supply, tenant_id));
    done += 1;
    if (done % Math.ceil(properties / FILL_STEPS) === 0) console.log(done);
  }
  if (hasGrand) rig.decide(commandsOf(grandSupply(), tenant_id));
  const { journal, engine } = rig;
  rig.close();
  writeSnapshot(rig.path, journal.id, journal.head, engine.state);
}

fill(JSON.parse(process.argv[2]!) as SearchFill);
