/**
 * Goal: a run goes from its request to a published feed despite faults of the worker. Method: a
 * whole service; runs are requested in the rows without a job, so that the worker must find them;
 * the worker is killed and stopped during a build.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import type { FeedRun } from "../../jobs/feed-runs/run.ts";
import { openFeeds } from "../../jobs/feed-runs/schema.ts";
import { FeedStore } from "../../jobs/feed-runs/store.ts";
import { feedsDirectory, feedsPath } from "../../src/config.ts";
import { commandLine } from "../../src/lib/process.ts";
import { TEST_LIMIT_MS } from "../stages.ts";
import { isRunning, Service, until } from "../support/service.ts";

let service: Service;
let store: FeedStore;
let tenant: string;

beforeAll(async () => {
  service = await Service.start();
  tenant = service.demo.second_tenant.tenant_id;
  store = new FeedStore(
    openFeeds(feedsPath(service.dataDir), "normal"),
    feedsDirectory(service.dataDir),
  );
});

afterAll(async () => {
  store?.close();
  await service?.stop();
});

function ask(partner: string, trigger: FeedRun["trigger"] = "operator"): FeedRun {
  return store.request(tenant, partner, trigger, { nowMs: Date.now() });
}

/** A build has the lowest priority: on busy cores it takes minutes. */
async function ended(run: FeedRun): Promise<FeedRun> {
  const isEnded = () => store.run(run.run_id)?.ended_at !== null;
  await until(`${run.run_id} ends`, isEnded, TEST_LIMIT_MS);
  return store.run(run.run_id)!;
}

/** What a partner gets. */
async function fetchList(partner: string): Promise<{ etag: string | null; text: string }> {
  const path = `/feeds/${partner}/hotel-list.xml?tenant_id=${tenant}`;
  const response = await fetch(service.baseUrl + path);
  expect(response.status).toBe(200);
  return { etag: response.headers.get("etag"), text: await response.text() };
}

/** The process that builds it. */
function buildOf({ run_id }: FeedRun): number {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.find((pid) => commandLine(pid)?.includes(`"run_id":"${run_id}"`))!;
}

/** An event of a run. */
interface Told {
  readonly data: { readonly run_id: string };
}

async function told(run_id: string): Promise<readonly Told[]> {
  let found: readonly Told[] = [];
  await until(`${run_id} is told`, async () => {
    const path = "/v1/admin/events?kinds=feed.generated,feed.failed&limit=100";
    const answer = await service.api("GET", path, { agent: service.demo.second_tenant.admin });
    const { items } = answer.ok<{ readonly items: readonly Told[] }>().data;
    found = items.filter(({ data }) => data.run_id === run_id);
    return found.length > 0;
  });
  return found;
}

test("a requested run is built, published, reported and counted in the metrics", async () => {
  const { run_id } = ask("google", "first");
  const run = await ended(ask("google", "first"));
  expect(run).toMatchObject({ run_id, state: "published", attempts: 1, reason: null });
  const { directory, manifest } = store.current(tenant, "google")!;
  const list = readFileSync(join(directory, manifest.list.file), "utf8");
  expect(list).toContain(`<!-- innkeep seq=${run.seq} `);
  expect(manifest).toMatchObject({ run_id, seq: run.seq!, list: { listings: run.listings! } });
  expect(run.listings).toBeGreaterThan(0);
  const isTold = /innkeep_feeds\{partner="google",state="fresh",[^}]*\} 1\n/;
  await until("the metrics tell it", async () => isTold.test(await service.metrics()));
  expect(await told(run_id)).toEqual([
    expect.objectContaining({
      type: "feed.generated",
      subject: { type: "feed", id: "google", version: null },
      data: {
        ...{ partner: "google", run_id, trigger: "first", listings: run.listings },
        ...{ as_of_seq: run.seq, as_of: new Date(run.at!).toISOString() },
      },
    }),
  ]);
});

test("a worker that is killed in a build leaves the old feed served, and its next life ends the run", async () => {
  const served = store.current(tenant, "google")!;
  const before = await fetchList("google");
  // A scheduled build: one that an operator waits for makes no pauses.
  const run = ask("google", "change");
  await until("the build is under way", () => store.run(run.run_id)?.phase === "open");
  const { worker } = service.pids;
  const build = buildOf(run);
  expect(isRunning(build)).toBeTrue();
  // Holds go first: only the building process has a lower priority.
  expect([getPriority(build), getPriority(worker!)]).toEqual([15, 0]);
  process.kill(worker!, "SIGKILL");
  await until("both are gone", () => !isRunning(worker!) && !isRunning(build));
  expect(store.run(run.run_id)?.state).toBe("running");
  expect(store.current(tenant, "google")).toBe(served);
  expect(await fetchList("google")).toEqual(before);
  expect(await ended(run)).toMatchObject({ state: "published", attempts: 2 });
  expect(store.current(tenant, "google")?.run_id).toBe(run.run_id);
});

test("a worker that is stopped in a build kills it, and the attempt does not count", async () => {
  const run = ask("bing", "first");
  await until("the build is under way", () => store.run(run.run_id)?.phase === "open");
  await service.restart();
  expect(await ended(run)).toMatchObject({ state: "published", attempts: 1 });
  expect(readdirSync(join(feedsDirectory(service.dataDir), tenant, "bing"))).toHaveLength(1);
});
