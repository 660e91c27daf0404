/** `GET /v1/admin/availability/explain`: why a stay can or cannot be sold, now or then. */
import { dateOf, dayOf } from "../../../engine/core/calendar.ts";
import type { QuoteRequest } from "../../../engine/core/price/quote.ts";
import { type Agent, findAgent } from "../../access/control/agents.ts";
import { quoteBody } from "../../actions/call-parts.ts";
import { action, permitted, post } from "../../actions/next-action.ts";
import { invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { answerPast, PastFolding } from "../past.ts";
import { PROPERTY_ADMIN } from "../properties/parameters.ts";
import { stayFaults, stayIn } from "../stay-query.ts";
import { propertyOf } from "../visible.ts";
import { type Explained, explained } from "./explained.ts";
import { askedStay, EXPLAIN_QUERY } from "./query.ts";
import { StayExplanation } from "./responses.ts";

async function show(call: Call): Promise<Success | Refusal> {
  const { query, context, principal, may } = call;
  const faults = stayFaults(stayIn(query));
  if (faults.length > 0) return invalid(faults);
  const property = propertyOf(call, query.get("property")!);
  if ("code" in property) return property;
  const agent_id = query.get("agent_id");
  const agent = agent_id === undefined ? null : findAgent(context.store, principal, agent_id);
  if (agent_id !== undefined && !agent) return refuse("agent_not_found", { agent_id });
  const property_id = property.tree.id;
  const as_of = query.get("as_of");
  if (as_of !== undefined) {
    const of = { computes: "explanation", property_id, as_of } as const;
    return answerPast(call, of, (then: Explained, moment) => {
      const actions = permitted(nightsThen(then, as_of), may);
      return { ok: true, data: { ...then, as_of: moment }, actions } as const;
    });
  }
  const asked = askedStay(query, property);
  if (!asked.ok) return asked;
  const data = explained(asked, context.timeIn(principal));
  const others = data.alternatives.map(({ quote }) => quote);
  const ready: readonly QuoteRequest[] = data.sellable > 0 ? [data] : others;
  const actions = ready.map((each) => post("quote", "/v1/quotes", quoteBody(each)));
  return { ok: true, data: agent ? ofAgent(data, agent) : data, actions: permitted(actions, may) };
}

/** With the check whether the agent has access to the property now. */
function ofAgent(data: Explained, { state, property_ids }: Agent) {
  const isActive = state === "active";
  const isOwn = property_ids === null || property_ids.includes(data.hotel_id);
  const found = isActive ? "has no access to this property" : `is ${state}`;
  const passed = isActive && isOwn;
  const words = passed ? "The agent may sell here." : `The agent ${found}.`;
  return {
    ...data,
    is_sellable: passed && data.is_sellable,
    sellable: passed ? data.sellable : 0,
    checks: [{ check: "agent", passed, words, blocking: [] }, ...data.checks],
  };
}

/** The nights as they were, with who changed them; not for dates that no night is kept of. */
function nightsThen({ hotel_id, room_type_id, stay, checks }: Explained, as_of: string) {
  if (checks.some(({ check, passed }) => check === "dates" && !passed)) return [];
  const to = dateOf(dayOf(stay.check_out) - 1);
  const query = new URLSearchParams({ from: stay.check_in, to, room_type: room_type_id, as_of });
  return [action("get", "GET", `/v1/admin/properties/${hotel_id}/ari?${query}`)];
}

export const availabilityRoutes = [
  route({
    ...PROPERTY_ADMIN,
    id: "admin_explain_availability",
    method: "GET",
    path: "/v1/admin/availability/explain",
    summary: "Explain why a stay can or cannot be sold",
    description:
      "Every check in the order of quotes and holds, passed or not, in words, with every night " +
      "of the stay, its price, and if it cannot be sold, alternatives as ready quotes. " +
      "`agent_id` explains it for one agent. `as_of` explains it as it was, by the property's tree " +
      "and the day of that time; 202 with `retry` while the journal is read again. The access of " +
      "agents then is not known: there is no check of it, and no quote of the past is offered.",
    query: EXPLAIN_QUERY,
    readsReplica: true,
    success: {
      status: 200,
      description: "The checks and the nights.",
      data: StayExplanation,
      later: PastFolding,
    },
    errors: [
      ...(["property_not_found", "resource_access_denied", "room_type_not_found"] as const),
      ...(["rate_plan_not_found", "agent_not_found"] as const),
    ],
    handle: show,
  }),
];
