/**
 * A tenant's events in order, without end: resumes interrupted streams, and checks `journal_id` and
 * `prev_seq` as the guide Following events asks of consumers.
 */
import { setTimeout as pause } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { PublicEvent } from "../../../engine/core/public-events.ts";
import type { ApiClient } from "./api-client.ts";
import { ApiRefused, CommandFailed } from "./failures.ts";

/** A stream has a heartbeat every 15 s. */
const SILENT_MS = 45_000;
/** Far more than the largest event. */
const EVENT_CHARS_MAX = 1_000_000;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 30_000;
/** Codes after which the stream is opened again. */
const RETRIED: readonly string[] = ["rate_limited", "upstream_unavailable", "internal_error"];

export interface Following {
  readonly api: ApiClient;
  readonly signal: AbortSignal;
  /** Query of the stream without `after_seq`. */
  readonly filter: string;
  readonly afterSeq: number;
  /** The history of `afterSeq`. */
  readonly journalId: string;
  /** Called when a stream ends, before it is resumed. */
  readonly onInterrupted: (why: string) => void;
}

/**
 * @throws CommandFailed for another history, a missing event, and a permanent refusal.
 */
export async function* followEvents(following: Following): AsyncGenerator<PublicEvent> {
  const { signal, journalId, onInterrupted } = following;
  let at = following.afterSeq;
  let retryMs = RETRY_MS;
  while (!signal.aborted) {
    try {
      for await (const { event, data } of framesFrom(following, at)) {
        retryMs = RETRY_MS;
        const value = JSON.parse(data);
        if (event === "metadata") {
          if (value.journal_id !== journalId) throw otherHistory(value.journal_id);
          continue;
        }
        const { seq, prev_seq } = value as PublicEvent;
        if (prev_seq !== at) throw new CommandFailed(`events between ${at} and ${seq} are missing`);
        at = seq;
        yield value;
      }
      if (!signal.aborted) onInterrupted("the stream has ended");
    } catch (error) {
      if (signal.aborted) return;
      onInterrupted(transientFault(error));
    }
    await pause(retryMs, undefined, { signal }).catch(() => {});
    retryMs = Math.min(2 * retryMs, RETRY_MS_MAX);
  }
}

/** The frames of one stream, which is closed after `SILENT_MS` without data. */
async function* framesFrom({ api, signal, filter }: Following, at: number) {
  const silence = new AbortController();
  const query = new URLSearchParams(filter);
  query.set("after_seq", String(at));
  const headers = { accept: "text/event-stream", "last-event-id": String(at) };
  const { body } = await api.open(`/v1/admin/events?${query}`, headers);
  if (!body) return;
  const timer = setTimeout(() => silence.abort(), SILENT_MS);
  const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, next) {
      timer.refresh();
      next.enqueue(chunk);
    },
  });
  try {
    yield* body
      .pipeThrough(heard, { signal: AbortSignal.any([signal, silence.signal]) })
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ maxBufferSize: EVENT_CHARS_MAX }));
  } finally {
    clearTimeout(timer);
  }
}

function otherHistory(journalId: string): CommandFailed {
  return new CommandFailed(
    `another history (journal_id ${journalId}): the service was restored from a back-up or lost ` +
      "rows; see /docs/guides/following-events",
  );
}

/** The text of a transient error; throws any other. */
function transientFault(error: unknown): string {
  if (error instanceof ApiRefused) {
    if (RETRIED.includes(error.error.code)) return error.error.code;
    throw error;
  }
  // With a cause there was no answer: the service may be restarting.
  if (error instanceof CommandFailed && error.cause === undefined) throw error;
  return error instanceof Error ? error.message : String(error);
}
