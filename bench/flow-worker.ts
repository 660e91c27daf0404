/**
 * The process behind `measureFlow`: FlowOptions as JSON on stdin; on stdout the line `MEASURING`
 * when the warm-up is over, then FlowResult as JSON.
 */
import { createHistogram } from "node:perf_hooks";
import { CITIES } from "../src/ops/demo/catalogue.ts";
import type { FlowOptions, FlowResult } from "./flow.ts";
import { latenciesOf, MEASURING } from "./load.ts";
import { searchBody } from "./search-body.ts";

interface SearchData {
  readonly results: readonly {
    readonly hotel_id: string;
    readonly best_offer: { readonly room_type_id: string; readonly rate_plan_id: string };
  }[];
}

interface Booked {
  readonly booking_id: string;
}

class Agents {
  readonly #options: FlowOptions;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #holdKeys: string[] = [];
  #latencyMicros = createHistogram({ figures: 4 });
  #started = 0;
  #finished = 0;
  #isOver = () => false;

  constructor(options: FlowOptions) {
    this.#options = options;
    this.#headers = {
      authorization: `Bearer ${options.secret}`,
      "content-type": "application/json",
    };
  }

  /** So many flows, which do not count. */
  async warmUp(flows: number): Promise<void> {
    this.#isOver = () => this.#started >= flows;
    await this.#all();
  }

  /** All agents at once for this long; the figures are of this call alone. */
  async run(seconds: number): Promise<FlowResult> {
    this.#latencyMicros = createHistogram({ figures: 4 });
    this.#finished = 0;
    const startMs = performance.now();
    const cpuBefore = process.cpuUsage();
    this.#isOver = () => performance.now() >= startMs + seconds * 1000;
    await this.#all();
    const { user, system } = process.cpuUsage(cpuBefore);
    const flows = this.#finished;
    return {
      answers: flows,
      requestsPerSecond: (flows * 1000) / (performance.now() - startMs),
      ...latenciesOf(this.#latencyMicros, 1000),
      statusCounts: { "200": flows },
      errors: 0,
      generatorCpuMicros: (user + system) / Math.max(1, flows),
      holdKeys: this.#holdKeys,
    };
  }

  async #all(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.agents }, () => this.#agent()));
  }

  async #agent(): Promise<void> {
    while (!this.#isOver()) {
      const startMs = performance.now();
      await this.#flow(this.#started++);
      this.#finished += 1;
      this.#latencyMicros.record(Math.max(1, Math.round((performance.now() - startMs) * 1000)));
    }
  }

  async #flow(n: number): Promise<void> {
    const city = CITIES[n % CITIES.length]!.name;
    const search = searchBody(n, city);
    const { stay, guests } = search;
    const { delegations } = this.#options;
    const traveler = { "x-delegated-user": delegations[n % delegations.length]! };
    const { results } = await this.#post<SearchData>("/v1/search", search);
    // The demo sells no single night on New Year's Eve: that search counts into the next flow.
    const found = results[n % results.length];
    if (found === undefined) return this.#flow(this.#started++);
    const { hotel_id, best_offer } = found;
    const { room_type_id, rate_plan_id } = best_offer;
    const request = { hotel_id, room_type_id, rate_plan_id, stay, guests };
    const { quote_id } = await this.#post<{ quote_id: string }>("/v1/quotes", request);
    const holdKey = `flow-hold-${n}`;
    const { hold_id } = await this.#post<{ hold_id: string }>("/v1/holds", { quote_id }, holdKey);
    this.#holdKeys.push(holdKey);
    const booking = {
      ...{ hold_id, quote_id },
      guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } },
      payment: { method: "card", provider_token: "tok_test_ok" },
    };
    const booked = await this.#post<Booked>("/v1/bookings", booking, `book-${n}`, traveler);
    const path = `/v1/bookings/${booked.booking_id}`;
    await this.#call("GET", path, { headers: traveler });
    await this.#post(`${path}/cancel`, {}, `cancel-${n}`, traveler);
  }

  #post<Data>(
    path: string,
    body: object,
    key?: string,
    traveler: Readonly<Record<string, string>> = {},
  ): Promise<Data> {
    const own = key === undefined ? {} : { "idempotency-key": key };
    return this.#call("POST", path, {
      body: JSON.stringify(body),
      headers: { ...own, ...traveler },
    });
  }

  async #call<Data>(
    method: string,
    path: string,
    { body, headers = {} }: { body?: string; headers?: Record<string, string> },
  ): Promise<Data> {
    const response = await fetch(`${this.#options.baseUrl}${path}`, {
      method,
      headers: { ...this.#headers, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: Data }).data;
  }
}

const options = (await Bun.stdin.json()) as FlowOptions;
const agents = new Agents(options);
await agents.warmUp(options.warmupRequests);
process.stdout.write(`${MEASURING}\n`);
process.stdout.write(JSON.stringify(await agents.run(options.seconds)));
