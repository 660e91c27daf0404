/** Runs of partner feeds, for tests of other things. */
import { newRunId } from "../../jobs/feed-runs/run.ts";
import { openFeeds } from "../../jobs/feed-runs/schema.ts";
import { feedsPath } from "../../src/config.ts";
import type { Service } from "./service.ts";

/** A run of the demo tenant's feed for google that has failed before anything was built; its id. */
export function givenRun({ dataDir, demo }: Service): string {
  const db = openFeeds(feedsPath(dataDir), "normal");
  const nowMs = Date.now();
  const run_id = newRunId(nowMs);
  const insert = `INSERT INTO run
    (run_id, tenant_id, partner, trigger, state, created_at, ended_at, reason, detail)
    VALUES (?1, ?2, 'google', 'operator', 'failed', ?3, ?3, 'crashed', 'given')`;
  db.query(insert).run(run_id, demo.tenant_id, nowMs);
  db.close();
  return run_id;
}
