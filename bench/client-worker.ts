/**
 * A generator whose requests depend on each other or are due at fixed times. Autocannon has
 * neither: it repeats independent requests and measures from when it sends them. `ClientTask` as
 * JSON on stdin; on stdout the line `MEASURING` when the warm-up is over, then `ClientResult` as
 * JSON.
 */
import { createHistogram } from "node:perf_hooks";
import { CITIES } from "../src/ops/demo/catalogue.ts";
import {
  type ClientResult,
  type ClientTask,
  type FlowTask,
  latenciesOf,
  MEASURING,
  type SteadyTask,
} from "./load.ts";
import { searchBody } from "./search-body.ts";

type Headers = Readonly<Record<string, string>>;

/** Starts to count; `done` counts an answer to a request that was due at an instant. */
function meter() {
  const latencyMicros = createHistogram({ figures: 4 });
  const statusCounts: Record<string, number> = {};
  const startMs = performance.now();
  const cpuBefore = process.cpuUsage();
  let answers = 0;
  return {
    startMs,
    done(status: number, dueMs: number): void {
      answers += 1;
      statusCounts[status] = (statusCounts[status] ?? 0) + 1;
      latencyMicros.record(Math.max(1, Math.round((performance.now() - dueMs) * 1000)));
    },
    figures() {
      const { user, system } = process.cpuUsage(cpuBefore);
      return {
        ...{ answers, statusCounts, errors: 0, ...latenciesOf(latencyMicros, 1000) },
        requestsPerSecond: (answers * 1000) / (performance.now() - startMs),
        generatorCpuMicros: (user + system) / Math.max(1, answers),
      };
    },
  };
}

type Meter = ReturnType<typeof meter>;

class Client {
  readonly #task: ClientTask;
  /** Idempotency keys of the acknowledged holds. */
  readonly keys: string[] = [];

  constructor(task: ClientTask) {
    this.#task = task;
  }

  async call<Data>(method: string, path: string, headers: Headers, body?: object): Promise<Data> {
    const response = await this.send(method, path, headers, body);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: Data }).data;
  }

  send(method: string, path: string, headers: Headers, body?: object): Promise<Response> {
    const { baseUrl, secret } = this.#task;
    const own = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    return fetch(`${baseUrl}${path}`, {
      ...{ method, headers: { ...own, ...headers } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

interface Found {
  readonly hotel_id: string;
  readonly best_offer: { readonly room_type_id: string; readonly rate_plan_id: string };
}

/** The `n`-th whole flow: search, quote, hold, book, read, cancel; whether a room was found. */
async function flow(client: Client, { delegations }: FlowTask, n: number): Promise<boolean> {
  const post = <Data>(path: string, body: object, headers: Headers = {}) =>
    client.call<Data>("POST", path, headers, body);
  const keyed = (name: string) => ({ "idempotency-key": `flow-${name}-${n}` });
  const traveler = { "x-delegated-user": delegations[n % delegations.length]! };
  const search = searchBody(n, CITIES[n % CITIES.length]!.name);
  const { results } = await post<{ results: readonly Found[] }>("/v1/search", search);
  // The demo sells no single night on New Year's Eve.
  const found = results[n % results.length];
  if (found === undefined) return false;
  const { stay, guests } = search;
  const { hotel_id, best_offer } = found;
  const { room_type_id, rate_plan_id } = best_offer;
  const request = { hotel_id, room_type_id, rate_plan_id, stay, guests };
  const { quote_id } = await post<{ quote_id: string }>("/v1/quotes", request);
  const held = await post<{ hold_id: string }>("/v1/holds", { quote_id }, keyed("hold"));
  client.keys.push(`flow-hold-${n}`);
  const booking = {
    ...{ hold_id: held.hold_id, quote_id },
    guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } },
    payment: { method: "card", provider_token: "tok_test_ok" },
  };
  const headers = { ...keyed("book"), ...traveler };
  const { booking_id } = await post<{ booking_id: string }>("/v1/bookings", booking, headers);
  const path = `/v1/bookings/${booking_id}`;
  await client.call("GET", path, traveler);
  await post(`${path}/cancel`, {}, { ...keyed("cancel"), ...traveler });
  return true;
}

/** All agents at once, one flow after the other. A flow that finds no room counts into the next. */
async function flows(client: Client, task: FlowTask, started: { flows: number }, until: Until) {
  const counted = meter();
  const agent = async () => {
    while (!until(started.flows, counted)) {
      const startMs = performance.now();
      while (!(await flow(client, task, started.flows++)));
      counted.done(200, startMs);
    }
  };
  await Promise.all(Array.from({ length: task.agents }, agent));
  return counted.figures();
}

type Until = (flows: number, counted: Meter) => boolean;

/**
 * Holds that are due at fixed times, whether or not earlier ones were answered: a latency counts
 * from that time, so every hold that fell into a stall shows it.
 */
async function steadyHolds(client: Client, task: SteadyTask, from: number, count: number) {
  const { perSecond, quoteIds, keyPrefix } = task;
  const counted = meter();
  const hold = async (n: number, dueMs: number) => {
    const key = `${keyPrefix}${n}`;
    const quote = { quote_id: quoteIds[n % quoteIds.length] };
    const response = await client.send("POST", "/v1/holds", { "idempotency-key": key }, quote);
    await response.text();
    if (response.ok) client.keys.push(key);
    counted.done(response.status, dueMs);
  };
  const answers: Promise<void>[] = [];
  for (let n = 0; n < count; n += 1) {
    const dueMs = counted.startMs + (n * 1000) / perSecond;
    await Bun.sleep(Math.max(0, dueMs - performance.now()));
    answers.push(hold(from + n, dueMs));
  }
  await Promise.all(answers);
  return counted.figures();
}

async function measure(client: Client, task: ClientTask): Promise<ClientResult> {
  const onMeasuring = () => process.stdout.write(`${MEASURING}\n`);
  const { seconds } = task;
  if (task.kind === "steady") {
    const [before, count] = [task.warmupSeconds, seconds].map((each) =>
      Math.ceil(each * task.perSecond),
    );
    await steadyHolds(client, task, 0, before!);
    onMeasuring();
    return { ...(await steadyHolds(client, task, before!, count!)), keys: client.keys };
  }
  const started = { flows: 0 };
  await flows(client, task, started, (count) => count >= task.warmupRequests);
  onMeasuring();
  const isOver: Until = (_, { startMs }) => performance.now() >= startMs + seconds * 1000;
  return { ...(await flows(client, task, started, isOver)), keys: client.keys };
}

const task = (await Bun.stdin.json()) as ClientTask;
process.stdout.write(JSON.stringify(await measure(new Client(task), task)));
