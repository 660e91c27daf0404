/** Another tenant's changes of supply, without a pause: what holds are measured against. */
import { dateOf } from "../engine/core/calendar.ts";
import type { PropertyTree } from "../engine/core/supply.ts";
import { AdminClient } from "../src/ops/demo/admin-client.ts";
import type { DemoFile } from "../src/ops/demo/demo-file.ts";
import { demoUuid } from "../src/ops/demo/random.ts";
import { BENCH_PROPERTIES } from "./tenant.ts";

/** Lines of one import; the next one begins where they do not last for a run. */
const IMPORT_LINES = 10_000;
const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS);
/** One update at both of its bounds: 512 KiB of text, 100,000 nights. */
const UPDATE_BYTES = 512 * 1024;
const UPDATE_NIGHTS = 100_000;
/** Bytes of the range with the longest amount, and the comma after it. */
const RANGE_BYTES = rangeText(BENCH_PROPERTIES[0]!.room_types[0]!.rate_plans[0]!.id, 0, 1).length;
const UPDATE_RANGES = Math.floor((UPDATE_BYTES - 100) / RANGE_BYTES);

export interface Bulk {
  /** Ends it, and tells how many properties or updates came to something; throws what it met. */
  stop(): Promise<number>;
}

/** Where the bulk goes, and as which operator. */
export interface BulkTarget {
  readonly baseUrl: string;
  readonly demo: DemoFile;
}

/** The first property of the benchmark with one room type, under ids and a slug of its own. */
function smallProperty(n: string): PropertyTree {
  const tree = BENCH_PROPERTIES[0]!;
  const room = tree.room_types[0]!;
  const id = demoUuid("bulk", n);
  const rate_plans = [{ ...room.rate_plans[0]!, id: demoUuid(id, "plan") }];
  const room_types = [{ ...room, id: demoUuid(id, "room"), rate_plans }];
  return { ...tree, id, slug: `bulk-${n}`, room_types };
}

/** Imports properties as the operator of the second tenant until it is stopped. */
export function startImport({ baseUrl, demo }: BulkTarget, name: string): Bulk {
  let isStopped = false;
  const importOnce = async (round: number): Promise<number> => {
    let line = 0;
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (isStopped || line === IMPORT_LINES) return controller.close();
        const tree = smallProperty(`${name}-${round}-${line++}`);
        controller.enqueue(encoder.encode(`${JSON.stringify(tree)}\n`));
      },
    });
    const response = await fetch(`${baseUrl}/v1/admin/properties/import`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${demo.second_tenant.admin.secret}`,
        "content-type": "application/x-ndjson",
      },
      body,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the import was answered ${response.status} ${text}`);
    const { data } = JSON.parse(text) as { data: { imported: number; failed: number } };
    if (data.failed > 0) throw new Error(`${data.failed} lines of the import failed: ${text}`);
    return data.imported;
  };
  return untilStopped(importOnce, () => {
    isStopped = true;
  });
}

function rangeText(rate_plan_id: string, i: number, nights: number): string {
  const first = TODAY + 1 + ((i * nights) % 600);
  const amount = 10_000 + (i % 80_000);
  const range = { rate_plan_id, from: dateOf(first), to: dateOf(first + nights - 1), amount };
  return `${JSON.stringify(range)},`;
}

/** No two are the same, so that each of them changes something. */
function largeUpdate(rate_plan_id: string, n: number): string {
  const nights = Math.floor(UPDATE_NIGHTS / UPDATE_RANGES);
  const ranges = Array.from({ length: UPDATE_RANGES }, (_, i) =>
    rangeText(rate_plan_id, i + n, nights).slice(0, -1),
  );
  return `{"rates":[${ranges.join(",")}]}`;
}

/** Sends the largest updates one after the other until it is stopped. */
export async function startUpdates({ baseUrl, demo }: BulkTarget, name: string): Promise<Bulk> {
  const secret = demo.second_tenant.admin.secret;
  const client = new AdminClient({ baseUrl, secret, keyPrefix: name });
  const tree = smallProperty(`${name}-updates`);
  await client.call({ method: "POST", path: "/v1/admin/properties", body: JSON.stringify(tree) });
  const planId = tree.room_types[0]!.rate_plans[0]!.id;
  const path = `/v1/admin/properties/${tree.id}/ari`;
  return untilStopped(async (n) => {
    await client.call({ method: "PUT", path, body: largeUpdate(planId, n) });
    return 1;
  });
}

/** Repeats `once` and adds up what it tells. */
function untilStopped(once: (round: number) => Promise<number>, onStop = () => {}): Bulk {
  let isStopped = false;
  let done = 0;
  const repeat = async () => {
    for (let round = 0; !isStopped; round += 1) done += await once(round);
  };
  const running = repeat();
  // It is told by `stop`; until then nobody waits for it.
  running.catch(() => {});
  return {
    async stop() {
      isStopped = true;
      onStop();
      await running;
      return done;
    },
  };
}
