/** Advisor sessions on the wire, with next actions. */
import { dateOf, instantIso } from "../../../engine/core/calendar.ts";
import { quoteBody, stayBody } from "../../actions/call-parts.ts";
import { action, permitted, post } from "../../actions/next-action.ts";
import type { Session, StayRequest, StoredMessage } from "../../advisor/sessions.ts";
import type { Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";

export const SESSIONS = "/v1/advisor/sessions";

function messageOut({ created_at, ...stored }: StoredMessage) {
  const { id, role, message, grounded_facts, suggestions } = stored;
  const { answered_by = null, fallback_reason = null } = stored;
  const at = instantIso(created_at);
  return {
    ...{ id, role, message, grounded_facts, suggestions, created_at: at },
    ...{ answered_by, fallback_reason },
  };
}

/** The session on the wire. */
function sessionOut(session: Session) {
  const { session_id, property_slug, property_name, created_at, messages } = session;
  return {
    ...{ session_id, property_slug, property_name },
    created_at: instantIso(created_at),
    updated_at: instantIso(messages.at(-1)?.created_at ?? created_at),
    messages: messages.map(messageOut),
  };
}

type Shown = Pick<Call, "may" | "context" | "principal">;

/** The session with quotes of the last answer's offers, a search, and its read. */
export function sessionAnswer(call: Shown, session: Session): Success {
  const { session_id, expires_at, messages } = session;
  const { quotes = [], asked } = messages.at(-1) ?? {};
  const actions = [
    ...quotes.map((request) => post("quote", "/v1/quotes", quoteBody(request))),
    post("search", "/v1/search", searchBody(call, session, asked)),
    action("get", "GET", `${SESSIONS}/${session_id}`),
  ];
  const data = sessionOut(session);
  return {
    ...{ ok: true, data, expires_at: instantIso(expires_at) },
    actions: permitted(actions, call.may),
  };
}

/** The answer for a session that is deleted with its messages. */
export function deletedAnswer(call: Shown, session: Session): Success {
  const data = sessionOut({ ...session, messages: [] });
  const search = post("search", "/v1/search", searchBody(call, session));
  const expires_at = instantIso(session.expires_at);
  return { ok: true, data, expires_at, actions: permitted([search], call.may) };
}

/** Default stay: one night for two in two weeks; the same in each replay. */
const DAYS_AHEAD = 14;
const DAY_MS = 86_400_000;

function searchBody(
  { context, principal }: Shown,
  { property_id, created_at }: Session,
  asked?: StayRequest | null,
) {
  const startedMs = created_at + context.replica.state.clockOffsetMs(principal);
  const day = Math.floor(startedMs / DAY_MS) + DAYS_AHEAD;
  const stay = { check_in: dateOf(day), check_out: dateOf(day + 1) };
  const any = { stay, guests: { adults: 2, children: [] } };
  return { destination: { type: "property", value: property_id }, ...stayBody(asked ?? any) };
}
