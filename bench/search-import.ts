/** How long it takes to bring the supply: all properties in one call, one per line. */
import type { Bench } from "./bench.ts";
import type { Installation } from "./installation.ts";
import { shown } from "./result.ts";
import type { SearchFixture } from "./search-fixture.ts";
import { IMPORT_STEPS } from "./search-tasks.ts";
import { supplyOf } from "./search-tenant.ts";
import { inSteps } from "./steps.ts";

/** What one import came to. */
export interface ImportRun {
  readonly properties: number;
  readonly seconds: number;
}

/** Trees alone: nights are brought by calls of their own. Throws when a line is refused. */
export async function measureImport(fixture: SearchFixture, bench: Bench): Promise<ImportRun> {
  const { properties, progress } = bench;
  const about = { stage: "search, import", what: `${properties} trees`, steps: IMPORT_STEPS };
  const ends: number[] = [];
  const run = await fixture.withEmpty((copy) =>
    inSteps(progress, about, (onStep) => {
      const onTenth = () => {
        ends.push(performance.now());
        onStep();
      };
      return importAll(copy, properties, onTenth);
    }),
  );
  const tenth = (n: number) => (ends[n]! - ends[n - 1]!) / 1000;
  const [early, late] = [tenth(1), tenth(ends.length - 1)].map((each) => shown(each, 1));
  progress.note(`The second tenth of the import took ${early} s, the last one ${late} s.`);
  return run;
}

async function importAll(
  { baseUrl, demo }: Installation,
  properties: number,
  onTenth: () => void,
): Promise<ImportRun> {
  const encoder = new TextEncoder();
  const tenth = Math.ceil(properties / IMPORT_STEPS);
  let line = 0;
  const body = new ReadableStream<Uint8Array>({
    // Asked for as the service takes it, which is how far the import has come.
    pull(controller) {
      if (line > 0 && (line % tenth === 0 || line === properties)) onTenth();
      if (line === properties) return controller.close();
      controller.enqueue(encoder.encode(`${JSON.stringify(supplyOf(line, "import").tree)}\n`));
      line += 1;
    },
  });
  const startMs = performance.now();
  const response = await fetch(`${baseUrl}/v1/admin/properties/import`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${demo.admin.secret}`,
      "content-type": "application/x-ndjson",
    },
    body,
  });
  const text = await response.text();
  const seconds = (performance.now() - startMs) / 1000;
  if (!response.ok) throw new Error(`the import was answered ${response.status} ${text}`);
  const { data } = JSON.parse(text) as { data: { imported: number } };
  if (data.imported === properties) return { properties, seconds };
  throw new Error(`${data.imported} of ${properties} were imported`);
}
