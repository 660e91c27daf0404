/** `GET /v1/admin/availability/explain`: why a stay can or cannot be sold now. */
import { restrictionOn } from "../../../engine/core/availability/availability.ts";
import { explain } from "../../../engine/core/availability/explain.ts";
import { dateOf, todayIn } from "../../../engine/core/calendar.ts";
import type { QuoteRequest } from "../../../engine/core/price/quote.ts";
import { planCells, roomCell } from "../../../engine/core/properties/cells.ts";
import { quoteBody } from "../../actions/call-parts.ts";
import { permitted, post } from "../../actions/next-action.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { PROPERTY_ADMIN } from "../properties/parameters.ts";
import { type AskedStay, askedStay, EXPLAIN_QUERY } from "./query.ts";
import { StayExplanation } from "./responses.ts";
import { wordsOf } from "./words.ts";

function show(call: Call): Success | Refusal {
  const asked = askedStay(call);
  if (!asked.ok) return asked;
  const { offer, agent } = asked;
  const { property, plan } = offer;
  // No agent has an empty id, so only ceilings of all agents count.
  const today = todayIn(property.tree.timezone, call.context.timeIn(call.principal));
  const query = { ...asked, agentId: agent?.agent_id ?? "", todayDay: today };
  const { sellable, totals, discount, alternatives, checks } = explain(offer, query);
  const ofAgent = agentCheck(asked);
  const described = checks.map((each) => ({ ...each, words: wordsOf(each, offer, today) }));
  const isSellable = sellable > 0 && (ofAgent?.passed ?? true);
  const request = requestOf(asked);
  const data = {
    ...request,
    agent_id: agent?.agent_id ?? null,
    is_sellable: isSellable,
    sellable: isSellable ? sellable : 0,
    checks: ofAgent ? [ofAgent, ...described] : described,
    nights: nightsOf(asked),
    price: totals && {
      ...{ currency: plan.currency, ...totals },
      discount: discount && { code: discount.code, label: discount.label },
    },
    alternatives,
  };
  const ready = sellable > 0 ? [request] : alternatives.map(({ quote }) => quote);
  const actions = ready.map((each) => post("quote", "/v1/quotes", quoteBody(each)));
  return { ok: true, data, actions: permitted(actions, call.may) };
}

function requestOf({ offer, checkInDay, nights, party }: AskedStay): QuoteRequest {
  return {
    hotel_id: offer.property.tree.id,
    room_type_id: offer.roomType.id,
    rate_plan_id: offer.plan.id,
    stay: { check_in: dateOf(checkInDay), check_out: dateOf(checkInDay + nights) },
    guests: party,
  };
}

/** Whether the agent has access to the property; no check without an agent. */
function agentCheck({ agent, offer }: AskedStay) {
  if (!agent) return null;
  const { state, property_ids } = agent;
  const isActive = state === "active";
  const isOwn = property_ids === null || property_ids.includes(offer.property.tree.id);
  const found = isActive ? "has no access to this property" : `is ${state}`;
  const passed = isActive && isOwn;
  const words = passed ? "The agent may sell here." : `The agent ${found}.`;
  return { check: "agent", passed, words, blocking: [] };
}

function nightsOf({ offer, checkInDay, nights, agent }: AskedStay) {
  return planCells(offer, checkInDay, nights).map(({ amount, extra_adult, rate_source }, i) => {
    const day = checkInDay + i;
    const { ceilings, ...cell } = roomCell(offer.roomType, offer.room, day);
    return {
      ...{ date: dateOf(day), ...cell },
      restrictions: restrictionOn(offer, day) ?? {},
      ceilings: ceilings.filter(({ rate_plan_id, agent_id }) => {
        const isOfPlan = rate_plan_id === null || rate_plan_id === offer.plan.id;
        return isOfPlan && (agent_id === null || agent_id === agent?.agent_id);
      }),
      ...{ amount, extra_adult, rate_source },
    };
  });
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
      "`agent_id` explains it for one agent.",
    query: EXPLAIN_QUERY,
    readsReplica: true,
    success: { status: 200, description: "The checks and the nights.", data: StayExplanation },
    errors: [
      ...(["property_not_found", "resource_access_denied", "room_type_not_found"] as const),
      ...(["rate_plan_not_found", "agent_not_found"] as const),
    ],
    handle: show,
  }),
];
