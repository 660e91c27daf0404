/** A webhook receiver for development: verifies, reports, and answers as configured. */
import { verifyWebhook, WebhookError } from "../../sdk/webhook.ts";

export interface ListenTerms {
  readonly port: number;
  readonly host: string;
  /** Of the endpoint; null disables verification. */
  readonly secret: string | null;
  /** Answer to the first `first` deliveries; the others get 204. */
  readonly status: number;
  readonly delayMs: number;
  readonly first: number;
}

/** The members of an event that a receiver needs. */
interface Event {
  readonly type?: unknown;
  readonly seq?: unknown;
  readonly prev_seq?: unknown;
  readonly subject?: { readonly type?: unknown; readonly id?: unknown };
  readonly data?: unknown;
}

export interface ReceivedDelivery {
  readonly received_at: string;
  readonly webhook_id: string | null;
  /** Null without a secret. */
  readonly is_verified: boolean | null;
  /** Why verification failed. */
  readonly fault: string | null;
  readonly is_repeated: boolean;
  /** Set when events between the last one and this one's predecessor are missing so far. */
  readonly missing_after_seq: number | null;
  readonly answered: number;
  readonly event: Event | null;
}

/** More than ten times the largest event. */
const BODY_BYTES_MAX = 256 * 1024;

function parsed(body: string): Event | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}

/** Why verification fails, or null when the webhook is genuine. */
async function faultOf(headers: Headers, body: string, secret: string): Promise<string | null> {
  try {
    await verifyWebhook(headers, body, secret);
  } catch (error) {
    // A genuine delivery need not be JSON.
    if (error instanceof WebhookError) return error.message;
  }
  return null;
}

/** Checks `webhook-id` and `prev_seq` as a consumer should. */
class Seen {
  readonly #ids = new Set<string>();
  #lastSeq: number | null = null;

  note(id: string | null, event: Event | null) {
    const isRepeated = id !== null && this.#ids.has(id);
    if (id !== null) this.#ids.add(id);
    const { seq, prev_seq: previous } = event ?? {};
    const last = this.#lastSeq;
    // Pings have no seq.
    if (typeof seq !== "number" || typeof previous !== "number") {
      return { is_repeated: isRepeated, missing_after_seq: null };
    }
    this.#lastSeq = Math.max(seq, last ?? 0);
    const isGap = last !== null && previous > last;
    return { is_repeated: isRepeated, missing_after_seq: isGap ? last : null };
  }
}

/** Listens until stopped; calls `onDelivery` before it answers. */
export function listen(
  terms: ListenTerms,
  onDelivery: (delivery: ReceivedDelivery) => void,
): Bun.Server<undefined> {
  const seen = new Seen();
  let received = 0;
  const receive = async (request: Request): Promise<Response> => {
    const body = await request.text();
    const { headers } = request;
    const id = headers.get("webhook-id");
    const fault = terms.secret && (await faultOf(headers, body, terms.secret));
    received += 1;
    const asked = received <= terms.first ? terms.status : 204;
    const answered = fault === null ? asked : 401;
    const event = parsed(body);
    onDelivery({
      received_at: new Date().toISOString(),
      webhook_id: id,
      is_verified: terms.secret === null ? null : fault === null,
      fault,
      // A forged delivery must not change what counts as seen.
      ...(fault === null ? seen.note(id, event) : { is_repeated: false, missing_after_seq: null }),
      answered,
      event,
    });
    if (received <= terms.first && terms.delayMs > 0) await Bun.sleep(terms.delayMs);
    return new Response(null, { status: answered });
  };
  return Bun.serve({
    port: terms.port,
    hostname: terms.host,
    maxRequestBodySize: BODY_BYTES_MAX,
    idleTimeout: 0,
    fetch: (request) => {
      if (request.method === "POST") return receive(request);
      return new Response("This is a webhook receiver: send a POST.\n");
    },
  });
}
