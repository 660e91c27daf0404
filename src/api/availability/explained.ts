/** The explanation of a stay in a state, of now or of then: checks in words, nights and price. */
import { restrictionOn } from "../../../engine/core/availability/availability.ts";
import { explain } from "../../../engine/core/availability/explain.ts";
import { dateOf, todayIn } from "../../../engine/core/calendar.ts";
import { planCells, roomCell } from "../../../engine/core/properties/cells.ts";
import type { AskedStay } from "./query.ts";
import { wordsOf } from "./words.ts";

/** `data` of a stay at `nowMs`, epoch milliseconds; without the agent's access. */
export function explained(asked: AskedStay, nowMs: number) {
  const { offer, checkInDay, nights, party, agent_id } = asked;
  const { property, roomType, plan } = offer;
  // No agent has an empty id, so only ceilings of all agents count.
  const todayDay = todayIn(property.tree.timezone, nowMs);
  const query = { checkInDay, nights, party, agentId: agent_id ?? "", todayDay };
  const { sellable, totals, discount, alternatives, checks } = explain(offer, query);
  return {
    hotel_id: property.tree.id,
    room_type_id: roomType.id,
    rate_plan_id: plan.id,
    stay: { check_in: dateOf(checkInDay), check_out: dateOf(checkInDay + nights) },
    guests: party,
    agent_id,
    is_sellable: sellable > 0,
    sellable,
    checks: checks.map((each) => ({ ...each, words: wordsOf(each, offer, todayDay) })),
    nights: nightsOf(asked),
    price: totals && {
      ...{ currency: plan.currency, ...totals },
      discount: discount && { code: discount.code, label: discount.label },
    },
    alternatives,
  };
}

export type Explained = ReturnType<typeof explained>;

function nightsOf({ offer, checkInDay, nights, agent_id }: AskedStay) {
  return planCells(offer, checkInDay, nights).map(({ amount, extra_adult, rate_source }, i) => {
    const day = checkInDay + i;
    const { ceilings, ...cell } = roomCell(offer.roomType, offer.room, day);
    return {
      ...{ date: dateOf(day), ...cell },
      restrictions: restrictionOn(offer, day) ?? {},
      ceilings: ceilings.filter(({ rate_plan_id, agent_id: of }) => {
        const isOfPlan = rate_plan_id === null || rate_plan_id === offer.plan.id;
        return isOfPlan && (of === null || of === agent_id);
      }),
      ...{ amount, extra_adult, rate_source },
    };
  });
}
