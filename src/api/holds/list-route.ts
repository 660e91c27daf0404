/** `GET /v1/holds`: the caller's open holds, each with its release. */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Hold } from "../../../engine/core/records.ts";
import { type Offer, offered, post } from "../../actions/next-action.ts";
import type { Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { BOOKERS } from "../callers.ts";
import { wordParameter } from "../parameters.ts";
import { exampleStayBody } from "../stays.ts";
import { ownHoldsOf } from "../visible.ts";
import { releaseOf } from "./actions.ts";
import { OwnHolds } from "./responses.ts";

const STATES = ["held", "confirming"] as const;

function list(call: Call): Success {
  const { query, context, principal, may } = call;
  const state = query.get("state");
  const holds = ownHoldsOf(call).filter((hold) => state === undefined || hold.state === state);
  const nowMs = context.timeIn(principal);
  const releases = holds
    .filter((hold) => hold.state === "held")
    .map((hold): Offer => ["release_hold", releaseOf(hold.hold_id, nowMs)]);
  const search: Offer = ["search", post("search", "/v1/search", exampleStayBody(call))];
  const next = holds.length > 0 ? releases : [search];
  return { ok: true, data: { items: holds.map(holdOut) }, actions: offered(next, may) };
}

function holdOut({ hold_id, state, expires_at, created_at, quote }: Hold) {
  const { quote_id, property_id, room_type_id, rate_plan_id, stay, guests } = quote;
  return {
    ...{ hold_id, quote_id, state, expires_at: instantIso(expires_at) },
    ...{ property_id, room_type_id, rate_plan_id, stay, guests },
    total: { amount: quote.total, currency: quote.currency },
    created_at: instantIso(created_at),
    href: `/v1/holds/${hold_id}`,
  };
}

export const holdListRoutes = [
  route({
    id: "list_holds",
    tag: "Holds",
    method: "GET",
    path: "/v1/holds",
    summary: "List your open holds",
    description:
      "All active holds of the credential's own agent, newest first, and in `next_actions` a " +
      "release for each `held` one. Read an ended hold by its id.",
    access: { kinds: BOOKERS, scope: "holds", touches: "properties" },
    query: { state: wordParameter(STATES, "Only holds in this state.") },
    readsReplica: true,
    success: { status: 200, description: "The holds.", data: OwnHolds },
    errors: [],
    tool: {
      title: "List your holds",
      description: "Your open holds, each with a release. Use it when max_open_holds is reached.",
      tags: ["hold"],
      nextRel: "release",
      example: {},
    },
    handle: list,
  }),
];
