/** `POST /v1/advisor/sessions/{id}/messages`: a question and its answer. */
import { advise } from "../../advisor/advise.ts";
import {
  MESSAGES_MAX,
  MESSAGES_PER_MINUTE,
  type Session,
  type StoredMessage,
  secondsUntilNext,
} from "../../advisor/sessions.ts";
import { type Refusal, refuse, type Success, type Verbatim } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { KeyedMutex } from "../../lib/keyed-mutex.ts";
import { livePropertyOf } from "../visible.ts";
import { answerOf } from "./model-answer.ts";
import { recalled, sessionOf, sessionWrite } from "./records.ts";
import type { MessageRequestBody } from "./requests.ts";

type Asking = Call<MessageRequestBody, "id">;

/** Questions of one session are answered one after another. */
const turns = new KeyedMutex();

/** Answers a question and stores both. */
export async function ask(call: Asking): Promise<Success | Refusal | Verbatim> {
  const outcome = await turns.take(call.params.id, async () => recalled(call) ?? answered(call));
  return outcome.ok && wantsStream(call.request) ? answerStream(call, outcome) : outcome;
}

async function answered(call: Asking): Promise<Success | Refusal> {
  const { context, principal, body, params } = call;
  const session = openSession(call);
  if ("code" in session) return closed(call, session);
  const property = livePropertyOf(call, session.property_id);
  if ("code" in property) return closed(call, property);
  const nowMs = context.engineNow();
  const advice = advise(
    { property, agentId: principal.agent_id, nowMs: context.timeIn(principal) },
    { text: body.message, earlier: earlierIn(session), locale: session.locale },
  );
  const answered = await answerOf(call, { session, property, text: body.message }, advice);
  if ("code" in answered) return answered;
  const { suggestions, quotes, asked } = advice;
  const question = messageOf("user", { message: body.message }, nowMs);
  const answer = messageOf("assistant", { ...answered, suggestions, quotes, asked }, nowMs);
  return sessionWrite(call, () => {
    // Another process may have answered meanwhile.
    const now = openSession(call, params.id);
    if ("code" in now) return { outcome: now };
    return { session: context.advisor.append(now, [question, answer]) };
  });
}

/** A refusal under the caller's key. */
function closed(call: Asking, outcome: Refusal): Success | Refusal {
  return sessionWrite(call, () => ({ outcome }));
}

/** The caller's session if it accepts another question, or the refusal. */
function openSession(call: Asking, session_id = call.params.id): Session | Refusal {
  const session = sessionOf(call, session_id);
  if ("code" in session) return session;
  const { length } = session.messages;
  if (length + 2 > MESSAGES_MAX) {
    return refuse("conflict", { reason: "session_full", session_id, limit: MESSAGES_MAX });
  }
  const retry_after = secondsUntilNext(session, call.context.engineNow());
  if (retry_after === 0) return session;
  const detail = { policy: "advisor_messages", limit: MESSAGES_PER_MINUTE, window_s: 60 };
  return refuse("rate_limited", detail, { retry_after });
}

function earlierIn({ messages }: Session) {
  const questions = messages.filter(({ role }) => role === "user");
  return questions.map(({ message, created_at }) => ({ text: message, atMs: created_at }));
}

type NewMessage = Partial<Omit<StoredMessage, "message">> & Pick<StoredMessage, "message">;

function messageOf(
  role: StoredMessage["role"],
  message: NewMessage,
  created_at: number,
): StoredMessage {
  const id = crypto.randomUUID();
  return { id, role, grounded_facts: [], suggestions: [], ...message, created_at };
}

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;

/** True when the caller accepts events. */
function wantsStream({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/event-stream") ?? false;
}

/**
 * The events of an answer: `delta` for each line, then `session` with the envelope. Nothing is sent
 * before the answer is known to be grounded.
 */
function answerStream({ traceId }: Call, success: Success): Verbatim {
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
