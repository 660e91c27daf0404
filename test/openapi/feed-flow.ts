/** The walk of `flow.ts` through the partner feeds, those of the small second tenant. */

import { until } from "../support/service.ts";
import type { Recorder } from "./recorder.ts";

interface Run {
  readonly partner: string;
  readonly run_id: string;
  readonly state: string;
}

/** Fetches every document as a partner does, and has a feed built as an operator does. */
export async function fetchFeeds(on: Recorder): Promise<void> {
  const { tenant_id, admin: agent } = on.service.demo.second_tenant;
  const fetch = (path: string) => on.call("GET", `/feeds/${path}`, { agent: null });
  await fetch(`google/hotel-list.xml?tenant_id=${tenant_id}`);
  await fetch(`google/ari.xml?tenant_id=${tenant_id}&days=1`);
  await fetch(`microsoft/pointofsale.xml?tenant_id=${tenant_id}`);
  await on.call("POST", `/feeds/bing/query?tenant_id=${tenant_id}`, {
    agent: null,
    headers: { "content-type": "application/xml" },
    raw: "<Query><HotelInfoProperties><Property>1</Property></HotelInfoProperties></Query>",
  });
  (await fetch("expedia/ari.xml")).refused("validation_failed", 404);
  const runs = "/v1/admin/feeds/google/runs";
  const body = { accept_shrink: false };
  const made = (await on.call("POST", runs, { agent, body })).ok<Run>(202).data;
  const path = `${runs}/${made.run_id}`;
  await until("the run is published", async () => {
    return (await on.service.api("GET", path, { agent })).ok<Run>().data.state === "published";
  });
  (await on.call("GET", path, { agent })).ok();
  (await on.call("GET", runs, { agent })).ok();
  (await on.call("GET", "/v1/admin/feeds", { agent })).ok();
}
