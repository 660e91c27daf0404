/** An answer as `text/event-stream` (WHATWG HTML, server-sent events). */
import type { Success, Verbatim } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;

/** True when the caller accepts events. */
export function wantsStream({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/event-stream") ?? false;
}

/**
 * The events of an answer: `delta` for each line, then `session` with the envelope. Nothing is sent
 * before the answer is known to be grounded.
 */
export function answerStream({ traceId }: Call, success: Success): Verbatim {
  const { data, actions = [], expires_at, isReplayed } = success;
  const trace_id = success.trace_id ?? traceId;
  const { messages } = data as { readonly messages: readonly { readonly message: string }[] };
  const lines = messages.at(-1)!.message.split("\n");
  const envelope = { data, trace_id, next_actions: actions, expires_at };
  const events = [...lines.map((text) => frame("delta", { text })), frame("session", envelope)];
  const replayed = isReplayed ? { "idempotent-replayed": "true" } : {};
  const headers = { ...HEADERS, "x-trace-id": trace_id, ...replayed };
  return { ok: true, status: 200, headers, body: events.join("") };
}

function frame(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
