/** A receiver of webhooks for trying things out: verifies, tells, and answers as it is told to. */
import { webhookFault } from "./verify-webhook.ts";

export interface ListenTerms {
  readonly port: number;
  readonly host: string;
  /** Of the endpoint; null verifies nothing. */
  readonly secret: string | null;
  /** How the first `first` deliveries are answered, all unless said; the others get 204. */
  readonly status: number;
  readonly delayMs: number;
  readonly first: number;
}

/** What a receiver has to know of an event; the rest is for whoever it is about. */
interface Event {
  readonly type?: unknown;
  readonly seq?: unknown;
  readonly prev_seq?: unknown;
  readonly subject?: { readonly type?: unknown; readonly id?: unknown };
  readonly data?: unknown;
}

/** A delivery as it was met. */
export interface Met {
  readonly received_at: string;
  readonly webhook_id: string | null;
  /** Null without a secret. */
  readonly is_verified: boolean | null;
  /** Why it was not believed. */
  readonly fault: string | null;
  readonly is_repeated: boolean;
  /** Events between the last one seen and this one's predecessor are still to come. */
  readonly missing_after_seq: number | null;
  readonly answered: number;
  readonly event: Event | null;
}

/** No event is a tenth of this. */
const BODY_BYTES_MAX = 256 * 1024;

function parsed(body: string): Event | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}

/** Follows `webhook-id` and `prev_seq` as a consumer has to. */
class Seen {
  readonly #ids = new Set<string>();
  #lastSeq: number | null = null;

  note(id: string | null, event: Event | null) {
    const isRepeated = id !== null && this.#ids.has(id);
    if (id !== null) this.#ids.add(id);
    const { seq, prev_seq: previous } = event ?? {};
    const last = this.#lastSeq;
    // Pings have no number, and what comes late leaves no gap of its own.
    if (typeof seq !== "number" || typeof previous !== "number") {
      return { is_repeated: isRepeated, missing_after_seq: null };
    }
    this.#lastSeq = Math.max(seq, last ?? 0);
    const isGap = last !== null && previous > last;
    return { is_repeated: isRepeated, missing_after_seq: isGap ? last : null };
  }
}

/** Listens until it is stopped; every delivery goes to `tell` before it is answered. */
export function listen(terms: ListenTerms, tell: (met: Met) => void): Bun.Server<undefined> {
  const seen = new Seen();
  let received = 0;
  const meet = async (request: Request): Promise<Response> => {
    const body = await request.text();
    const { headers } = request;
    const id = headers.get("webhook-id");
    const fault = terms.secret
      ? webhookFault({ headers, body }, terms.secret, Date.now() / 1000)
      : null;
    received += 1;
    const asked = received <= terms.first ? terms.status : 204;
    const answered = fault === null ? asked : 401;
    const event = parsed(body);
    tell({
      received_at: new Date().toISOString(),
      webhook_id: id,
      is_verified: terms.secret === null ? null : fault === null,
      fault,
      // Whoever is not believed has no say in what was seen.
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
      if (request.method === "POST") return meet(request);
      return new Response("This is a receiver of webhooks: POST to it.\n");
    },
  });
}
