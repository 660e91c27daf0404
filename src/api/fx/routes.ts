/** `PUT /v1/admin/fx`: exchange rates for display and comparison. */
import { type Static, Type } from "@sinclair/typebox";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, plain } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { documented } from "../../http/schema/annotations.ts";
import { Currency, Instant, named, Seq } from "../../http/schema/answer-parts.ts";
import { BodyKey, CURRENCY_PATTERN, closed, mapOf } from "../../http/schema/request-parts.ts";
import { isCurrency, KnownCurrency } from "../../http/schema/text-formats.ts";
import { type FieldError, json } from "../../http/validate.ts";

const FxRates = named("FxRates", "Exchange rates for display.", {
  base: Currency,
  rates: Type.Record(Type.String(), Type.String(), {
    description: "Units of each currency for one of `base`, as decimal text.",
  }),
  as_of: Instant,
  seq: Seq,
});

/** Decimal text, because a binary fraction would change the rate. */
const Rate = Type.String({
  pattern: "^(?!0+(\\.0+)?$)\\d{1,12}(\\.\\d{1,12})?$",
  description: "a decimal number above zero as text, at most 12 digits on each side",
});

/** `PUT /v1/admin/fx`: units of each currency for one unit of `base`. */
export const FxBody = closed({
  base: KnownCurrency,
  rates: documented(mapOf(CURRENCY_PATTERN, Rate), "Units of each currency for one of `base`."),
  idempotency_key: BodyKey,
});
type FxRequest = Static<typeof FxBody>;

/** Errors of a checked table: rates of unknown currencies. */
function fxProblems({ rates }: Pick<FxRequest, "rates">): FieldError[] {
  const unknown = Object.keys(rates).filter((code) => !isCurrency(code));
  const expected = "a currency of ISO 4217";
  return unknown.map((code) => ({
    path: `/rates/${code}`,
    message: "is not a known currency",
    expected,
  }));
}

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
