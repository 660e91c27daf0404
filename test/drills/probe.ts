/**
 * Holds at a steady pace, each begun whether those before it are answered or not: the first one
 * that is acknowledged after a fault says how long the fault was felt.
 */
import type { Load } from "../crash/load.ts";
import type { Party } from "../crash/parties.ts";
import { createHotel, newQuote, type StayRequest, stayRequest } from "../support/client.ts";
import type { Service } from "../support/service.ts";

const EVERY_MS = 50;
/** Far more than are open at a time. */
const ROOMS = 5_000;

export class Probe {
  readonly #open = new Set<Promise<void>>();
  readonly #request: StayRequest;
  readonly #service: Service;
  readonly #load: Load;
  readonly #by: Party;
  #quoteId: Promise<string>;
  #isEnding = false;
  #failure: unknown = null;
  readonly #running: Promise<void>;

  private constructor(service: Service, load: Load, by: Party, request: StayRequest) {
    this.#service = service;
    this.#load = load;
    this.#by = by;
    this.#request = request;
    this.#quoteId = this.#quote();
    this.#running = this.#run();
  }

  /** Begins at once, on a hotel of its own. */
  static async start(service: Service, load: Load): Promise<Probe> {
    const hotel = await createHotel(service, { units: [ROOMS] });
    const [agent] = await service.newAgents([{}]);
    const { agent_id: agentId, secret } = agent!;
    const reach = { hotels: [hotel.id], closed: [] };
    const tenantId = service.demo.tenant_id;
    const by = { ...reach, tenantId, mode: "live" as const, agentId, secret };
    return new Probe(service, load, by, stayRequest(hotel));
  }

  /** Resolves when every hold that has begun is answered. Throws when one could not be. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
    await Promise.all(this.#open);
    if (this.#failure) throw this.#failure;
  }

  async #run(): Promise<void> {
    while (!this.#isEnding) {
      const hold = this.#hold().catch((error: unknown) => {
        this.#failure ??= error;
      });
      this.#open.add(hold);
      void hold.then(() => this.#open.delete(hold));
      await Bun.sleep(EVERY_MS);
    }
  }

  async #hold(): Promise<void> {
    const used = this.#quoteId;
    const { code } = await this.#load.hold(this.#by, await used);
    // It has expired, or was lost with its Redis.
    if (code?.startsWith("quote_") && this.#quoteId === used) this.#quoteId = this.#quote();
  }

  async #quote(): Promise<string> {
    const { agentId: agent_id, secret } = this.#by;
    for (;;) {
      const agent = { agent_id, secret };
      const quote = await newQuote(this.#service, this.#request, { agent }).catch(() => null);
      if (quote) return quote.quote_id;
      await Bun.sleep(EVERY_MS);
    }
  }
}
