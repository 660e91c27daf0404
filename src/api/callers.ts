/** The caller as parameters of engine queries. */
import type { AgentLimits } from "../../engine/core/commands.ts";
import type { Call } from "../http/call.ts";

/** Who may use the booking flow. */
export const BOOKERS = ["agent", "operator", "service"] as const;

/** The two limits that the engine enforces. */
export function agentLimits({ principal }: Call): AgentLimits {
  const { max_open_holds, max_booking_amount } = principal.limits;
  return { max_open_holds, max_booking_amount };
}
