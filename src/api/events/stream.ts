/**
 * A tenant's events as `text/event-stream` (WHATWG HTML, server-sent events). Backpressure: the
 * next page is read when the previous one is sent, so a slow reader costs one page, and a stalled
 * one loses its stream. The stream ends with its credential.
 */
import type { PublicEvent } from "../../../engine/core/public-events.ts";
import type { Principal } from "../../access/control/principal.ts";
import { admittedStill } from "../../http/admission.ts";
import type { Verbatim } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { damageRefusal } from "../../http/damage-refusals.ts";
import { headSeqOf } from "../as-of.ts";
import { filterOf } from "./parameters.ts";
import { type EventsAsked, readEvents } from "./reader.ts";
import { shownTo } from "./shown.ts";

export interface StreamTerms {
  /** Proxies and this server end connections that are silent for a minute. */
  readonly heartbeatMs: number;
  /** How long a revoked credential can still read. */
  readonly lookEveryMs: number;
  /** A reader that reads nothing for so long is disconnected. */
  readonly stalledMs: number;
}

const TERMS: StreamTerms = { heartbeatMs: 15_000, lookEveryMs: 1_000, stalledMs: 60_000 };
const PAGE_EVENTS = 100;
/** Reconnection delay of browsers. */
const RETRY_MS = 2_000;

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  // Keeps proxies from buffering the stream.
  "x-accel-buffering": "no",
} as const;

const ENCODER = new TextEncoder();

function frameOf(event: PublicEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

class EventStream {
  readonly #call: Call;
  readonly #terms: StreamTerms;
  readonly #leave: () => void;
  readonly #end = new AbortController();
  readonly #timer: Timer;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #principal: Principal;
  /** Number of the last event covered, and of the last event sent. */
  #asked: EventsAsked;
  #lastSent: number;
  #isPulling = false;
  #sentAtMs = performance.now();

  constructor(call: Call, asked: EventsAsked, leave: () => void, terms: StreamTerms) {
    this.#call = call;
    this.#terms = terms;
    this.#asked = { ...asked, limit: PAGE_EVENTS };
    this.#lastSent = asked.afterSeq;
    this.#principal = call.principal;
    this.#leave = leave;
    this.#timer = setInterval(() => {
      this.#look().catch((error) => this.#broke(error));
    }, terms.lookEveryMs);
    call.request.signal.addEventListener("abort", () => this.#close());
  }

  get body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          controller.enqueue(ENCODER.encode(this.#metadata()));
        },
        pull: () => this.#pull(),
        cancel: () => this.#close(),
      },
      { highWaterMark: 1 },
    );
  }

  /** The history of the numbers: a reader with another one must start again. */
  #metadata(): string {
    const { historyId: journal_id, replica } = this.#call.context;
    const { realm, afterSeq: after_seq } = this.#asked;
    const head_seq = headSeqOf(replica, realm);
    const data = JSON.stringify({ journal_id, ...realm, after_seq, head_seq });
    return `retry: ${RETRY_MS}\n\nevent: metadata\ndata: ${data}\n\n`;
  }

  async #pull(): Promise<void> {
    this.#isPulling = true;
    try {
      const text = await this.#next();
      if (text === null) this.#close();
      else if (!this.#end.signal.aborted) this.#controller?.enqueue(ENCODER.encode(text));
    } catch (error) {
      this.#broke(error);
    } finally {
      this.#isPulling = false;
      this.#sentAtMs = performance.now();
    }
  }

  #broke(error: unknown): void {
    const { context, traceId: trace_id } = this.#call;
    if (!damageRefusal(error, context)) {
      context.log.error("event stream interrupted", { trace_id, error });
    }
    this.#close();
  }

  /** The next events, or a keep-alive; null at the end. */
  async #next(): Promise<string | null> {
    const { context } = this.#call;
    const { replica, listeners } = context;
    const { realm } = this.#asked;
    const untilMs = performance.now() + this.#terms.heartbeatMs;
    while (!this.#isOver) {
      const found = await readEvents(replica, this.#asked);
      this.#asked = { ...this.#asked, afterSeq: found.lastSeq };
      if (this.#isOver) return null;
      if (found.items.length > 0) {
        const events = shownTo(this.#principal, context, found.items, this.#lastSent);
        this.#lastSent = events.at(-1)!.seq;
        return events.map(frameOf).join("");
      }
      const isNew = () => headSeqOf(replica, realm) > this.#asked.afterSeq;
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) return ":\n\n";
      await listeners.until(isNew, leftMs, this.#end.signal);
    }
    return null;
  }

  get #isOver(): boolean {
    return this.#end.signal.aborted || this.#call.context.listeners.isEnding;
  }

  get #isStalled(): boolean {
    return !this.#isPulling && performance.now() - this.#sentAtMs > this.#terms.stalledMs;
  }

  /** Ends the stream without rights; otherwise refreshes the rights. */
  async #look(): Promise<void> {
    if (this.#isOver || this.#isStalled) return this.#close();
    const known = await admittedStill(this.#call);
    if (!known.ok || this.#isOver) return this.#close();
    const { principal } = known;
    this.#principal = principal;
    const { query } = this.#call;
    this.#asked = { ...this.#asked, filter: filterOf({ query, principal }) };
  }

  #close(): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    clearInterval(this.#timer);
    this.#leave();
    try {
      this.#controller?.close();
    } catch {
      // Already cancelled by the reader.
    }
  }
}

/** Follows the events from `asked.afterSeq` on; calls `leave` at the end. */
export function streamOf(
  call: Call,
  asked: EventsAsked,
  leave: () => void,
  terms: StreamTerms = TERMS,
): Verbatim {
  const { body } = new EventStream(call, asked, leave, terms);
  return { ok: true, status: 200, headers: { ...HEADERS, "x-trace-id": call.traceId }, body };
}
