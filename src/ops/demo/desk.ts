/** The visitors' part of `demo.json`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import type { DemoDesk } from "../../http/context.ts";
import { readDemoFile } from "./demo-file.ts";
import { mintDelegation } from "./mint-delegation.ts";

/**
 * Reads `demo.json` on each call until it exists: the api processes start before the demo is on
 * sale. Always null without `DEMO`.
 */
export function demoDeskOf({ demo, dataDir }: Config): () => Promise<DemoDesk | null> {
  const path = join(dataDir, "demo.json");
  let desk: DemoDesk | null = null;
  return async () => {
    if (demo && desk === null && existsSync(path)) desk = await openDesk(path);
    return desk;
  };
}

async function openDesk(path: string): Promise<DemoDesk | null> {
  const { tenant_id, agent, delegation, properties } = await readDemoFile(path);
  if (properties.length === 0) return null;
  const consentOf = (sub: string, ttlS: number) => mintDelegation(delegation, { sub, ttlS });
  return { tenant_id, agentSecret: agent.secret, iss: delegation.iss, consentOf };
}
