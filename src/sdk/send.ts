/**
 * One call, tried until the service has answered it for good. Every call of the SDK is safe to
 * repeat: it reads, or it carries an idempotency key that stays the same from try to try.
 */
import { InnkeepError, NoAnswerError } from "./errors.ts";
import type { ErrorEnvelope, NextAction, Receipt } from "./types.ts";

/** What the service answered. */
export interface Answer<T> {
  readonly data: T;
  /** What can be called next, ready for `follow`. */
  readonly nextActions: readonly NextAction[];
  /** Cite it to the operator; empty for a public document, which has none. */
  readonly traceId: string;
  /** When a quote or hold ends. */
  readonly expiresAt: string | null;
  /** Signed proof, where the call made one. */
  readonly receipt: Receipt | null;
  /** True when it is the stored answer of an earlier call with the same key. */
  readonly isReplay: boolean;
}

/** How long and how often to try. */
export interface Patience {
  /** The whole call with all its tries, milliseconds. */
  readonly deadlineMs: number;
  /** One try, milliseconds. */
  readonly tryMs: number;
  readonly triesMax: number;
}

/** A request as it is sent at every try. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  /** Checked by their class: one that cannot be sent is no answer to wait for. */
  readonly headers: Headers;
  readonly body: string | null;
  readonly idempotencyKey: string | null;
  readonly signal: AbortSignal | null;
  /** A public document will do, which is as it is: JSON in no envelope, or a text. */
  readonly takesDocument: boolean;
}

interface Envelope {
  readonly data: unknown;
  readonly trace_id: string;
  readonly next_actions: readonly NextAction[];
  readonly expires_at?: string;
  readonly receipt?: Receipt;
}

const FIRST_WAIT_MS = 200;
const WAIT_MAX_MS = 10_000;
/** Timers of more fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** A try that brought no answer for good: why, and what the service said about waiting. */
interface Failed {
  readonly error: unknown;
  readonly waitMs: number | null;
}

/** The answer. Throws `InnkeepError`, `NoAnswerError`, or the reason of `signal`. */
export async function send<T>(
  fetch: typeof globalThis.fetch,
  sent: Sent,
  patience: Patience,
): Promise<Answer<T>> {
  const endMs = performance.now() + patience.deadlineMs;
  for (let nth = 1; ; nth += 1) {
    sent.signal?.throwIfAborted();
    const leftMs = endMs - performance.now();
    const found = await attempt<T>(fetch, sent, Math.min(patience.tryMs, leftMs));
    if ("data" in found) return found;
    sent.signal?.throwIfAborted();
    const waitMs = found.waitMs === null ? backoffMs(nth) : found.waitMs + Math.random() * 250;
    if (nth >= patience.triesMax || performance.now() + waitMs >= endMs) {
      if (found.error instanceof InnkeepError) throw found.error;
      throw new NoAnswerError(sent, nth, found.error);
    }
    await pause(waitMs, sent.signal);
  }
}

/** Anything up to twice as long each time, so that callers who failed together part. */
function backoffMs(nth: number): number {
  const mostMs = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** (nth - 1));
  return mostMs / 2 + (Math.random() * mostMs) / 2;
}

async function attempt<T>(
  fetch: typeof globalThis.fetch,
  sent: Sent,
  limitMs: number,
): Promise<Answer<T> | Failed> {
  const { method, url, headers, body, signal } = sent;
  const own = new AbortController();
  const abort = () => own.abort(new Error(`nothing came within ${Math.ceil(limitMs)} ms`));
  const timer = setTimeout(abort, Math.min(limitMs, TIMER_MAX_MS));
  signal?.addEventListener("abort", abort);
  try {
    // A redirect would carry the key elsewhere, and a POST that becomes a GET does something else.
    const init = { method, headers, body, signal: own.signal, redirect: "error" } as const;
    const response = await fetch(url, init);
    return read<T>(response, await response.text(), sent);
  } catch (error) {
    if (error instanceof InnkeepError) throw error;
    return { error, waitMs: null };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function read<T>(response: Response, text: string, sent: Sent): Answer<T> | Failed {
  const { status, headers } = response;
  const json = jsonOf(text);
  const envelope = json as Partial<Envelope & ErrorEnvelope> | null | undefined;
  if (response.ok && envelope?.trace_id !== undefined) {
    return {
      data: envelope.data as T,
      nextActions: envelope.next_actions ?? [],
      traceId: envelope.trace_id,
      expiresAt: envelope.expires_at ?? null,
      receipt: envelope.receipt ?? null,
      isReplay: headers.get("idempotent-replayed") === "true",
    };
  }
  if (response.ok && sent.takesDocument) {
    const isJson = /[/+]json\b/.test(headers.get("content-type") ?? "");
    if (!isJson || json !== undefined) return documentOf<T>(isJson ? json : text);
  }
  const waitMs = retryAfterMs(headers);
  if (typeof envelope?.error?.code !== "string") {
    return { error: new Error(`status ${status} without an answer of the service`), waitMs };
  }
  const error = new InnkeepError(status, envelope.error, sent.idempotencyKey);
  // What waiting mends says for how long: the service knows, the status does not.
  if (error.retryAfter === null) throw error;
  return { error, waitMs };
}

function documentOf<T>(content: unknown): Answer<T> {
  const nothing = { nextActions: [], traceId: "", expiresAt: null, receipt: null };
  return { data: content as T, ...nothing, isReplay: false };
}

function retryAfterMs(headers: Headers): number | null {
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : null;
}

/** Undefined when it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pause(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
