/**
 * Closed-loop clients that search, quote, hold, book, cancel and release, compete for a few units,
 * and write down every definitive answer. What they wrote down is what the service has promised.
 */
import { Random } from "../sim/random.ts";
import type { Service } from "../support/service.ts";
import { Agent, type AgentCall, type Answer, hintOf } from "./agent.ts";
import { type Party, settleParties } from "./parties.ts";

export type DeedKind = "hold" | "release" | "book" | "cancel";

/** A keyed write with its definitive answer. */
export interface Deed {
  readonly kind: DeedKind;
  readonly call: AgentCall & { readonly key: string };
  readonly answer: Answer;
  readonly holdId: string | null;
  readonly bookingId: string | null;
  /** `performance.now()` of the first attempt and of the answer. */
  readonly startedMs: number;
  readonly endedMs: number;
}

/** What each kind of write may come to in this load; anything else is a fault. */
const EXPECTED: Readonly<Record<DeedKind, readonly string[]>> = {
  hold: ["ok", "allocation_failed", "quote_not_found", "quote_expired"],
  release: ["ok", "hold_expired"],
  book: ["ok", "payment_failed", "payment_provider_error", "hold_expired"],
  cancel: ["ok"],
};

const FAST_TOKENS = {
  tok_test_ok: 60,
  tok_test_declined: 15,
  tok_test_insufficient_funds: 5,
  tok_test_refund_fails: 10,
  tok_test_provider_error: 10,
} as const;
const SLOW_TOKENS = {
  tok_test_timeout_then_captured: 2,
  tok_test_timeout_then_failed: 1,
  tok_test_slow_9s: 2,
} as const;

/** Short beside what a drill measures. */
const PROBE_AGAIN_MS = 20;

const DAY_MS = 86_400_000;
const FIRST_NIGHT = 30;
const NIGHTS = 10;

export interface LoadOptions {
  readonly service: Service;
  readonly seed: number;
  readonly fastClients: number;
  /** These only use payment tokens that take up to 15 s. */
  readonly slowClients: number;
}

/** One guest after the other, who act by the same agent. */
interface Client {
  readonly by: Party;
  readonly random: Random;
  readonly tokens: Readonly<Record<string, number>>;
}

export class Load {
  readonly deeds: Deed[] = [];
  readonly agent: Agent;
  readonly #options: LoadOptions;
  readonly #looks = new Set<() => void>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #clients: Promise<void>[] = [];
  #isStopping = false;
  #keys = 0;

  private constructor(options: LoadOptions) {
    this.#options = options;
    this.agent = new Agent(options.service);
    this.#failed.promise.catch(() => {});
  }

  /** Makes the parties, and starts the clients: each is one of them, in turn. */
  static async start(options: LoadOptions): Promise<Load> {
    const load = new Load(options);
    const parties = await settleParties(options.service);
    const count = options.fastClients + options.slowClients;
    for (let i = 0; i < count; i += 1) {
      const tokens = i < options.fastClients ? FAST_TOKENS : SLOW_TOKENS;
      const by = parties[i % parties.length]!;
      const client = load.#run({ by, tokens, random: new Random(options.seed * 1_000 + i) });
      client.catch(load.#failed.reject);
      load.#clients.push(client);
    }
    return load;
  }

  /** Resolves when so many more definitive answers have come; rejects when a client failed. */
  more(count: number): Promise<void> {
    const goal = this.deeds.length + count;
    return this.#until(() => this.deeds.length >= goal);
  }

  /** The first 201 of a kind that was asked for after `afterMs`; rejects when a client failed. */
  async firstAfter(kind: DeedKind, afterMs: number): Promise<Deed> {
    const find = () =>
      this.deeds.find((deed) => {
        return deed.kind === kind && deed.answer.status === 201 && deed.startedMs > afterMs;
      });
    await this.#until(() => find() !== undefined);
    return find()!;
  }

  /** A hold beside those of the clients, sent again at once until it is answered. */
  hold(by: Party, quoteId: string): Promise<Answer> {
    const body = { quote_id: quoteId };
    return this.#write("hold", { by, path: "/v1/holds", body, againMs: PROBE_AGAIN_MS });
  }

  /** Lets every client finish what it has begun. Throws when one failed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#clients);
  }

  #until(isSo: () => boolean): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
      look();
    });
    return Promise.race([reached, this.#failed.promise]);
  }

  async #run(client: Client): Promise<void> {
    while (!this.#isStopping) {
      await this.#visit(client);
      // A little air, so that the service is under load and not starved by its clients.
      await Bun.sleep(client.random.between(10, 60));
    }
  }

  /** One guest's way from a search to whatever it ends in. */
  async #visit(client: Client): Promise<void> {
    const { by, random } = client;
    const checkIn = FIRST_NIGHT + random.below(NIGHTS);
    const stay = {
      check_in: dateAt(checkIn),
      check_out: dateAt(Math.min(FIRST_NIGHT + NIGHTS, checkIn + random.between(1, 3))),
    };
    // Mostly the first hotel, where restricted and other agents want the same few rooms.
    const value = random.chance(60) ? by.hotels[0]! : random.pick(by.hotels);
    const body = { destination: { type: "property", value }, stay, guests: { adults: 2 } };
    const offered = hintOf(await this.agent.settle({ by, path: "/v1/search", body }), "quote");
    if (!offered) return;
    if (by.closed.length > 0 && random.chance(20)) await this.#tryClosed(client, offered);
    const quoted = await this.agent.settle({ by, path: "/v1/quotes", body: offered });
    const wanted = hintOf(quoted, "create_hold");
    if (!wanted) return;
    const held = await this.#write("hold", { by, path: "/v1/holds", body: wanted });
    const confirm = hintOf(held, "confirm");
    if (!confirm) return;
    const next = random.weighted({ book: 70, release: 20, leave: 10 });
    if (next === "book") return this.#book(confirm, client);
    const holdId = String(held.data.hold_id);
    const path = `/v1/holds/${holdId}/release`;
    if (next === "release") await this.#write("release", { by, path, body: {} }, { holdId });
  }

  /** A hotel outside of the agent's reach prices nothing for it, whatever befell the service. */
  async #tryClosed({ by, random }: Client, offered: object): Promise<void> {
    const body = { ...offered, hotel_id: random.pick(by.closed) };
    const { code, text } = await this.agent.settle({ by, path: "/v1/quotes", body });
    if (code !== "resource_access_denied") throw new Error(`a closed hotel answered ${text}`);
  }

  async #book(
    hint: Readonly<Record<string, unknown>>,
    { by, random, tokens }: Client,
  ): Promise<void> {
    const about = { holdId: String(hint.hold_id) };
    const book = (token: string) => {
      const guest = { primary: { full_name: "Ada Lovelace", email: "ada@guests.example" } };
      const payment = { method: "card", provider_token: token };
      const body = { ...hint, guest, payment };
      return this.#write("book", { by, path: "/v1/bookings", body, isDelegated: true }, about);
    };
    let booked = await book(random.weighted(tokens));
    if (booked.code === "payment_failed" && random.chance(50)) booked = await book("tok_test_ok");
    if (booked.code !== null || random.chance(4)) return;
    const bookingId = String(booked.data.booking_id);
    const path = `/v1/bookings/${bookingId}/cancel`;
    const cancel = { by, path, body: {}, isDelegated: true };
    await this.#write("cancel", cancel, { ...about, bookingId });
  }

  async #write(
    kind: DeedKind,
    call: AgentCall,
    ids: { readonly holdId?: string; readonly bookingId?: string } = {},
  ): Promise<Answer> {
    const key = `load-${this.#options.seed}-${this.#keys++}`;
    const startedMs = performance.now();
    const answer = await this.agent.settle({ ...call, key });
    if (!EXPECTED[kind].includes(answer.code ?? "ok")) {
      throw new Error(`${kind} ${key} came to ${answer.status} ${answer.text}`);
    }
    const { hold_id, booking_id } = answer.data;
    const deed: Deed = {
      ...{ kind, answer, startedMs, call: { ...call, key } },
      holdId: ids.holdId ?? (hold_id === undefined ? null : String(hold_id)),
      bookingId: ids.bookingId ?? (booking_id === undefined ? null : String(booking_id)),
      endedMs: performance.now(),
    };
    this.deeds.push(deed);
    for (const look of [...this.#looks]) look();
    return answer;
  }
}

/** The civil date so many days from today. */
function dateAt(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
