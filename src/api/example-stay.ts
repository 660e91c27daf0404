/** Default stay and party of searches. */
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import { stayBody } from "../actions/bodies.ts";
import type { Call } from "../http/call.ts";

/** One night for two, in two weeks. */
const DAYS_AHEAD = 14;

/** A complete search, to be adapted to the trip. */
export function exampleStayBody({ context }: Call): Record<string, unknown> {
  const day = todayIn("UTC", context.engineNow()) + DAYS_AHEAD;
  const stay = { check_in: dateOf(day), check_out: dateOf(day + 1) };
  return stayBody({ stay, guests: { adults: 2, children: [] } });
}
