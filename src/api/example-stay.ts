/** What is searched for when nobody has said when and for whom. */
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import { stayBody } from "../actions/bodies.ts";
import type { Call } from "../http/call.ts";

/** One night for two, in two weeks. */
const DAYS_AHEAD = 14;

/** A search that is good as it stands; whoever knows the trip puts its dates and party in. */
export function exampleStayBody({ context }: Call): Record<string, unknown> {
  const day = todayIn("UTC", context.engineNow()) + DAYS_AHEAD;
  const stay = { check_in: dateOf(day), check_out: dateOf(day + 1) };
  return stayBody({ stay, guests: { adults: 2, children: [] } });
}
