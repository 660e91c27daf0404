/** Webhook endpoints of an installation, and the events that they get: changes of rates. */
import { dateOf } from "../engine/core/calendar.ts";
import { AdminClient } from "../src/ops/demo/admin-client.ts";
import type { Installation } from "./installation.ts";
import { BENCH_PROPERTIES, TODAY } from "./tenant.ts";

const EVENT = "ari.changed";
const WRITERS = 64;
const NIGHTS = 300;

type Of = Pick<Installation, "baseUrl" | "demo">;

/** A client whose calls are none of another's. */
function operator({ baseUrl, demo }: Of): AdminClient {
  return new AdminClient({ baseUrl, secret: demo.admin.secret, keyPrefix: crypto.randomUUID() });
}

/** Makes an endpoint that has answered its ping; its id. */
export async function addEndpoint(of: Of, url: string): Promise<string> {
  const body = JSON.stringify({ url, events: [EVENT], max_in_flight: 50 });
  const made = await operator(of).call({ method: "POST", path: "/v1/admin/webhooks", body });
  const { endpoint_id, state } = made as { endpoint_id: string; state: string };
  if (state !== "active") throw new Error(`the endpoint ${url} is ${state}`);
  return endpoint_id;
}

/** Pauses an endpoint, resumes or disables it. */
export async function steer(
  of: Of,
  endpointId: string,
  to: "pause" | "resume" | "disable",
): Promise<void> {
  const path = `/v1/admin/webhooks/${endpointId}/${to}`;
  await operator(of).call({ method: "POST", path, body: "{}" });
}

/** Makes one event, the `n`-th of the installation, which differs from all others. */
async function makeEvent(client: AdminClient, n: number): Promise<void> {
  const tree = BENCH_PROPERTIES[n % BENCH_PROPERTIES.length]!;
  const rate_plan_id = tree.room_types[0]!.rate_plans[0]!.id;
  const from = dateOf(TODAY + 1 + (n % NIGHTS));
  const rates = [{ rate_plan_id, from, to: from, amount: 10_000 + n }];
  const path = `/v1/admin/properties/${tree.id}/ari`;
  await client.call({ method: "PUT", path, body: JSON.stringify({ rates }) });
}

/** Makes the first `count` events, as fast as the service takes them. */
export async function makeEvents(of: Of, count: number): Promise<void> {
  const client = operator(of);
  let made = 0;
  const write = async () => {
    while (made < count) await makeEvent(client, made++);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

export interface Pace {
  /** The number of the first event. */
  readonly from: number;
  readonly perSecond: number;
  readonly seconds: number;
}

/** Makes events that are due at fixed times, and waits for the last; returns how many. */
export async function makeSteadily(of: Of, { from, perSecond, seconds }: Pace): Promise<number> {
  const client = operator(of);
  const startMs = performance.now();
  const count = Math.ceil(perSecond * seconds);
  const answers: Promise<void>[] = [];
  for (let n = 0; n < count; n += 1) {
    await Bun.sleep(Math.max(0, startMs + (n * 1000) / perSecond - performance.now()));
    answers.push(makeEvent(client, from + n));
  }
  await Promise.all(answers);
  return count;
}
