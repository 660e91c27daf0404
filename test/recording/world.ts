/** Who and what a recording is about: the tenants, their agents, and the steps they all take. */
import { OFFERS, uuid } from "./hotels.ts";
import type { Actor, Ask, Reply, Session } from "./session.ts";
import { Tokens } from "./tokens.ts";

const DAY_MS = 86_400_000;

interface NewOperator extends Actor {
  readonly tenant_id: string;
}

/** No limit of any kind: rates are nobody's business but those whose test it is. */
export const UNLIMITED = {
  ...{ rpm: null, burst: null, max_open_holds: null, max_open_quotes: null },
  max_booking_amount: null,
};

export interface Held {
  readonly quote_id: string;
  readonly hold_id: string;
}

/** A well-formed secret that nobody has. */
export function unknownSecret(): string {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const text = `ik_live_${"Z".repeat(36)}`;
  let rest = Bun.hash.crc32(text);
  let digits = "";
  for (let i = 0; i < 6; i += 1) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return text + digits;
}

/** All actors by what is special about them. */
export class World {
  readonly session: Session;
  readonly monday: string;
  readonly tokens: Tokens;
  /** Live operator of the first tenant, its test operator, and the second tenant's. */
  readonly operator: NewOperator;
  readonly testOperator: NewOperator;
  readonly otherOperator: NewOperator;
  /** Filled by the part that makes them. */
  readonly agents = new Map<string, Actor>();

  private constructor(
    session: Session,
    monday: string,
    tokens: Tokens,
    operators: readonly NewOperator[],
  ) {
    this.session = session;
    this.monday = monday;
    this.tokens = tokens;
    const [operator, testOperator, otherOperator] = operators as [
      NewOperator,
      NewOperator,
      NewOperator,
    ];
    this.operator = operator;
    this.testOperator = testOperator;
    this.otherOperator = otherOperator;
  }

  /** Makes the tenants with their operators, before the service runs. */
  static async open(session: Session, monday: string): Promise<World> {
    const { tree } = session;
    const first = await tree.admin<NewOperator>("tenant", "create", "--name", "First");
    const ofFirst = ["--tenant", first.tenant_id, "--mode", "test"];
    const test = await tree.admin<NewOperator>("operator", "create", ...ofFirst);
    const other = await tree.admin<NewOperator>("tenant", "create", "--name", "Second");
    return new World(session, monday, await Tokens.open(), [first, test, other]);
  }

  /** Date so many days from the recording's Monday. */
  day(days: number): string {
    return new Date(Date.parse(this.monday) + days * DAY_MS).toISOString().slice(0, 10);
  }

  /** Date so many days from today. */
  today(days = 0): string {
    return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  }

  stay(days: number, nights = 2) {
    return { check_in: this.day(days), check_out: this.day(days + nights) };
  }

  /** The actor of that name; one whom nobody knows where its making has failed. */
  agent(name: string): Actor {
    return this.agents.get(name) ?? { agent_id: "agt_unknown", secret: unknownSecret() };
  }

  /** The agent that most of it is asked by. */
  get main(): Actor {
    return this.agent("main");
  }

  /** Like `Session.ask`, as the main agent unless told. */
  ask(label: string, call: string, ask: Ask = {}): Promise<Reply> {
    return this.session.ask(label, call, { as: this.main, ...ask });
  }

  /** Like `Session.ask`, as the first tenant's operator unless told. */
  admin(label: string, call: string, ask: Ask = {}): Promise<Reply> {
    return this.session.ask(label, call, { as: this.operator, ...ask });
  }

  /** Body of a quote request for an offer of `OFFERS`. */
  quoteBody(offer = 0, days = 30, nights = 2, adults = 2) {
    return { ...OFFERS[offer]!, stay: this.stay(days, nights), guests: { adults } };
  }

  async quote(label: string, body: unknown = this.quoteBody(), as = this.main): Promise<string> {
    const reply = await this.ask(label, "POST /v1/quotes", { as, body });
    return reply.data.quote_id ?? "missing";
  }

  async hold(label: string, body: unknown = this.quoteBody(), as = this.main): Promise<Held> {
    const quote_id = await this.quote(label, body, as);
    const headers = this.session.keyed();
    const reply = await this.ask(label, "POST /v1/holds", { as, headers, body: { quote_id } });
    return { quote_id, hold_id: reply.data.hold_id ?? "missing" };
  }

  bookingBody({ hold_id, quote_id }: Held, token = "tok_test_ok") {
    return {
      ...{ hold_id, quote_id },
      guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } },
      payment: { method: "card", provider_token: token },
    };
  }

  /** Headers of a write that a traveler has agreed to. */
  async agreed(claims = {}): Promise<Record<string, string>> {
    return { ...this.session.keyed(), "x-delegated-user": await this.tokens.sign(claims) };
  }

  async book(label: string, held: Held, token?: string, as = this.main): Promise<Reply> {
    const [headers, body] = [await this.agreed(), this.bookingBody(held, token)];
    return this.ask(label, "POST /v1/bookings", { as, headers, body });
  }

  /** Quote, hold and booking; answers the booking. */
  async booked(label: string, body: unknown = this.quoteBody(), token?: string): Promise<Reply> {
    return this.book(label, await this.hold(label, body), token);
  }

  /** Cancels, and waits until the refund has gone its way. */
  async cancel(label: string, id: string, body?: unknown, as = this.main): Promise<Reply> {
    const ask = { as, headers: await this.agreed(), ...(body === undefined ? {} : { body }) };
    const reply = await this.ask(label, `POST /v1/bookings/${id}/cancel`, ask);
    const refund = reply.data.refund?.refund_id;
    if (refund) await this.refunded(id, refund, as);
    return reply;
  }

  /** Waits until a refund is no longer under way. */
  async refunded(bookingId: string, refundId: string, as = this.main): Promise<void> {
    await this.session.settle(`GET /v1/bookings/${bookingId}/refunds/${refundId}`, as, (reply) => {
      return !["pending", "processing", "requested"].includes(reply.data.state);
    });
  }

  readonly unknownUuid = uuid(0xdead);
}
