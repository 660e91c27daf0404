/**
 * The nightly schedules, one per tenant with a feed, in the tenant's time zone. A schedule only
 * triggers; the planner decides which night it is and whether it was built already.
 */
import type { JobSchedulerJson } from "bullmq";
import type { FeedQueue } from "./queue.ts";

const PREFIX = "nightly-";
const LISTED_MAX = 100_000;

/** Schedules exactly these tenants at `time` (`HH:mm`) in their zones; returns the changes made. */
export async function schedule(
  { queue, messages }: FeedQueue,
  zones: ReadonlyMap<string, string>,
  time: string,
): Promise<number> {
  const [hours, minutes] = time.split(":").map(Number);
  const pattern = `0 ${minutes} ${hours} * * *`;
  const known = new Map(
    (await queue.getJobSchedulers(0, LISTED_MAX)).map((found) => [found.key, found]),
  );
  let changed = 0;
  const names = (message: unknown, tenantId: string) => {
    const job = messages.read(message);
    return job?.kind === "nightly" && job.tenant_id === tenantId;
  };
  for (const [tenant_id, tz] of zones) {
    const key = PREFIX + tenant_id;
    const found = known.get(key);
    known.delete(key);
    if (found && isFor(found, pattern, tz) && names(found.template?.data, tenant_id)) continue;
    // Changing a pattern in place may leave the next time unchanged.
    if (found) await queue.removeJobScheduler(key);
    const data = messages.write({ kind: "nightly", tenant_id });
    await queue.upsertJobScheduler(key, { pattern, tz }, { name: "nightly", data });
    changed += 1;
  }
  for (const key of known.keys()) {
    await queue.removeJobScheduler(key);
    changed += 1;
  }
  return changed;
}

function isFor(found: JobSchedulerJson<string>, pattern: string, tz: string): boolean {
  return found.pattern === pattern && found.tz === tz && found.next !== undefined;
}
