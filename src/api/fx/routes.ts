/** `PUT /v1/admin/fx` (domain §14): exchange rates for display and comparison. */
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, plain } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { FxBody, type FxRequest, fxProblems } from "./requests.ts";
import { FxRates } from "./responses.ts";

async function set(call: Call<FxRequest>): Promise<Success | Refusal> {
  const errors = fxProblems(call.body);
  if (errors.length > 0) return invalid(errors);
  const { base, rates } = call.body;
  return execute(call, { ...commandMeta(call), type: "SetFxRates", base, rates }, plain("fx"));
}

export const fxRoutes = [
  route({
    id: "admin_set_fx_rates",
    tag: "Supply administration",
    method: "PUT",
    path: "/v1/admin/fx",
    summary: "Set the exchange rates for display",
    description: "Replaces the table. Rates are for display and comparison, never for charging.",
    access: { kinds: ["operator"], scope: "admin:fx", touches: "tenant" },
    key: "accepted",
    body: json(FxBody),
    success: { status: 200, description: "The table.", data: FxRates },
    errors: [],
    handle: set,
  }),
];
