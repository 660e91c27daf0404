/** What a search costs: in the core alone, over HTTP, and to the one who brings the supply. */
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { outputOf } from "./child.ts";
import { SearchFixture } from "./search-fixture.ts";
import { measureImport } from "./search-import.ts";
import type { SearchSeries } from "./search-series.ts";
import type { CoreRun, SearchCore } from "./search-tasks.ts";
import { measureTurns } from "./search-turns.ts";

const CORE = join(import.meta.dir, "search-core.ts");

/** Measures what of the part is asked for. Throws when an answer is not what was to be expected. */
export async function measureSearch(bench: Bench): Promise<SearchSeries> {
  const { only, properties } = bench;
  const fixture = await SearchFixture.make(bench);
  return {
    properties,
    core: only.has("search", "core") ? await measureCore(fixture, bench) : [],
    http: only.has("search", "http") ? await measureTurns(fixture, bench) : null,
    imported: only.has("search", "import") ? await measureImport(fixture, bench) : null,
  };
}

/** Each run is a process of its own, with a heap that nothing else has used. */
async function measureCore(fixture: SearchFixture, { runs, progress }: Bench): Promise<CoreRun[]> {
  const { journal, demo } = fixture;
  const task: SearchCore = { journal, tenant_id: demo.second_tenant.tenant_id };
  const measured: CoreRun[] = [];
  for (let round = 0; round < runs; round += 1) {
    const what = `opening, searching, changing, run ${round + 1} of ${runs}`;
    const output = await progress.step("search, core", what, () => outputOf(CORE, task));
    measured.push(JSON.parse(output) as CoreRun);
  }
  return measured;
}
