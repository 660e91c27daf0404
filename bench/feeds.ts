/** How fast feeds are built and a stored one is served, and how builds affect holds. */
import { join } from "node:path";
import { openFeeds } from "../jobs/feed-runs/schema.ts";
import { FeedStore } from "../jobs/feed-runs/store.ts";
import { feedsDirectory, feedsPath } from "../src/config.ts";
import type { Bench, Measured } from "./bench.ts";
import { repeated } from "./bulk.ts";
import { buildGroups, buildVerdicts, measureBuilds, PREPARING, SIZES } from "./feed-builds.ts";
import { sellFeedHotels } from "./feed-tenant.ts";
import { Fixture } from "./fixture.ts";
import { type Disturbance, fullSpeed, holdInTurns, quietAround } from "./holds.ts";
import type { Installation } from "./installation.ts";
import type { LoadOptions } from "./load.ts";
import { measureLoad } from "./measure.ts";
import type { Round } from "./progress.ts";
import type { Verdict } from "./result.ts";
import { judged, Samples, sampleOf } from "./samples.ts";
import { warmedUpBy } from "./timing.ts";

const CONNECTIONS = 32;
const PARTNER = "google";
const POLL_MS = 100;
const LIMIT_MS = 120_000;
const STAGE = "feeds";

const NOT_MODIFIED = "not modified";
/** What clients ask for; the first one has it already. */
export const SERVED = {
  [NOT_MODIFIED]: "ari.xml",
  "hotel list": "hotel-list.xml",
  "prices of a day": "ari.xml?days=1",
  "prices of 30 days": "ari.xml",
} as const;

const QUIET = "no feed is built";
const BUILDING = "feeds are built all the time";
export const FEED_HOLD_TURNS = quietAround(QUIET, [{ name: BUILDING, start: building }]);

/** Measures builds on journals of their own, and the rest on copies of an installation. */
export async function measureFeeds(bench: Bench): Promise<Measured> {
  const { directory, runs, progress } = bench;
  const samples = new Samples();
  await measureBuilds(bench, samples);
  const make = () =>
    Fixture.make(join(directory, "feeds"), (seeded) => sellFeedHotels(seeded, SIZES[0]));
  const fixture = await progress.step(PREPARING, "seeding an installation", make);
  const hold = fullSpeed(fixture, bench, CONNECTIONS);
  const turns = FEED_HOLD_TURNS;
  for (let round = 0; round < runs; round += 1) {
    const at = { round, of: runs };
    await serve(fixture, bench, samples, at);
    await fixture.withCopy("spread", async (copy) => {
      await untilBuilt(copy);
      await holdInTurns(fixture, copy, bench, { stage: STAGE, turns, samples, hold, ...at });
    });
  }
  const at = `${CONNECTIONS} connections`;
  const get = { id: "served", title: `GET a stored feed, ${at}`, baseline: null } as const;
  const post = { id: "holds", title: `POST /v1/holds, ${at}`, baseline: QUIET } as const;
  const groups = [
    ...buildGroups(samples),
    ...[get, post].flatMap((about) => samples.group({ ...about, compares: "speed" })),
  ];
  return { groups, verdicts: feedVerdicts(samples) };
}

/** T8, and the targets of served feeds and of holds beside builds. */
export function feedVerdicts(samples: Samples): Verdict[] {
  const name = "feeds";
  return [
    ...buildVerdicts(samples),
    ...judged([
      {
        ...{ name, text: "answers a second that a stored feed has not changed" },
        measured: samples.median("served", lineOf(NOT_MODIFIED, 0)),
        ...{ target: 2_000, bound: "at least" },
      },
      {
        ...{ name, text: "holds a second while feeds are built ÷ quiet" },
        ...{ measured: samples.ratio("holds", BUILDING, QUIET), target: 0.9, bound: "at least" },
      },
    ]),
  ];
}

const lineOf = (served: string, bytes: number) => `${served}, ${(bytes / 1e3).toFixed(0)} kB`;

function addressOf({ baseUrl, demo }: Installation, path: string): string {
  const url = new URL(`/feeds/${PARTNER}/${path}`, baseUrl);
  url.searchParams.set("tenant_id", demo.tenant_id);
  return url.href;
}

/** Asks until the feed is there: the first request starts its build. */
async function untilBuilt(copy: Installation): Promise<void> {
  const deadlineMs = performance.now() + LIMIT_MS;
  for (;;) {
    const answer = await fetch(addressOf(copy, "hotel-list.xml"));
    await answer.arrayBuffer();
    if (answer.status === 200) return;
    if (answer.status !== 503 || performance.now() > deadlineMs) {
      throw new Error(`a request for a feed was answered ${answer.status}`);
    }
    await Bun.sleep(POLL_MS);
  }
}

/** Asks for a stored feed compressed, with and without its tag. */
function serve(
  fixture: Fixture,
  { timing, progress }: Bench,
  samples: Samples,
  at: Round,
): Promise<void> {
  return fixture.withCopy(null, async (copy) => {
    await untilBuilt(copy);
    for (const [served, path] of Object.entries(SERVED)) {
      const url = addressOf(copy, path);
      const gzip = { "accept-encoding": "gzip" };
      const first = await fetch(url, { headers: gzip, decompress: false });
      const bytes = (await first.arrayBuffer()).byteLength;
      const isHeld = served === NOT_MODIFIED;
      const headers = isHeld ? { ...gzip, "if-none-match": first.headers.get("etag")! } : gzip;
      const load: LoadOptions = {
        ...{ url, headers, method: "GET", connections: CONNECTIONS, bodies: [] },
        // An answer has up to 767 kB.
        ...warmedUpBy(timing, 1 / 100),
      };
      const work = () => measureLoad(copy, load, isHeld ? "304" : "200");
      const run = await progress.run(STAGE, { what: `GET a stored feed, ${served}`, ...at }, work);
      samples.add("served", lineOf(served, isHeld ? 0 : bytes), sampleOf(run));
    }
  });
}

/** Builds one feed after the other, as the schedule does; builds give way to the holds. */
async function building({ dataDir, demo }: Installation): Promise<Disturbance> {
  const store = new FeedStore(openFeeds(feedsPath(dataDir), "normal"), feedsDirectory(dataDir));
  const builds = repeated("feeds built", async () => {
    await buildOnce(store, demo.tenant_id);
    return 1;
  });
  return { stop: () => builds.stop().finally(() => store.close()) };
}

async function buildOnce(store: FeedStore, tenantId: string): Promise<void> {
  const { run_id } = store.request(tenantId, PARTNER, "change", { nowMs: Date.now() });
  const deadlineMs = performance.now() + LIMIT_MS;
  for (;;) {
    const run = store.run(run_id);
    if (run?.state === "published") return;
    if (run?.state === "failed" || performance.now() > deadlineMs) {
      throw new Error(`the run ${run_id} is ${run?.state}`);
    }
    await Bun.sleep(POLL_MS);
  }
}
