/** Codes of the catalogue that no call can be refused with yet, and what they wait for. */
import type { RefusalCode } from "../../engine/core/refusals.ts";

type Named = Readonly<Partial<Record<RefusalCode, string>>>;

/** No route declares them. Whoever adds the route takes them out. */
export const UNDECLARED: Named = {};

/** Declared, because the code that answers them is there; nothing leads to it yet. */
export const UNMET: Named = {
  policy_not_found_for_rate_plan:
    "a property on sale has a policy for every plan: promotion asks for it, and no call takes one",
  internal_error: "a bug of ours: nothing that a client or an operator does provokes one",
};
