/** The turns of the feeds benchmark that need the whole service. */
import { openFeeds } from "../jobs/feed-runs/schema.ts";
import { FeedStore } from "../jobs/feed-runs/store.ts";
import { feedsDirectory, feedsPath } from "../src/config.ts";
import type { Fixture } from "./fixture.ts";
import { checkConservation, holdOn } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { drive, type Figures } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import type { Progress } from "./progress.ts";
import { shown } from "./result.ts";
import { type Timing, warmedUpBy } from "./timing.ts";

export const CONNECTIONS = 32;
const PARTNER = "google";
const POLL_MS = 100;
const LIMIT_MS = 120_000;

export interface FeedBench {
  /** Its demo tenant has the hotels that feeds are measured on. */
  readonly fixture: Fixture;
  readonly timing: Timing;
  readonly progress: Progress;
}

/** Which round it is, from 0, of how many. */
type Round = Pick<Parameters<Progress["run"]>[1], "round" | "of">;

const STAGE = "feeds";

export const SERVED = [
  "not modified",
  "hotel list",
  "prices of a day",
  "prices of 30 days",
] as const;
export type Served = (typeof SERVED)[number];

const PATHS: Readonly<Record<Served, string>> = {
  "not modified": "ari.xml",
  "hotel list": "hotel-list.xml",
  "prices of a day": "ari.xml?days=1",
  "prices of 30 days": "ari.xml",
};

export interface ServedRun {
  readonly run: Run;
  /** Of one answer, compressed as it is sent. */
  readonly bodyBytes: number;
}

function addressOf({ baseUrl, demo }: Installation, path: string): string {
  const url = new URL(`/feeds/${PARTNER}/${path}`, baseUrl);
  url.searchParams.set("tenant_id", demo.tenant_id);
  return url.href;
}

/** Asks until the feed is there: the first one to ask has it built. */
async function untilBuilt(copy: Installation): Promise<void> {
  const deadlineMs = performance.now() + LIMIT_MS;
  for (;;) {
    const answer = await fetch(addressOf(copy, "hotel-list.xml"));
    await answer.arrayBuffer();
    if (answer.status === 200) return;
    if (answer.status !== 503 || performance.now() > deadlineMs) {
      throw new Error(`the first one to ask was answered ${answer.status}`);
    }
    await Bun.sleep(POLL_MS);
  }
}

/** A stored feed is asked for compressed, by clients that have it and by clients that do not. */
export function serveTurns(bench: FeedBench, at: Round): Promise<[Served, ServedRun][]> {
  const { fixture, timing, progress } = bench;
  return fixture.withCopy(null, async (copy) => {
    await untilBuilt(copy);
    // An answer has up to 767 kB.
    const served = warmedUpBy(timing, 1 / 100);
    const runs: [Served, ServedRun][] = [];
    for (const turn of SERVED) {
      const url = addressOf(copy, PATHS[turn]);
      const gzip = { "accept-encoding": "gzip" };
      const first = await fetch(url, { headers: gzip, decompress: false });
      const bytes = (await first.arrayBuffer()).byteLength;
      const isHeld = turn === "not modified";
      const headers = isHeld ? { ...gzip, "if-none-match": first.headers.get("etag")! } : gzip;
      const options = {
        url,
        headers,
        method: "GET" as const,
        connections: CONNECTIONS,
        bodies: [],
      };
      const what = `GET a stored feed, ${turn}`;
      const run = await progress.run(STAGE, { what, ...at }, () =>
        measure(copy, (onMeasuring) => drive({ ...options, ...served }, onMeasuring)),
      );
      assertOnly(turn, isHeld ? 304 : 200, run);
      runs.push([turn, { run, bodyBytes: isHeld ? 0 : bytes }]);
    }
    return runs;
  });
}

/** Throws when any answer has another status. */
function assertOnly(
  what: string,
  status: number,
  { answers, statusCounts, errors }: Figures,
): void {
  if (statusCounts[status] === answers && errors === 0) return;
  throw new Error(`${what}: answers ${JSON.stringify(statusCounts)}, ${errors} without one`);
}

export type HoldTurn = "quiet" | "building";
/** Quiet at both ends: processes are slow while they are new, and have much to collect later. */
export const HOLD_TURNS: readonly HoldTurn[] = ["quiet", "building", "quiet"];
export const HOLD_TURN_NAMES: Readonly<Record<HoldTurn, string>> = {
  quiet: "no feed is built",
  building: "feeds are built all the time",
};

/**
 * As many holds as the service takes, without and with a feed being built all the time. The turns
 * share a copy, so only the first one meets new processes.
 */
export function holdTurns(bench: FeedBench, at: Round): Promise<[HoldTurn, Run][]> {
  const { fixture, timing, progress } = bench;
  return fixture.withCopy("spread", async (copy) => {
    await untilBuilt(copy);
    const runs: [HoldTurn, Run][] = [];
    const keys: string[] = [];
    for (const [n, turn] of HOLD_TURNS.entries()) {
      const keyPrefix = `turn-${n}-`;
      const builder = turn === "building" ? startBuilding(copy) : null;
      const about = { connections: CONNECTIONS, crowd: "spread", keyPrefix } as const;
      const load = { ...about, ...warmedUpBy(timing, 1 / 4) };
      const what = `holds, ${HOLD_TURN_NAMES[turn]}`;
      const hold = () => holdOn(fixture, copy, load);
      const { keys: taken, ...run } = await progress.run(STAGE, { what, ...at }, hold);
      const built = (await builder?.stop()) ?? 0;
      if (builder) progress.note(`${built} feeds built beside ${shown(run.sent, 0)} holds.`);
      runs.push([turn, run]);
      for (const key of taken) keys.push(key);
    }
    checkConservation(fixture, copy, keys);
    return runs;
  });
}

interface Building {
  /** Ends it after the run that is open; how many feeds were published meanwhile. */
  stop(): Promise<number>;
}

/** Has one run after the other, as the schedule does, of which each gives way to the holds. */
function startBuilding({ dataDir, demo }: Installation): Building {
  const store = new FeedStore(openFeeds(feedsPath(dataDir), "normal"), feedsDirectory(dataDir));
  let isStopped = false;
  let built = 0;
  const build = async () => {
    while (!isStopped) {
      await runOnce(store, demo.tenant_id);
      built += 1;
    }
  };
  const building = build().finally(() => store.close());
  // It is told by `stop`; until then nobody waits for it.
  building.catch(() => {});
  return {
    async stop() {
      isStopped = true;
      await building;
      return built;
    },
  };
}

async function runOnce(store: FeedStore, tenantId: string): Promise<void> {
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
