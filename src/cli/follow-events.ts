/**
 * A tenant's events one after another, for as long as it is wanted: a stream that breaks off is
 * taken up where it was, and what a guide asks of consumers is watched over.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { PublicEvent } from "../../engine/core/public-events.ts";
import type { ApiClient } from "./api-client.ts";
import { ApiRefused, CommandFailed } from "./failures.ts";
import { framesOf } from "./server-sent.ts";

/** A stream shows every 15 s that it lives. */
const SILENT_MS = 45_000;
const AGAIN_MS = 1_000;
const AGAIN_MS_MAX = 30_000;
/** Passing: the stream is worth another try. */
const PASSING: readonly string[] = ["rate_limited", "upstream_unavailable", "internal_error"];

export interface Following {
  readonly api: ApiClient;
  readonly signal: AbortSignal;
  /** Query of the stream without `after_seq`. */
  readonly filter: string;
  readonly afterSeq: number;
  /** Which history `afterSeq` is of. */
  readonly journalId: string;
  /** Told when a stream broke off, before it is taken up again. */
  readonly brokeOff: (why: string) => void;
}

/**
 * @throws CommandFailed when the history is another one, an event is missing, or the service
 * refuses for good.
 */
export async function* followEvents(following: Following): AsyncGenerator<PublicEvent> {
  const { signal, journalId, brokeOff } = following;
  let at = following.afterSeq;
  let againMs = AGAIN_MS;
  while (!signal.aborted) {
    try {
      for await (const { event, data } of framesFrom(following, at)) {
        againMs = AGAIN_MS;
        const told = JSON.parse(data);
        if (event === "metadata") {
          if (told.journal_id !== journalId) throw otherHistory(told.journal_id);
          continue;
        }
        const { seq, prev_seq } = told as PublicEvent;
        if (prev_seq !== at) throw new CommandFailed(`events between ${at} and ${seq} are missing`);
        at = seq;
        yield told;
      }
      if (!signal.aborted) brokeOff("the stream has ended");
    } catch (error) {
      if (signal.aborted) return;
      brokeOff(passingFault(error));
    }
    await pause(againMs, undefined, { signal }).catch(() => {});
    againMs = Math.min(2 * againMs, AGAIN_MS_MAX);
  }
}

/** The frames of one stream; it is given up when it is silent for too long. */
async function* framesFrom({ api, signal, filter }: Following, at: number) {
  const silence = new AbortController();
  const query = new URLSearchParams(filter);
  query.set("after_seq", String(at));
  const headers = { accept: "text/event-stream", "last-event-id": String(at) };
  const { body } = await api.open(`/v1/admin/events?${query}`, headers);
  if (!body) return;
  const source = body.pipeThrough(new TransformStream(), {
    signal: AbortSignal.any([signal, silence.signal]),
  });
  let timer = setTimeout(() => silence.abort(), SILENT_MS);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENT_MS);
  };
  try {
    yield* framesOf(source, heard);
  } finally {
    clearTimeout(timer);
  }
}

function otherHistory(journalId: string): CommandFailed {
  return new CommandFailed(
    `the history is another one (journal_id ${journalId}): the service went on from a back-up or ` +
      "without rows that were lost; /docs/guides/following-events says what to do",
  );
}

/** What is worth another try, in words; throws what is not. */
function passingFault(error: unknown): string {
  if (error instanceof ApiRefused) {
    if (PASSING.includes(error.error.code)) return error.error.code;
    throw error;
  }
  // Nobody answers: a service that is started anew will.
  if (error instanceof CommandFailed && error.cause === undefined) throw error;
  return error instanceof Error ? error.message : String(error);
}
