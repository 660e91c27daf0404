/**
 * An agent that knows a trip, its guest, payment tokens and how to mint delegation tokens, and of
 * the service nothing but the name of its first tool. From there on it only calls the `tool` with
 * the `arguments` that an answer offers, choosing by `rel` and `error.code`; what stands there as
 * `<what it is>` it fills in by the argument's name.
 */
import type { NextAction } from "../../src/actions/next-action.ts";
import type { Trip } from "./walker.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** Calls a tool, over whichever protocol; answers its envelope. */
export type CallTool = (tool: string, args: Arguments) => Promise<Arguments>;

/** A call of a tool as it was sent. */
interface ToolCall {
  readonly tool: string;
  readonly arguments: Arguments;
}

interface Refused {
  readonly code: string;
  readonly retry_after: number | null;
  readonly next_actions: readonly Offer[];
}

type Offer = NextAction & Partial<ToolCall>;

const STEPS_MAX = 14;
/** What leads on to a cancelled booking, best first. */
const ONWARD = [
  ...["cancel", "confirm", "create_hold", "requote", "quote", "search", "get", "release"],
] as const;

export interface ToolWalkerOptions {
  readonly callTool: CallTool;
  readonly trip: Trip;
  /** Makes a delegation token that the service trusts. */
  readonly mint: () => Promise<string>;
  /** Payment tokens in the order in which the guest offers them. */
  readonly tokens?: readonly string[];
}

export class ToolWalker {
  /** `code or state` of each answer on the way. */
  readonly trail: string[] = [];
  /** The tools that were called, in their order. */
  readonly called: string[] = [];
  readonly #options: ToolWalkerOptions;
  readonly #tokens: string[];

  constructor(options: ToolWalkerOptions) {
    this.#options = options;
    this.#tokens = [...(options.tokens ?? ["tok_visa"])];
  }

  /** From nothing to a cancelled booking. */
  walk(): Promise<string> {
    return this.recover("search", { ...this.#options.trip });
  }

  /** From a call of any tool to a cancelled booking; answers how that first call went. */
  async recover(tool: string, args: Arguments): Promise<string> {
    let sent: ToolCall = { tool, arguments: args };
    for (let step = 0; step < STEPS_MAX; step += 1) {
      this.called.push(sent.tool);
      const envelope = await this.#options.callTool(sent.tool, sent.arguments);
      const { data, error } = envelope as { data?: Arguments; error?: Refused };
      this.trail.push(error?.code ?? String(data?.state ?? sent.tool));
      if (data?.state === "cancelled") return this.trail[0]!;
      sent = error ? await this.#afterRefusal(sent, error) : await this.#onward(sent, envelope);
    }
    throw new Error(`still walking after ${STEPS_MAX} steps: ${this.trail.join(" → ")}`);
  }

  #onward(sent: ToolCall, envelope: Arguments): Promise<ToolCall> {
    const { next_actions } = envelope as unknown as { next_actions: readonly Offer[] };
    const offers = next_actions.filter(({ tool }) => tool !== undefined);
    const next = ONWARD.flatMap((rel) => offers.filter((each) => each.rel === rel))[0];
    if (!next) throw new Error(`nothing leads on: ${this.trail.join(" → ")}`);
    return this.#filled(next, sent.arguments);
  }

  async #afterRefusal(sent: ToolCall, error: Refused): Promise<ToolCall> {
    if (error.retry_after !== null) await Bun.sleep(error.retry_after * 1000);
    const next = error.next_actions.find(({ tool }) => tool !== undefined);
    if (next) return this.#filled(next, sent.arguments);
    // Whom the service trusts stands in a document; then the same call with such a token.
    if (!error.next_actions.some(({ href }) => href.startsWith("/.well-known/delegation-issuers")))
      throw new Error(`no tool leads on: ${this.trail.join(" → ")} ${JSON.stringify(error)}`);
    return { ...sent, arguments: { ...sent.arguments, delegation_token: await this.#mint() } };
  }

  async #filled({ tool, arguments: args = {} }: Offer, sent: Arguments): Promise<ToolCall> {
    const token = await this.#mint();
    const fill = (name: string, value: unknown) => {
      if (typeof value !== "string" || !value.startsWith("<")) return value;
      if (value === "<as you sent it>") return sent[name];
      return this.#known(name, value, token);
    };
    return { tool: tool!, arguments: JSON.parse(JSON.stringify(args), fill) };
  }

  /** What the traveler knows, by the names of arguments. */
  #known(name: string, value: string, token: string): unknown {
    const { trip } = this.#options;
    const known: Arguments = {
      ...{ full_name: "Ada Lovelace", email: "ada@example.com", method: "card" },
      delegation_token: token,
      ...{ ...trip, ...trip.stay, ...trip.guests, hotel_id: trip.destination?.value },
    };
    if (name === "provider_token") return this.#nextToken();
    if (!(name in known)) throw new Error(`nobody knows ${name}: ${value}`);
    return known[name];
  }

  #nextToken(): string {
    return this.#tokens.length > 1 ? this.#tokens.shift()! : this.#tokens[0]!;
  }

  #mint(): Promise<string> {
    return this.#options.mint();
  }
}
