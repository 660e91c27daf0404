/**
 * `GET /v1/admin/events`: all events of a tenant, by page, by long poll or as a
 * stream; and the catalogue of kinds.
 */
import { action, permitted } from "../../actions/next-action.ts";
import { admittedStill } from "../../http/admission.ts";
import { type Refusal, refuse, type Success, type Verbatim } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { AS_TABLE, FORMAT } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { headSeqOf } from "../as-of.ts";
import { EVENT_EXAMPLES, KINDS, plainSchema, SCHEMAS } from "./kinds.ts";
import { askedOf, filterOf, QUERY, streamStart } from "./parameters.ts";
import { type EventsAsked, type FoundEvents, readEvents } from "./reader.ts";
import { EventKinds, EventPage, EventRow, EventStreamText } from "./responses.ts";
import { shownTo } from "./shown.ts";
import { streamOf } from "./stream.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:events", touches: "properties" } as const;
const RETRY_AFTER_S = 5;

/** 429 for too many open calls. */
function noPlace(limit: number): Refusal {
  const detail = { policy: "open_calls", limit };
  return refuse("rate_limited", detail, { retry_after: RETRY_AFTER_S });
}

/**
 * The page, as soon as it has an event or the time is up, limited to the caller's rights at that
 * time.
 */
async function awaited(call: Call, asked: EventsAsked, waitMs: number): Promise<Success | Refusal> {
  const { replica, listeners } = call.context;
  const { query, request } = call;
  const untilMs = performance.now() + waitMs;
  let { principal } = call;
  let found = await readEvents(replica, asked);
  const isNew = () => headSeqOf(replica, asked.realm) > found.lastSeq;
  while (found.items.length === 0 && !listeners.isEnding && !request.signal.aborted) {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) break;
    await listeners.until(isNew, leftMs, request.signal);
    const known = await admittedStill(call);
    if (!known.ok) return known;
    principal = known.principal;
    const filter = filterOf({ query, principal });
    found = await readEvents(replica, { ...asked, filter, afterSeq: found.lastSeq });
  }
  return pageOf({ ...call, principal }, asked, found);
}

function pageOf(call: Call, asked: EventsAsked, { items, lastSeq }: FoundEvents): Success {
  const { context, principal, query, may } = call;
  const next = new URLSearchParams({ after_seq: String(lastSeq) });
  for (const name of ["kinds", "subject", "limit", "format"]) {
    const value = query.get(name);
    if (value !== undefined) next.set(name, value);
  }
  const data = {
    items: shownTo(principal, context, items, asked.afterSeq),
    last_seq: lastSeq,
    head_seq: headSeqOf(context.replica, asked.realm),
    journal_id: context.historyId,
  };
  const actions = [action("get", "GET", `/v1/admin/events?${next}`)];
  return { ok: true, data, actions: permitted(actions, may) };
}

async function pull(call: Call): Promise<Success | Refusal> {
  const asked = askedOf(call);
  const waitMs = Number(call.query.get("wait_s") ?? 0) * 1_000;
  if (waitMs === 0) return pageOf(call, asked, await readEvents(call.context.replica, asked));
  const leave = call.context.listeners.enter(call.principal);
  if (typeof leave === "number") return noPlace(leave);
  try {
    return await awaited(call, asked, waitMs);
  } finally {
    leave();
  }
}

function follow(call: Call): Verbatim | Refusal {
  const afterSeq = streamStart(call);
  if (typeof afterSeq !== "number") return afterSeq;
  const leave = call.context.listeners.enter(call.principal);
  if (typeof leave === "number") return noPlace(leave);
  return streamOf(call, { ...askedOf(call), afterSeq }, leave);
}

function isFollowing({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/event-stream") ?? false;
}

function kinds({ context }: Call): Success {
  const items = [...SCHEMAS].map(([kind, schema]) => ({
    kind,
    meaning: KINDS[kind].meaning,
    subject_type: KINDS[kind].subject,
    schema: plainSchema(schema),
    example: EVENT_EXAMPLES[kind],
    docs_url: `${context.config.docsUrl}/events/${kind}`,
  }));
  return { ok: true, data: { items } };
}

export const eventRoutes = [
  route({
    id: "list_events",
    tag: "Events",
    method: "GET",
    path: "/v1/admin/events",
    summary: "Pull or follow the tenant's events",
    description:
      "The events after `after_seq` in order: always the same, and the same that webhooks " +
      "deliver. Without a filter `seq` has no gaps; with one, `prev_seq` is the previous event " +
      "in this list, and `after_seq` for the first: compare it with the last event received to " +
      "detect gaps. Continue with `last_seq`, also after an empty page. With `Accept: " +
      "text/event-stream` the events are streamed as they happen; `Last-Event-ID` resumes a " +
      "stream. Guest data needs a credential with the scope `bookings:read`. A credential of " +
      "some properties sees only their events.",
    access: ACCESS,
    query: { ...QUERY, format: FORMAT },
    readsReplica: true,
    renderer: "negotiated",
    success: {
      status: 200,
      description: "Events, oldest first.",
      data: EventPage,
      rows: EventRow,
      alternatives: { "text/event-stream": EventStreamText, ...AS_TABLE },
    },
    errors: ["upstream_unavailable"],
    handle: (call) => (isFollowing(call.request) ? follow(call) : pull(call)),
  }),
  route({
    id: "list_event_kinds",
    tag: "Events",
    method: "GET",
    path: "/v1/admin/events/kinds",
    summary: "List the kinds of events",
    description: "Each with its meaning, its JSON Schema and an example.",
    access: { ...ACCESS, touches: "nothing" },
    success: { status: 200, description: "Every kind.", data: EventKinds },
    errors: [],
    handle: kinds,
  }),
];
