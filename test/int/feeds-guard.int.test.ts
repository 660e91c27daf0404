/**
 * Goal: a wrong build never replaces a right one, and an operator sees the reason and decides.
 * Method: hotels of a tenant lose data that partners need while the service runs; the served bytes
 * are compared.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTenant } from "../../src/access/control/tenants.ts";
import { feedsPath } from "../../src/config.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { createHotel, newKey } from "../support/client.ts";
import { expectValid, feedPath, fetchFeed, textOf } from "../support/served-feeds.ts";
import { Service, until } from "../support/service.ts";

const FEEDS = "/v1/admin/feeds";
const PARTNER = "google";

interface Run {
  readonly run_id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly detail: string | null;
}
interface Status {
  readonly partner: string;
  readonly published: {
    readonly run_id: string;
    readonly hotel_list: { readonly listings: number };
  } | null;
  readonly open_run: Run | null;
  readonly failed_run: Run | null;
}
let service: Service;
let tenant_id: string;
let agent: DemoAgent;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1" });
  tenant_id = service.demo.second_tenant.tenant_id;
  agent = service.demo.second_tenant.admin;
});
afterAll(() => service.stop());

function operator(method: string, path: string, body?: unknown) {
  const headers = { "idempotency-key": newKey() };
  return service.api(method, path, { agent, headers, ...(body === undefined ? {} : { body }) });
}

const list = () => fetchFeed(service, feedPath(PARTNER, "hotel-list", { tenant_id }));

/** Has the feed built; the run when it has ended. */
async function build(body: object = {}): Promise<Run> {
  const asked = await operator("POST", `${FEEDS}/${PARTNER}/runs`, body);
  const { data, next_actions } = asked.ok<Run>(202);
  const [next] = next_actions;
  let run: Run = data;
  await until("the run has ended", async () => {
    run = (await operator(next!.method, next!.href)).ok<Run>().data;
    return run.state === "published" || run.state === "failed";
  });
  expect(run.run_id).toBe(data.run_id);
  return run;
}

async function statusOf(partner: string): Promise<Status> {
  const { items } = (await operator("GET", FEEDS)).ok<{ items: Status[] }>().data;
  return items.find((each) => each.partner === partner)!;
}

/** Has the published feed have listed so many hotels. */
function recordListings(count: number): void {
  const db = new Database(feedsPath(service.dataDir));
  try {
    const published = "(SELECT published_run FROM feed WHERE tenant_id = ? AND partner = ?)";
    const update = `UPDATE run SET listings = ? WHERE run_id = ${published}`;
    expect(db.query(update).run(count, tenant_id, PARTNER).changes).toBe(1);
  } finally {
    db.close();
  }
}

test("a list that has shrunk waits for an operator; until then the last good one is served", async () => {
  const good = await list();
  expectValid("hotel-list", textOf(good));
  const listings = textOf(good).split("<listing>").length - 1;
  const { published: before } = await statusOf(PARTNER);
  expect(before!.hotel_list.listings).toBe(listings);

  // A tenth fewer is within what partners take, one more is not.
  recordListings(Math.floor((listings * 10) / 9) + 1);
  const failed = await build();
  expect(failed).toMatchObject({ state: "failed", reason: "shrunken" });
  const status = await statusOf(PARTNER);
  expect(status.published?.run_id).toBe(before!.run_id);
  expect(status.failed_run).toMatchObject({ run_id: failed.run_id, reason: "shrunken" });
  const served = await list();
  expect(served.headers.get("etag")).toBe(good.headers.get("etag"));
  expect(textOf(served)).toBe(textOf(good));

  const accepted = await build({ accept_shrink: true });
  expect(accepted).toMatchObject({ state: "published", reason: null });
  const after = await statusOf(PARTNER);
  expect(after.published?.run_id).toBe(accepted.run_id);
  expect(after.failed_run).toBeNull();
  expect((await list()).status).toBe(200);
});

test("a tenant without listings sees why nothing is published and what to do once it has some", async () => {
  const idle = service.control((store) => createTenant(store, "Idle"));
  [agent] = (await service.newAgents([{ tenantId: idle, kind: "operator" }])) as [DemoAgent];
  await build();
  // There is nothing to accept, either.
  const failed = await build({ accept_shrink: true });
  expect(failed).toMatchObject({ state: "failed", reason: "no_property" });
  expect(failed.detail).not.toBeEmpty();
  const { published, open_run, failed_run } = await statusOf(PARTNER);
  expect({ published, open_run }).toEqual({ published: null, open_run: null });
  expect(failed_run).toEqual(failed);
  expect((await statusOf("bing")).failed_run).toBeNull();

  const runs = `${FEEDS}/${PARTNER}/runs`;
  const { next_actions } = (await operator("GET", `${runs}/${failed.run_id}`)).ok();
  expect(next_actions).toMatchObject([{ rel: "get", method: "GET", href: FEEDS }]);
  await createHotel(service, { operator: agent });
  const again = await operator("POST", runs);
  await until("it is published", async () => (await statusOf(PARTNER)).published !== null);
  const { run_id } = again.ok<Run>(202).data;
  expect(await statusOf(PARTNER)).toMatchObject({
    ...{ published: { run_id, hotel_list: { listings: 1 } }, failed_run: null },
  });
});
