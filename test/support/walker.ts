/**
 * An agent that knows a trip (dates and party), its guest, payment tokens and how to mint
 * delegation tokens, and nothing about this service: no path, no id, no body. It finds the first
 * call in the agent card and from there on only does what `next_actions` say, choosing by `rel` and
 * by `error.code` as the contract allows.
 */

import type { NextAction } from "../../src/actions/next-action.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "./answer.ts";
import type { Service } from "./service.ts";

export interface Trip {
  readonly destination?: Readonly<Record<string, unknown>>;
  readonly stay: Readonly<Record<string, string>>;
  readonly guests: Readonly<Record<string, unknown>>;
}

/** One call as it was sent, so that it can be sent again. */
interface Sent {
  readonly action: NextAction;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly key: string;
  readonly token: string;
  readonly isAnonymous?: boolean;
}

/** How the first call differs from a proper one, to get into trouble. */
export interface Trouble {
  readonly body?: Readonly<Record<string, unknown>>;
  /** Empty: none is sent. */
  readonly key?: string;
  /** Empty: none is sent. */
  readonly token?: string;
  readonly isAnonymous?: boolean;
}

interface Card {
  readonly capabilities: readonly { id: string; method: NextAction["method"]; href: string }[];
  readonly contracts: {
    readonly delegation: { readonly header: string };
    readonly idempotency: { readonly header: string };
  };
}

const STEPS_MAX = 14;
/** What leads on to a cancelled booking, best first. */
const ONWARD = [
  ...["cancel", "confirm", "create_hold", "requote", "quote", "search", "get", "release"],
] as const;
export class Walker {
  /** `code or state` of each answer on the way. */
  readonly trail: string[] = [];
  readonly #service: Service;
  readonly #agent: DemoAgent;
  readonly #trip: Trip;
  readonly #tokens: string[];
  #card!: Card;
  #lastQuote: Readonly<Record<string, unknown>> | undefined;

  /** `tokens`: payment tokens in the order in which the guest offers them. */
  constructor(service: Service, agent: DemoAgent, trip: Trip, tokens = ["tok_visa"]) {
    this.#service = service;
    this.#agent = agent;
    this.#trip = trip;
    this.#tokens = [...tokens];
  }

  /** From nothing to a cancelled booking. */
  async walk(): Promise<void> {
    const search = await this.capability("search");
    await this.#goOn(await this.#send(await this.#prepared(search)));
  }

  /** A call in trouble, and from its refusal to a cancelled booking; answers the refusal's code. */
  async recover(action: NextAction, trouble: Trouble = {}): Promise<string> {
    await this.#readCard();
    const prepared = await this.#prepared(action);
    await this.#goOn(await this.#send({ ...prepared, ...trouble }));
    return this.trail[0]!;
  }

  /** A call that the agent card names, its ids filled in by name. */
  async capability(id: string, ids: Readonly<Record<string, string>> = {}): Promise<NextAction> {
    await this.#readCard();
    const { method, href } = this.#card.capabilities.find((each) => each.id === id)!;
    const path = href.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
    return { rel: "retry", method, href: path };
  }

  async #readCard(): Promise<void> {
    if (this.#card !== undefined) return;
    const index = await this.#service.api("GET", "/", { agent: null });
    const { links } = index.json as { links: { agent_card: string } };
    const path = new URL(links.agent_card).pathname;
    this.#card = (await this.#service.api("GET", path, { agent: null })).json as Card;
  }

  async #goOn(first: { sent: Sent; answer: Answer }): Promise<void> {
    let { sent, answer } = first;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const body = answer.json as { data?: Readonly<Record<string, unknown>>; error?: unknown };
      if (body.error !== undefined) {
        sent = await this.#afterRefusal(sent, answer);
      } else {
        this.trail.push(String(body.data?.state ?? sent.action.rel));
        if (body.data?.state === "cancelled") return;
        const { next_actions } = answer.ok(answer.status);
        const next = ONWARD.flatMap((rel) => next_actions.filter((each) => each.rel === rel))[0];
        if (next === undefined) throw new Error(`nothing leads on from: ${this.#told(answer)}`);
        sent = await this.#prepared(next);
      }
      ({ sent, answer } = await this.#send(sent));
    }
    throw new Error(`still walking after ${STEPS_MAX} steps: ${this.#told(answer)}`);
  }

  /** What to send next: the first action that leads on, after the wait that is asked for. */
  async #afterRefusal(sent: Sent, answer: Answer): Promise<Sent> {
    const { code, retry_after, next_actions } = answer.anyRefusal();
    const isStuck = this.trail.at(-1) === code;
    this.trail.push(code);
    if (retry_after !== null) await Bun.sleep(retry_after * 1000);
    const next = next_actions[0];
    if (next === undefined) throw new Error(`no way on from: ${this.#told(answer)}`);
    if (next.href.startsWith("/.well-known/")) {
      // Told to look up whom the service trusts; then the same call with such a token.
      (await this.#service.api("GET", next.href, { agent: null })).json;
      return { ...sent, token: await this.#service.mintDelegation() };
    }
    if (next.rel !== "retry") return this.#prepared(next);
    const again = { ...(await this.#prepared(this.#repeated(next, sent))), action: sent.action };
    // Another card is another request.
    const isPaidAnew = code === "payment_provider_error" && isStuck;
    return isPaidAnew ? { ...again, ...this.#paidAnew(sent.body) } : again;
  }

  /** A retry with what was sent in its blanks. */
  #repeated({ body_hint, fill_in = [], ...next }: NextAction, { body }: Sent): NextAction {
    const isWhole = fill_in.some(({ path }) => path === "");
    const hint = isWhole ? body : body_hint;
    const again = Object.entries(hint ?? {}).map(([name, value]) => {
      const isBlank = typeof value === "string" && value.startsWith("<as you sent it");
      return [name, isBlank ? body?.[name] : value];
    });
    const key = fill_in
      .find(({ path }) => path === "Idempotency-Key")
      ?.meaning.split(" ")
      .at(-1);
    const keyed = key === undefined ? {} : { idempotency_key: key };
    return hint ? { ...next, body_hint: { ...Object.fromEntries(again), ...keyed } } : next;
  }

  /** The same body with the guest's next payment token. */
  #paidAnew(body: Sent["body"]): { body: Sent["body"] } {
    const payment = { ...(body?.payment as object), provider_token: this.#nextToken() };
    return { body: { ...body, payment, idempotency_key: crypto.randomUUID() } };
  }

  async #prepared(action: NextAction): Promise<Sent> {
    const token = await this.#service.mintDelegation();
    return { action, body: this.#bodyOf(action), key: crypto.randomUUID(), token };
  }

  #bodyOf({ rel, href, method, body_hint }: NextAction): Sent["body"] {
    if (method === "GET") return undefined;
    if (body_hint !== undefined) return this.#filled(body_hint);
    if (rel === "quote" || rel === "requote") return this.#lastQuote;
    return href.endsWith("/search") ? { ...this.#trip } : undefined;
  }

  #filled(hint: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const known = (_: string, value: unknown) => {
      if (value === "<full name>") return "Ada Lovelace";
      if (value === "<email address>") return "ada@example.com";
      if (value === "<token from the payment provider>") return this.#nextToken();
      if (value === "<check-in date, YYYY-MM-DD>") return this.#trip.stay.check_in;
      if (value === "<check-out date, YYYY-MM-DD>") return this.#trip.stay.check_out;
      if (value === "<how many adults, a number>") return this.#trip.guests.adults;
      return value;
    };
    return JSON.parse(JSON.stringify(hint), known);
  }

  #nextToken(): string {
    return this.#tokens.length > 1 ? this.#tokens.shift()! : this.#tokens[0]!;
  }

  async #send(sent: Sent): Promise<{ sent: Sent; answer: Answer }> {
    const { action, body, key, token, isAnonymous } = sent;
    const { delegation, idempotency } = this.#card.contracts;
    const isWrite = action.method !== "GET";
    const hasKey = body !== undefined && "idempotency_key" in body;
    const answer = await this.#service.api(action.method, action.href, {
      agent: isAnonymous ? null : this.#agent,
      headers: {
        ...(isWrite && key !== "" && !hasKey ? { [idempotency.header]: key } : {}),
        ...(isWrite && token !== "" ? { [delegation.header]: token } : {}),
      },
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status === 201 && action.href === "/v1/quotes") this.#lastQuote = body;
    return { sent, answer };
  }

  #told(answer: Answer): string {
    return `${this.trail.join(" → ")}: ${answer.call} ${answer.status} ${answer.text.slice(0, 500)}`;
  }
}
