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
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly idempotencyKey: string | null;
  readonly signal: AbortSignal | null;
}

interface Envelope {
  readonly data: unknown;
  readonly trace_id: string;
  readonly next_actions: readonly NextAction[];
  readonly expires_at?: string;
  readonly receipt?: Receipt;
}

/** What may be otherwise a moment later. */
const PASSING: ReadonlySet<number> = new Set([429, 503, 504]);
const FIRST_WAIT_MS = 200;
const WAIT_MAX_MS = 10_000;

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
      const what = `${sent.method} ${new URL(sent.url).pathname}`;
      const { idempotencyKey } = sent;
      throw new NoAnswerError(`no answer to ${what}`, nth, idempotencyKey, found.error);
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
  { method, url, headers, body, idempotencyKey, signal }: Sent,
  limitMs: number,
): Promise<Answer<T> | Failed> {
  const own = new AbortController();
  const abort = () => own.abort();
  const timer = setTimeout(abort, limitMs);
  signal?.addEventListener("abort", abort);
  try {
    // A redirect would carry the key elsewhere, and a POST that becomes a GET does something else.
    const init = { method, headers, body, signal: own.signal, redirect: "error" } as const;
    const response = await fetch(url, init);
    return read<T>(response, await response.text(), idempotencyKey);
  } catch (error) {
    if (error instanceof InnkeepError) throw error;
    return { error, waitMs: null };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function read<T>(response: Response, text: string, key: string | null): Answer<T> | Failed {
  const { status, headers } = response;
  const envelope = jsonOf(text) as Partial<Envelope & ErrorEnvelope> | null;
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
  const isOurs = typeof envelope?.error?.code === "string";
  const error = isOurs
    ? new InnkeepError(status, envelope.error!, key)
    : new Error(`status ${status} without an answer of the service`);
  if (isOurs && !PASSING.has(status)) throw error;
  return { error, waitMs: retryAfterMs(headers) };
}

function retryAfterMs(headers: Headers): number | null {
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
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
