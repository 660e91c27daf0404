/**
 * Closed-loop clients that search, quote, hold, book, cancel and release, compete for a few units,
 * and write down every definitive answer. What they wrote down is what the service has promised.
 */
import { AdminClient } from "../../src/demo/admin-client.ts";
import { Random } from "../sim/random.ts";
import type { Service } from "../support/service.ts";
import { Agent, type AgentCall, type Answer, hintOf } from "./agent.ts";

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

const DAY_MS = 86_400_000;
const FIRST_NIGHT = 30;
const NIGHTS = 10;
const CAPACITY = 3;

export interface LoadOptions {
  readonly service: Service;
  readonly seed: number;
  readonly fastClients: number;
  /** These only use payment tokens that take up to 15 s. */
  readonly slowClients: number;
}

export class Load {
  readonly deeds: Deed[] = [];
  readonly agent: Agent;
  readonly #options: LoadOptions;
  readonly #looks = new Set<() => void>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #clients: Promise<void>[] = [];
  readonly #slugs: readonly string[];
  #isStopping = false;
  #keys = 0;

  private constructor(options: LoadOptions) {
    this.#options = options;
    this.agent = new Agent(options.service);
    const live = options.service.demo.properties.filter((property) => property.mode === "live");
    this.#slugs = live.slice(0, 2).map((property) => property.slug);
    this.#failed.promise.catch(() => {});
  }

  /** Makes units scarce in two hotels and starts the clients on them. */
  static async start(options: LoadOptions): Promise<Load> {
    const load = new Load(options);
    for (const slug of load.#slugs) await load.#makeScarce(slug);
    const count = options.fastClients + options.slowClients;
    for (let i = 0; i < count; i += 1) {
      const tokens = i < options.fastClients ? FAST_TOKENS : SLOW_TOKENS;
      const client = load.#run(new Random(options.seed * 1_000 + i), tokens);
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

  async #makeScarce(slug: string): Promise<void> {
    const { baseUrl, demo } = this.#options.service;
    const { secret } = demo.admin;
    const headers = { authorization: `Bearer ${secret}` };
    const found = await fetch(`${baseUrl}/v1/properties/${slug}/full`, { headers });
    const { data } = (await found.json()) as { data: { room_types: { id: string }[] } };
    const range = { from: dateAt(FIRST_NIGHT), to: dateAt(FIRST_NIGHT + NIGHTS) };
    const inventory = data.room_types.map(({ id }) => {
      return { room_type_id: id, ...range, capacity: CAPACITY, overbooking_limit: 0 };
    });
    const admin = new AdminClient({ baseUrl, secret, keyPrefix: "scarce" });
    const property = demo.properties.find((each) => each.slug === slug)!;
    const path = `/v1/admin/properties/${property.id}/ari`;
    await admin.call({ method: "PUT", path, body: JSON.stringify({ inventory }) });
  }

  async #run(random: Random, tokens: Readonly<Record<string, number>>): Promise<void> {
    while (!this.#isStopping) {
      await this.#visit(random, tokens);
      // A little air, so that the service is under load and not starved by its clients.
      await Bun.sleep(random.between(10, 60));
    }
  }

  /** One guest's way from a search to whatever it ends in. */
  async #visit(random: Random, tokens: Readonly<Record<string, number>>): Promise<void> {
    const checkIn = FIRST_NIGHT + random.below(NIGHTS);
    const stay = {
      check_in: dateAt(checkIn),
      check_out: dateAt(Math.min(FIRST_NIGHT + NIGHTS, checkIn + random.between(1, 3))),
    };
    const destination = { type: "property", value: random.pick(this.#slugs) };
    const body = { destination, stay, guests: { adults: 2 } };
    const offered = hintOf(await this.agent.settle({ path: "/v1/search", body }), "quote");
    if (!offered) return;
    const quoted = await this.agent.settle({ path: "/v1/quotes", body: offered });
    const wanted = hintOf(quoted, "create_hold");
    if (!wanted) return;
    const held = await this.#write("hold", { path: "/v1/holds", body: wanted });
    const confirm = hintOf(held, "confirm");
    if (!confirm) return;
    const next = random.weighted({ book: 70, release: 20, leave: 10 });
    if (next === "book") return this.#book(confirm, random, tokens);
    const holdId = String(held.data.hold_id);
    const path = `/v1/holds/${holdId}/release`;
    if (next === "release") await this.#write("release", { path, body: {} }, { holdId });
  }

  async #book(
    hint: Readonly<Record<string, unknown>>,
    random: Random,
    tokens: Readonly<Record<string, number>>,
  ): Promise<void> {
    const about = { holdId: String(hint.hold_id) };
    const book = (token: string) => {
      const guest = { primary: { full_name: "Ada Lovelace", email: "ada@guests.example" } };
      const payment = { method: "card", provider_token: token };
      const body = { ...hint, guest, payment };
      return this.#write("book", { path: "/v1/bookings", body, isDelegated: true }, about);
    };
    let booked = await book(random.weighted(tokens));
    if (booked.code === "payment_failed" && random.chance(50)) booked = await book("tok_test_ok");
    if (booked.code !== null || random.chance(4)) return;
    const bookingId = String(booked.data.booking_id);
    const path = `/v1/bookings/${bookingId}/cancel`;
    const cancel = { path, body: {}, isDelegated: true };
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
