/**
 * Events as Stripe sends them: signed, each twice, and the second time after a later one. The
 * signature is made here, so that the check of the library has something to be compared with.
 */
import { createHmac } from "node:crypto";

export interface EventTarget {
  readonly url: string;
  readonly secret: string;
}

/** The header `Stripe-Signature` of a body. */
export function signatureOf(body: string, secret: string, nowMs = Date.now()): string {
  const timestamp = Math.floor(nowMs / 1_000);
  const digest = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return `t=${timestamp},v1=${digest}`;
}

/** The body of an event. */
export function eventBody(type: string, object: object, id = "evt_1"): string {
  const request = { id: null, idempotency_key: null };
  return JSON.stringify({
    ...{ id, object: "event", type, data: { object }, api_version: "2026-10-28.endive" },
    ...{ created: 1_800_000_000, livemode: false, pending_webhooks: 1, request },
  });
}

export class StripeEvents {
  /** Null sends nothing. */
  target: EventTarget | null = null;
  /** Status of every answer. */
  readonly statuses: number[] = [];
  #before: string | null = null;
  #lastId = 0;

  /** Sends an event, then the one before it again; resolves with the answers. */
  async send(type: string, object: object): Promise<void> {
    if (this.target === null) return;
    this.#lastId += 1;
    const body = eventBody(type, object, `evt_${this.#lastId}`);
    await this.#post(body, this.target);
    if (this.#before !== null) await this.#post(this.#before, this.target);
    this.#before = body;
  }

  async #post(body: string, { url, secret }: EventTarget): Promise<void> {
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": signatureOf(body, secret),
    };
    const response = await fetch(url, { method: "POST", headers, body });
    this.statuses.push(response.status);
  }
}
