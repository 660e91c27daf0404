/** Another tenant's changes of supply, without a pause, beside which holds are measured. */
import { dateOf } from "../engine/core/calendar.ts";
import { AdminClient } from "../src/ops/demo/admin-client.ts";
import { demoUuid } from "../src/ops/demo/random.ts";
import type { Disturbance } from "./holds.ts";
import { type Installation, importProperties } from "./installation.ts";
import { shown } from "./result.ts";
import { BENCH_PROPERTIES, TODAY } from "./tenant.ts";

/** Lines of one import; another import follows when they do not last for a run. */
const IMPORT_LINES = 10_000;
/** One update at both of its limits: 512 KiB of text, 100,000 nights. */
const UPDATE_BYTES = 512 * 1024;
const UPDATE_NIGHTS = 100_000;

/** The first property of the benchmark with one room type, under its own ids and slug. */
function smallProperty(n: string) {
  const tree = BENCH_PROPERTIES[0]!;
  const room = tree.room_types[0]!;
  const id = demoUuid("bulk", n);
  const planId = demoUuid(id, "plan");
  const rate_plans = [{ ...room.rate_plans[0]!, id: planId }];
  const room_types = [{ ...room, id: demoUuid(id, "room"), rate_plans }];
  return { tree: { ...tree, id, slug: `bulk-${n}`, room_types }, planId };
}

/** Imports properties as the operator of the second tenant. */
export async function importing({ baseUrl, demo }: Installation): Promise<Disturbance> {
  const { secret } = demo.second_tenant.admin;
  function* lines(round: number, isStopped: () => boolean) {
    for (let n = 0; n < IMPORT_LINES && !isStopped(); n += 1) {
      yield smallProperty(`import-${round}-${n}`).tree;
    }
  }
  return repeated("properties imported", (round, isStopped) =>
    importProperties({ baseUrl, secret }, lines(round, isStopped)),
  );
}

function rateRange(rate_plan_id: string, i: number, nights: number) {
  const first = TODAY + 1 + ((i * nights) % 600);
  const amount = 10_000 + (i % 80_000);
  return { rate_plan_id, from: dateOf(first), to: dateOf(first + nights - 1), amount };
}

/** Sends the largest updates one after the other; each changes something. */
export async function updating({ baseUrl, demo }: Installation): Promise<Disturbance> {
  const { secret } = demo.second_tenant.admin;
  const client = new AdminClient({ baseUrl, secret, keyPrefix: "updates" });
  const { tree, planId } = smallProperty("updates");
  await client.call({ method: "POST", path: "/v1/admin/properties", body: JSON.stringify(tree) });
  const path = `/v1/admin/properties/${tree.id}/ari`;
  const bytes = JSON.stringify(rateRange(planId, 0, 1)).length + 1;
  const ranges = Math.floor((UPDATE_BYTES - 100) / bytes);
  const nights = Math.floor(UPDATE_NIGHTS / ranges);
  return repeated("updates", async (n) => {
    const rates = Array.from({ length: ranges }, (_, i) => rateRange(planId, i + n, nights));
    await client.call({ method: "PUT", path, body: JSON.stringify({ rates }) });
    return 1;
  });
}

/** Repeats work until it is stopped, and adds up what each repetition returns. */
export function repeated(
  what: string,
  once: (round: number, isStopped: () => boolean) => Promise<number>,
): Disturbance {
  let isStopped = false;
  let done = 0;
  const repeat = async () => {
    for (let round = 0; !isStopped; round += 1) done += await once(round, () => isStopped);
  };
  const running = repeat();
  // `stop` throws a failure; until then nothing waits for it.
  running.catch(() => {});
  return {
    async stop() {
      isStopped = true;
      await running;
      return `${shown(done, 0)} ${what}`;
    },
  };
}
