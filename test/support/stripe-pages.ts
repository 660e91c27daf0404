/**
 * Stripe's hosted pages: sessions as the API shows them, and the page that a person sees. The page
 * is served by the double itself; its buttons are cards.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type Stripe from "stripe";
import { type Form, textIn, textsIn } from "./stripe-form.ts";
import { Refused, type StripeLedger } from "./stripe-ledger.ts";

/** The members that the service may read. */
type Session = Pick<Stripe.Checkout.Session, "id" | "status" | "url" | "amount_total"> & {
  payment_intent: string | null;
};

interface Kept {
  readonly session: Session;
  readonly metadata: Stripe.Metadata;
  readonly currency: string;
  readonly back: { readonly success: string; readonly cancel: string };
}

const PATH = /^\/c\/pay\/(cs_\d+)$/;

export class StripePagesDouble {
  /** Answers the next request for a page with a 500. */
  failsNext = false;
  /** Answers the next request to end a page with a 500. */
  failsNextEnd = false;
  readonly #ledger: StripeLedger;
  readonly #url: () => string;
  readonly #kept = new Map<string, Kept>();

  constructor(ledger: StripeLedger, url: () => string) {
    this.#ledger = ledger;
    this.#url = url;
  }

  get all(): readonly Session[] {
    return [...this.#kept.values()].map(({ session }) => session);
  }

  /** `POST /v1/checkout/sessions`. */
  create(form: Form): object {
    if (this.failsNext) {
      this.failsNext = false;
      throw new Refused(500, { type: "api_error" });
    }
    const manual = textIn(form, "payment_intent_data", "capture_method");
    if (textIn(form, "mode") !== "payment" || manual !== "manual") {
      throw new Refused(400, { param: "mode" });
    }
    const price = ["line_items", "0", "price_data"] as const;
    const amount = Number(textIn(form, ...price, "unit_amount"));
    const name = textIn(form, ...price, "product_data", "name");
    if (!Number.isSafeInteger(amount) || amount < 50 || name === "") {
      throw new Refused(400, { code: "amount_too_small", param: "line_items" });
    }
    const id = `cs_${String(this.#kept.size + 1).padStart(9, "0")}`;
    const url = `${this.#url()}/c/pay/${id}`;
    const session: Session = {
      ...{ id, status: "open", url, amount_total: amount, payment_intent: null },
    };
    const data = form.payment_intent_data as Form;
    this.#kept.set(id, {
      ...{
        session,
        metadata: textsIn(data, "metadata"),
        currency: textIn(form, ...price, "currency"),
      },
      back: { success: textIn(form, "success_url"), cancel: textIn(form, "cancel_url") },
    });
    return session;
  }

  /** `GET /v1/checkout/sessions/<id>`. */
  read(id: string, isExpanded: boolean): object {
    const { session } = this.#of(id);
    const { payment_intent: intent } = session;
    if (intent === null || !isExpanded) return session;
    return { ...session, payment_intent: this.#ledger.intent(intent) };
  }

  /** `POST /v1/checkout/sessions/<id>/expire`. */
  expire(id: string): object {
    const { session } = this.#of(id);
    if (this.failsNextEnd) {
      this.failsNextEnd = false;
      throw new Refused(500, { type: "api_error" });
    }
    if (session.status !== "open") throw new Refused(400, { code: "resource_missing" });
    session.status = "expired";
    session.url = null;
    return session;
  }

  /** A person pays on the page, by a card's name; the address that follows. */
  pay(id: string, card: string): string {
    const { session, metadata, currency, back } = this.#of(id);
    if (session.status !== "open") return back.cancel;
    const terms = { amount: session.amount_total ?? 0, currency, metadata: { ...metadata } };
    const intent = this.#ledger.create(terms, card);
    this.#ledger.confirm(intent);
    session.payment_intent = intent.id;
    session.status = "complete";
    session.url = null;
    return back.success;
  }

  /** Serves the page; false for an address that is none. */
  async serve({ method, url = "" }: IncomingMessage, response: ServerResponse, text: string) {
    const [, id] = PATH.exec(url) ?? [];
    const kept = id === undefined ? undefined : this.#kept.get(id);
    if (!kept) return false;
    if (method === "POST") {
      const location = this.pay(kept.session.id, new URLSearchParams(text).get("card") ?? "");
      response.writeHead(303, { location }).end();
      return true;
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<!doctype html><title>Card</title><form method="post"><button name="card" ` +
        `value="pm_card_visa">Pay</button></form><a href="${kept.back.cancel}">Back</a>`,
    );
    return true;
  }

  #of(id: string): Kept {
    const kept = this.#kept.get(id);
    if (!kept) throw new Refused(404, { code: "resource_missing", param: "session" });
    return kept;
  }
}
