/** Questions about a property and their answers: `/v1/advisor/sessions`. */
import { MESSAGES_MAX, MESSAGES_PER_MINUTE, SESSIONS_MAX } from "../../advisor/sessions.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import {
  describedAs,
  describedInShort,
  EmptyBody,
  idOf,
  text,
} from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { pathId } from "../parameters.ts";
import { EXAMPLE } from "../tool-arguments.ts";
import { livePropertyOf, propertyOf } from "../visible.ts";
import { ask } from "./ask.ts";
import { sessionOf, sessionWrite } from "./records.ts";
import { MessageBody, SessionBody, type SessionRequestBody } from "./requests.ts";
import { AdvisorSession, AnswerStream } from "./responses.ts";
import { deletedAnswer, SESSIONS, sessionAnswer } from "./views.ts";

const ACCESS = {
  kinds: ["agent", "operator", "service", "partner"],
  scope: "supply:read",
  touches: "properties",
} as const;

function create(call: Call<SessionRequestBody>): Success | Refusal {
  const { context, principal, body } = call;
  const { tenant_id, mode, agent_id } = principal;
  const outcome = sessionWrite(call, () => {
    const property = livePropertyOf(call, body.property_slug);
    if ("code" in property) return { outcome: property };
    const nowMs = context.engineNow();
    if (context.advisor.count(principal, nowMs) >= SESSIONS_MAX) {
      const detail = { policy: "advisor_sessions", limit: SESSIONS_MAX };
      return { outcome: refuse("rate_limited", detail, { retry_after: 60 }) };
    }
    const { id, slug, name } = property.tree;
    const session = context.advisor.create({
      ...{ tenant_id, mode, agent_id },
      ...{ property_id: id, property_slug: slug, property_name: name },
      ...{ locale: body.locale ?? null, created_at: nowMs },
    });
    return { session };
  });
  return outcome.ok ? { ...outcome, status: 201 } : outcome;
}

/** The caller's session, if the caller still has access to its property. */
function seen(call: Call<unknown, "id">) {
  const session = sessionOf(call, call.params.id);
  if ("code" in session) return session;
  const property = propertyOf(call, session.property_id);
  return "code" in property ? property : session;
}

function show(call: Call<unknown, "id">): Success | Refusal {
  const session = seen(call);
  return "code" in session ? session : sessionAnswer(call, session);
}

function remove(call: Call<unknown, "id">): Success | Refusal {
  return sessionWrite(call, () => {
    const session = seen(call);
    if ("code" in session) return { outcome: session };
    call.context.advisor.delete(session.session_id);
    return { outcome: deletedAnswer(call, session) };
  });
}

const AT_SESSION = {
  tag: "Advisor",
  path: `${SESSIONS}/:id`,
  access: ACCESS,
  params: { id: pathId("Id of the session.") },
  readsReplica: true,
  hasUnlistedIds: true,
} as const;

export const advisorRoutes = [
  route({
    id: "create_advisor_session",
    tag: "Advisor",
    method: "POST",
    path: SESSIONS,
    summary: "Start a session of questions about a property",
    description:
      "The session belongs to the caller's agent and lives for 24 hours. `locale` is used if the " +
      "language of a message cannot be detected. An idempotency key lives as long as its " +
      `session. An agent has at most ${SESSIONS_MAX} sessions.`,
    access: ACCESS,
    key: "accepted",
    body: json(SessionBody),
    readsReplica: true,
    success: {
      ...{ status: 201, description: "The session.", data: AdvisorSession, expires: true },
    },
    errors: ["property_not_found", "resource_access_denied", "upstream_unavailable"],
    tool: {
      title: "Start asking about a hotel",
      description: "Opens a session of questions about a hotel, each asked with ask_advisor.",
      tags: ["advisor", "properties"],
      nextRel: "get",
      arguments: {
        property_slug: describedInShort(
          describedAs(text(1, 120), "a property's slug or id"),
          "slug or id",
        ),
      },
      example: { property_slug: "hotel-example-madrid", locale: "en" },
    },
    handle: create,
  }),
  route({
    ...AT_SESSION,
    id: "get_advisor_session",
    method: "GET",
    summary: "Get a session with its messages",
    description: "Only for the agent that started it.",
    success: { status: 200, description: "The session.", data: AdvisorSession, expires: true },
    errors: ["property_not_found", "resource_access_denied"],
    handle: show,
  }),
  route({
    ...AT_SESSION,
    id: "delete_advisor_session",
    method: "DELETE",
    summary: "Delete a session with its messages",
    description: "Permanently. The answer is the session without messages.",
    key: "accepted",
    body: json(EmptyBody),
    isBodyOptional: true,
    success: {
      ...{ status: 200, description: "The deleted session.", data: AdvisorSession },
      expires: true,
    },
    errors: ["property_not_found", "resource_access_denied", "upstream_unavailable"],
    handle: remove,
  }),
  route({
    ...AT_SESSION,
    id: "ask_advisor",
    method: "POST",
    path: `${SESSIONS}/:id/messages`,
    summary: "Ask about the property",
    description:
      "Answers in the language of the message (English, German, Spanish, French, Italian or " +
      "Portuguese), from published facts of the property and live offers; dates and party of " +
      "earlier messages still apply. `grounded_facts` lists the facts of the answer; unknown " +
      "facts are reported as unknown. The next actions quote its offers. With `Accept: " +
      `text/event-stream\` the answer is streamed. At most ${MESSAGES_PER_MINUTE} messages a ` +
      `minute and ${MESSAGES_MAX} in total, answers included.`,
    key: "accepted",
    body: json(MessageBody),
    renderer: "negotiated",
    success: {
      ...{ status: 200, description: "The session with both messages.", data: AdvisorSession },
      ...{ expires: true, alternatives: { "text/event-stream": AnswerStream } },
    },
    errors: [
      ...(["property_not_found", "resource_access_denied", "conflict"] as const),
      ...(["upstream_unavailable", "service_not_configured"] as const),
    ],
    tool: {
      title: "Ask about a hotel",
      description:
        "Answers a question about the hotel from facts and live prices, last in data.messages; " +
        "next_actions quote offers it names.",
      tags: ["advisor", "properties"],
      nextRel: "quote",
      pathArguments: { id: "session_id" },
      arguments: { session_id: idOf("of create_advisor_session") },
      isIdempotent: false,
      example: { session_id: EXAMPLE.session_id, message: "When can we check in?" },
    },
    handle: ask,
  }),
];
