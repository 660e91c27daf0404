/** Body of `PUT /v1/admin/fx`. */

import { type Static, Type } from "@sinclair/typebox";
import { isCurrency, KnownCurrency } from "../../http/schema/known.ts";
import { BodyKey, CURRENCY_PATTERN, closed, mapOf } from "../../http/schema/request-parts.ts";
import type { FieldError } from "../../http/validate.ts";

/** Decimal text, because a binary fraction would change the rate. */
const Rate = Type.String({
  pattern: "^(?!0+(\\.0+)?$)\\d{1,12}(\\.\\d{1,12})?$",
  description: "a decimal number above zero as text, at most 12 digits on each side",
});

/** `PUT /v1/admin/fx`: units of each currency for one unit of `base`. */
export const FxBody = closed({
  base: KnownCurrency,
  rates: mapOf(CURRENCY_PATTERN, Rate),
  idempotency_key: BodyKey,
});
export type FxRequest = Static<typeof FxBody>;

/** Errors of a checked table: rates of unknown currencies. */
export function fxProblems({ rates }: Pick<FxRequest, "rates">): FieldError[] {
  const unknown = Object.keys(rates).filter((code) => !isCurrency(code));
  const expected = "a currency of ISO 4217";
  return unknown.map((code) => ({
    path: `/rates/${code}`,
    message: "is not a known currency",
    expected,
  }));
}
