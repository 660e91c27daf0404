/** What a search costs: in the core alone, over HTTP, and to import the supply. */
import { join } from "node:path";
import type { Bench, Measured } from "./bench.ts";
import { outputOfTask } from "./child.ts";
import { importProperties } from "./installation.ts";
import { type Group, shown, type Verdict } from "./result.ts";
import { judged, quotient, ratioLines, Samples } from "./samples.ts";
import type { Change, CoreRun, SearchCore, Searched } from "./search-core.ts";
import { SearchFixture } from "./search-fixture.ts";
import { CONNECTIONS, FEW_CONNECTIONS, measureOverHttp, PEER, searchTurns } from "./search-http.ts";
import { CITY_SIZE, GRAND_ROOM_TYPES, LARGE_CITY_SIZE, supplyOf } from "./search-tenant.ts";

const CORE = join(import.meta.dir, "search-core.ts");
const IMPORTED = "imported";
const ALONE = "in a process of its own";

const CHANGES: Readonly<Record<Change, string>> = {
  hold: "a hold",
  release: "a release",
  cell: "an ARI update of one night",
  month: "an ARI update of 30 nights",
};

function searchNames(properties: number): Record<Searched, string> {
  return {
    all: `the whole tenant of ${shown(properties, 0)}`,
    large: `a destination of ${LARGE_CITY_SIZE}`,
    small: `a destination of ${CITY_SIZE}`,
    one: "one property, by its slug",
  };
}

/** Measures the wanted series. Throws when an answer is not as expected. */
export async function measureSearch(bench: Bench): Promise<Measured> {
  const { only, properties } = bench;
  const fixture = await SearchFixture.make(bench);
  const samples = new Samples();
  if (only.has("search", "core")) await measureCore(fixture, bench, samples);
  if (only.has("search", "http")) await measureOverHttp(fixture, bench, samples);
  if (only.has("search", "import")) await measureImport(fixture, bench, samples);
  return {
    groups: searchGroups(samples, properties),
    verdicts: searchVerdicts(samples, properties),
    ratioLines: searchRatioLines(samples, properties),
  };
}

/** Each run is a process of its own, with a heap that nothing else has used. */
async function measureCore(
  { journal, demo }: SearchFixture,
  { runs, progress, properties }: Bench,
  samples: Samples,
): Promise<void> {
  const task: SearchCore = { journal, tenant_id: demo.second_tenant.tenant_id };
  for (let round = 0; round < runs; round += 1) {
    const what = `opening, searching, changing, run ${round + 1} of ${runs}`;
    const output = await progress.step("search, core", what, () => outputOfTask(CORE, task));
    addCoreRun(samples, properties, JSON.parse(output) as CoreRun);
  }
}

export function addCoreRun(samples: Samples, properties: number, run: CoreRun): void {
  const names = searchNames(properties);
  const { startSeconds } = run;
  const memory = { rssMb: run.rssBytes / 1e6, peakRssMb: run.peakRssBytes / 1e6 };
  samples.add("replica", ALONE, { figures: { startSeconds, ...memory } });
  for (const searched of Object.keys(names) as Searched[]) {
    samples.add("core", names[searched], { figures: { callMicros: run.searches[searched] } });
  }
  for (const change of Object.keys(CHANGES) as Change[]) {
    samples.add("index", CHANGES[change], { figures: { callMicros: run.changes[change] } });
  }
}

/** All trees in one call, one per line; nights would be imported by calls of their own. */
async function measureImport(
  fixture: SearchFixture,
  { properties, progress }: Bench,
  samples: Samples,
): Promise<void> {
  function* trees() {
    for (let n = 0; n < properties; n += 1) yield supplyOf(n, "import").tree;
  }
  const seconds = await progress.step("search, import", `${properties} trees`, () =>
    fixture.withEmpty(async ({ baseUrl, demo }) => {
      const startMs = performance.now();
      const count = await importProperties({ baseUrl, secret: demo.admin.secret }, trees());
      if (count !== properties) throw new Error(`${count} of ${properties} were imported`);
      return (performance.now() - startMs) / 1000;
    }),
  );
  samples.add(IMPORTED, IMPORTED, { figures: { startSeconds: seconds } });
}

/** In the order of the page. */
export function searchGroups(samples: Samples, properties: number): Group[] {
  const at = `${CONNECTIONS} connections`;
  const destination = (size: number) => `POST /v1/search, a destination of ${size}`;
  const bySpeed = { compares: "speed", baseline: PEER } as const;
  const byCpu = { compares: "callMicros" } as const;
  const names = searchNames(properties);
  const few = `${destination(LARGE_CITY_SIZE)}, ${FEW_CONNECTIONS} connections`;
  const abouts: readonly Omit<Group, "lines">[] = [
    { ...bySpeed, id: "20", title: `${destination(CITY_SIZE)}, ${at}` },
    { ...bySpeed, id: "500", title: few },
    { ...bySpeed, id: "offers", title: `quotes and offers, ${at}` },
    {
      ...{ ...byCpu, id: "core", title: "one search in the core, three nights, complete" },
      baseline: names.small,
    },
    {
      ...{ ...byCpu, id: "index", title: "what the index adds to a change, per night" },
      baseline: CHANGES.hold,
    },
    {
      ...{ id: "replica", title: `a replica of ${shown(properties, 0)} properties` },
      ...{ compares: "rssMb", baseline: null },
    },
  ];
  return abouts.flatMap((about) => samples.group(about));
}

/** R1 to R5, as far as they were measured. */
export function searchVerdicts(samples: Samples, properties: number): Verdict[] {
  const { small, same, large, quotes, offers } = searchTurns(properties);
  const tenant = `a tenant of ${shown(properties, 0)}`;
  const where = `destinations of ${CITY_SIZE}, ${tenant}`;
  const names = searchNames(properties);
  const cpuRatio = ({ name }: { readonly name: string }) =>
    samples.ratio("20", name, small.name, "cpuMicros");
  const call = (group: "core" | "index", name: string) => samples.median(group, name, "callMicros");
  const atMost = { bound: "at most" } as const;
  const size = { ...atMost, target: 1.1, goal: 1 };
  const milliseconds = quotient(call("core", names.all), 1000);
  return judged([
    {
      ...{ name: "R1", text: `searches a second: ${where}`, bound: "at least", target: 10_000 },
      measured: samples.median("20", large.name),
    },
    {
      ...{ ...atMost, name: "R1", text: `µs of CPU a search: ${where}`, target: 100 },
      measured: samples.median("20", large.name, "cpuMicros"),
    },
    {
      ...{ ...size, name: "R1", measured: cpuRatio(same) },
      text: `CPU a search: ${tenant}, the same destination ÷ a tenant of ${CITY_SIZE}`,
    },
    {
      ...{ ...size, name: "R1", measured: cpuRatio(large) },
      text: `CPU a search: ${tenant}, all in turn ÷ a tenant of ${CITY_SIZE}`,
    },
    {
      ...{ ...atMost, name: "R2", text: `ms of CPU in the core: ${names.all}` },
      ...{ measured: milliseconds, target: 10 },
    },
    {
      ...{ ...atMost, name: "R2", text: `µs of CPU in the core: ${names.large}` },
      ...{ measured: call("core", names.large), target: 400 },
    },
    {
      ...{ ...atMost, name: "R3", text: "MB of a replica, settled", target: 600, goal: 400 },
      measured: samples.median("replica", ALONE, "rssMb"),
    },
    {
      ...{ ...atMost, name: "R3", text: "s from a snapshot to the first search" },
      ...{ measured: samples.median("replica", ALONE, "startSeconds"), target: 5, goal: 2 },
    },
    {
      ...{ ...atMost, name: "R3", target: 300 },
      text: `s to import ${shown(properties, 0)} properties as NDJSON`,
      measured: samples.median(IMPORTED, IMPORTED, "startSeconds"),
    },
    {
      ...{ ...atMost, name: "R4", text: "µs of CPU a quote", target: 70 },
      measured: samples.median("offers", quotes.name, "cpuMicros"),
    },
    {
      ...{ ...atMost, name: "R4", target: 250 },
      text: `µs of CPU: the offers of ${GRAND_ROOM_TYPES} room types`,
      measured: samples.median("offers", offers.name, "cpuMicros"),
    },
    ...Object.values(CHANGES).map((name) => ({
      ...{ ...atMost, name: "R5", text: `µs per night of the index: ${name}` },
      ...{ measured: call("index", name), target: 1 },
    })),
  ]);
}

/**
 * Ours ÷ the peer, searches a second: `search_ratio=…` for a destination of 20 properties,
 * `search_500_ratio=…` of 500. `search_core_ratio=…` is the CPU of its database for a search ÷ that
 * of our core. Empty without the peer.
 */
export function searchRatioLines(samples: Samples, properties: number): string[] {
  const { large, city } = searchTurns(properties);
  const database = samples.median("20", PEER, { process: "postgres" });
  const core = samples.median("core", searchNames(properties).small, "callMicros");
  return ratioLines({
    search_ratio: samples.ratio("20", large.name, PEER),
    search_500_ratio: samples.ratio("500", city.name, PEER),
    search_core_ratio: quotient(database, core),
  });
}
