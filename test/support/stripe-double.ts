/**
 * Stripe's API as this service uses it, with memory: form-encoded in, JSON out. It refuses what
 * Stripe refuses: unknown parameters, another API version, a wrong key. It stores the first answer
 * to an idempotency key, also a 500.
 *
 * It misbehaves by payment method: `pm_double_<fault>_at_<call>`, once for each intent.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type Stripe from "stripe";
import { StripeEvents } from "./stripe-events.ts";
import { type Form, formOf, textIn, textsIn } from "./stripe-form.ts";
import { Refused, StripeLedger } from "./stripe-ledger.ts";
import { StripePagesDouble } from "./stripe-pages.ts";

export const DOUBLE_KEY = "sk_test_double";
const VERSION = "2026-10-28.endive";
const SLOW_MS = 700;

/**
 * `hang` and `close` happen before the call has an effect, `mute` and `lose` after it. `fail` and
 * `break` answer a 500 before and after. `lock` and `throttle` answer 409 and 429.
 */
type Fault = "hang" | "close" | "mute" | "lose" | "fail" | "break" | "lock" | "throttle" | "slow";
type CallName = "create" | "update" | "confirm" | "capture" | "cancel" | "refund";

interface Stored {
  readonly fingerprint: string;
  /** Null while the first call runs. */
  reply: Reply | null;
}

interface Reply {
  readonly status: number;
  readonly body: object;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly form: Form;
  readonly key: string | null;
}

/** State of an intent → the event that tells of it. */
const EVENTS: Readonly<Record<string, string>> = {
  succeeded: "payment_intent.succeeded",
  canceled: "payment_intent.canceled",
  requires_capture: "payment_intent.amount_capturable_updated",
  requires_action: "payment_intent.requires_action",
  requires_payment_method: "payment_intent.payment_failed",
};

/** Path of a call → its parameters. */
const PARAMETERS: readonly (readonly [route: RegExp, parameters: readonly string[]])[] = [
  [
    /^POST \/v1\/payment_intents$/,
    [
      ...["amount", "currency", "capture_method", "metadata", "payment_method"],
      ...["payment_method_data", "payment_method_types"],
    ],
  ],
  [/^POST \/v1\/payment_intents\/pi_\w+$/, ["metadata"]],
  [
    /^POST \/v1\/checkout\/sessions$/,
    [
      ...["adaptive_pricing", "allowed_payment_method_types", "cancel_url", "line_items", "mode"],
      ...["payment_intent_data", "success_url"],
    ],
  ],
  [/^GET \/v1\/checkout\/sessions\/cs_\w+$/, ["expand"]],
  [/^POST \/v1\/checkout\/sessions\/cs_\w+\/expire$/, []],
  [/^GET \/v1\/payment_intents$/, ["created", "expand", "limit", "starting_after"]],
  [/^GET \/v1\/payment_intents\/search$/, ["expand", "limit", "page", "query"]],
  [/^GET \/v1\/payment_intents\/pi_\w+$/, ["expand"]],
  [/^POST \/v1\/payment_intents\/\w+\/(?:confirm|capture)$/, []],
  [/^POST \/v1\/payment_intents\/\w+\/cancel$/, ["cancellation_reason"]],
  [/^POST \/v1\/refunds$/, ["amount", "metadata", "payment_intent"]],
  [/^GET \/v1\/disputes\/du_\w+$/, ["expand"]],
  [/^GET \/v1\/disputes$/, ["expand", "limit", "payment_intent"]],
  [/^GET \/v1\/refunds$/, ["limit", "payment_intent", "starting_after"]],
  [/^GET \/v1\/balance_transactions$/, ["created", "expand", "limit", "starting_after"]],
];

export class StripeDouble {
  readonly ledger: StripeLedger;
  readonly pages: StripePagesDouble;
  readonly events = new StripeEvents();
  /** Every call in order: method and path. */
  readonly calls: string[] = [];
  /** Answers the next list with a 500. */
  failsNextList = false;
  readonly #keys = new Map<string, Stored>();
  /** Intent or payment, and call → how often its fault has happened. */
  readonly #done = new Map<string, number>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  private constructor(now: () => number) {
    this.ledger = new StripeLedger(now);
    this.pages = new StripePagesDouble(this.ledger, () => this.url);
  }

  /** Starts on a free port. `now`: epoch milliseconds. */
  static async start(now: () => number = Date.now): Promise<StripeDouble> {
    const double = new StripeDouble(now);
    await new Promise<void>((resolve) => double.#server.listen(0, "127.0.0.1", resolve));
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends a refund, which may have succeeded before, and says so. */
  async endRefund(refund: Stripe.Refund, status: "succeeded" | "failed"): Promise<void> {
    this.ledger.endRefund(refund, status);
    await this.events.send(status === "failed" ? "refund.failed" : "refund.updated", refund);
  }

  /** A dispute begins or ends, and Stripe says so. */
  async dispute(intent: Stripe.PaymentIntent, status: Stripe.Dispute["status"]): Promise<void> {
    const dispute = this.ledger.dispute(intent, status);
    const kind = status === "won" || status === "lost" ? "closed" : "created";
    await this.events.send(`charge.dispute.${kind}`, dispute);
  }

  /** Forgets all keys, as Stripe does after a day. */
  forgetKeys(): void {
    this.#keys.clear();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "", "http://double");
    let text = url.search.slice(1);
    if (incoming.method === "POST") {
      text = "";
      for await (const chunk of incoming) text += chunk;
    }
    if (await this.pages.serve(incoming, response, text)) return;
    const key = incoming.headers["idempotency-key"];
    const method = incoming.method ?? "";
    const request = {
      ...{ method, path: url.pathname, form: formOf(text) },
      key: typeof key === "string" ? key : null,
    };
    this.calls.push(`${method} ${url.pathname}`);
    const send = ({ status, body }: Reply, isReplayed = false) => {
      response.writeHead(status, {
        "content-type": "application/json",
        ...(isReplayed && { "idempotent-replayed": "true" }),
      });
      response.end(JSON.stringify(body));
    };
    const refusal = headRefusal(incoming) ?? parameterRefusal(request);
    if (refusal) return send(refusal);
    const fingerprint = `${method} ${url.pathname} ${text}`;
    const stored = request.key === null ? undefined : this.#keys.get(request.key);
    if (stored?.reply && stored.fingerprint !== fingerprint)
      return send(error(400, "idempotency_error", "idempotency_key_reused"));
    const fault = this.#faultOf(request);
    if (stored && fault === "lose") return void incoming.socket.destroy();
    if (stored?.reply) return send(stored.reply, true);
    if (stored) return send(error(409, "invalid_request_error", "idempotency_key_in_use"));
    if (fault === "lock") return send(error(409, "invalid_request_error", "lock_timeout"));
    if (fault === "throttle") return send(error(429, "invalid_request_error", "rate_limit"));
    if (fault === "hang") return;
    if (fault === "close") return void incoming.socket.destroy();
    const own: Stored = { fingerprint, reply: null };
    if (request.key !== null) this.#keys.set(request.key, own);
    if (fault === "slow") await Bun.sleep(SLOW_MS);
    const reply = this.#replyTo(request, fault);
    own.reply = reply;
    await this.#announce(request);
    // Refused parameters are not stored.
    if (reply.status === 400 && request.key !== null) this.#keys.delete(request.key);
    if (fault === "mute") return;
    if (fault === "lose") return void incoming.socket.destroy();
    send(reply);
  }

  /**
   * The fault of this call. Each happens once, but slow cards stay slow, and a connection is closed
   * twice: the library repeats a call by itself when its connection was closed.
   */
  #faultOf({ method, path, form }: Request): Fault | null {
    if (method !== "POST") return null;
    const [, , , ref = "", action = ""] = path.split("/");
    const isRefund = path === "/v1/refunds";
    const intent = this.ledger.intents.get(isRefund ? textIn(form, "payment_intent") : ref);
    const ofIntent = ref === "" ? "create" : ((action || "update") as CallName);
    const call = isRefund ? "refund" : ofIntent;
    const card = String(intent?.payment_method ?? textIn(form, "payment_method"));
    if (card === "pm_double_slow") return "slow";
    const [, fault, at] = /^pm_double_(\w+)_at_(\w+)$/.exec(card) ?? [];
    const which = `${intent?.id ?? textIn(form, "metadata", "payment_id")} ${call}`;
    const times = this.#done.get(which) ?? 0;
    if (at !== call || times >= (fault === "close" || fault === "lose" ? 2 : 1)) return null;
    this.#done.set(which, times + 1);
    return fault as Fault;
  }

  /** Sends the event of a call before its answer. */
  async #announce({ method, path }: Request): Promise<void> {
    const intent = this.ledger.intents.get(path.split("/")[3] ?? "");
    const type = intent && EVENTS[intent.status];
    if (method === "POST" && type) await this.events.send(type, intent);
  }

  #replyTo(request: Request, fault: Fault | null): Reply {
    const broken = error(500, "api_error", "internal");
    if (fault === "fail") return broken;
    try {
      const body = request.method === "GET" ? this.#read(request) : this.#write(request);
      return fault === "break" ? broken : { status: 200, body: structuredClone(body) };
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      return { status: thrown.status, body: thrown.body };
    }
  }

  #write({ path, form }: Request): object {
    const { ledger } = this;
    const [, , resource, ref = "", action, last] = path.split("/");
    if (resource === "checkout") return last ? this.pages.expire(action!) : this.pages.create(form);
    const metadata = textsIn(form, "metadata");
    const amount = Number(textIn(form, "amount"));
    if (resource === "refunds") {
      return ledger.refund(ledger.intent(textIn(form, "payment_intent")), amount, metadata);
    }
    if (ref === "") {
      const token = textIn(form, "payment_method_data", "card", "token");
      const method = textIn(form, "payment_method") || token;
      return ledger.create({ amount, currency: textIn(form, "currency"), metadata }, method);
    }
    const intent = ledger.intent(ref);
    if (action === undefined) Object.assign(intent.metadata, metadata);
    else if (action === "confirm") ledger.confirm(intent);
    else if (action === "capture") ledger.capture(intent);
    else ledger.cancel(intent, textIn(form, "cancellation_reason"));
    return intent;
  }

  #read({ path, form }: Request): object {
    const { ledger } = this;
    const [, , resource, ref, id = ""] = path.split("/");
    const expands = (member: string) => Object.values(textsIn(form, "expand")).includes(member);
    if (resource === "checkout") return this.pages.read(id, expands("payment_intent"));
    if (resource === "disputes" && ref) return this.#dispute(ref, expands("payment_intent"));
    if (ref === "search") return this.#found(textIn(form, "query"), path);
    if (ref) return this.#whole(ledger.intent(ref), expands("latest_charge"));
    if (this.failsNextList) {
      this.failsNextList = false;
      throw new Refused(500, { type: "api_error" });
    }
    if (resource === "payment_intents") {
      const whole = (intent: Stripe.PaymentIntent) =>
        this.#whole(intent, expands("data.latest_charge"));
      return pageOf(ledger.intents, path, form, whole);
    }
    const of = textIn(form, "payment_intent");
    if (resource === "disputes") {
      const some = [...ledger.disputes].filter(([, each]) => each.payment_intent === of);
      const show = ({ id }: Stripe.Dispute) => this.#dispute(id, expands("data.payment_intent"));
      return pageOf(new Map(some), path, form, show);
    }
    if (resource === "refunds") {
      const some = [...ledger.refunds].filter(([, refund]) => refund.payment_intent === of);
      return pageOf(new Map(some), path, form, (refund) => refund);
    }
    return pageOf(ledger.movements, path, form, (movement) => {
      const id = String(movement.source);
      const { refunds, charges, disputes } = ledger;
      const source = refunds.get(id) ?? disputes.get(id) ?? charges.get(id) ?? id;
      return { ...movement, source: expands("data.source") ? source : id };
    });
  }

  #dispute(id: string, isExpanded: boolean): Stripe.Dispute {
    const dispute = this.ledger.disputes.get(id);
    if (!dispute) throw new Refused(404, { code: "resource_missing" });
    const payment_intent = this.ledger.intent(String(dispute.payment_intent));
    return isExpanded ? { ...dispute, payment_intent } : dispute;
  }

  /** A search by one member of `metadata`. */
  #found(query: string, url: string): object {
    const [, name = "", value] = /^metadata\["(\w+)"\]:"([^"]*)"$/.exec(query) ?? [];
    const found = [...this.ledger.intents.values()].filter((it) => it.metadata[name] === value);
    const data = found.map((intent) => this.#whole(intent, true));
    return { object: "search_result", url, has_more: false, next_page: null, data };
  }

  #whole(intent: Stripe.PaymentIntent, isExpanded: boolean): Stripe.PaymentIntent {
    if (!isExpanded || intent.latest_charge === null) return intent;
    return { ...intent, latest_charge: this.ledger.chargeOf(intent) };
  }
}

function error(status: number, type: Refused["body"]["error"]["type"], code: string): Reply {
  return new Refused(status, { type, code }) satisfies Reply;
}

function headRefusal({ headers }: IncomingMessage): Reply | null {
  if (headers.authorization !== `Bearer ${DOUBLE_KEY}`) {
    return error(401, "invalid_request_error", "api_key_invalid");
  }
  const isKnown = headers["stripe-version"] === VERSION;
  return isKnown ? null : error(400, "invalid_request_error", "version_unknown");
}

function parameterRefusal({ method, path, form }: Request): Reply | null {
  const [, known] = PARAMETERS.find(([route]) => route.test(`${method} ${path}`)) ?? [];
  if (!known) return error(404, "invalid_request_error", "url_unknown");
  const isKnown = Object.keys(form).every((name) => known.includes(name));
  return isKnown ? null : error(400, "invalid_request_error", "parameter_unknown");
}

/** A page of a list, newest first. */
function pageOf<T extends { readonly id: string; readonly created: number }>(
  all: ReadonlyMap<string, T>,
  url: string,
  form: Form,
  show: (item: T) => object,
): object {
  const sinceS = Number(textIn(form, "created", "gte") || 0);
  const limit = Number(textIn(form, "limit") || 10);
  const after = textIn(form, "starting_after");
  const ids = [...all.keys()];
  const data: T[] = [];
  for (let at = (after === "" ? ids.length : ids.indexOf(after)) - 1; at >= 0; at -= 1) {
    const item = all.get(ids[at]!)!;
    if (item.created < sinceS || data.length > limit) break;
    data.push(item);
  }
  const has_more = data.length > limit;
  return { object: "list", url, has_more, data: data.slice(0, limit).map(show) };
}
