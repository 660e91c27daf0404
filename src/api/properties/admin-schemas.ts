/** Small bodies of operators' calls. */
import { type Static, Type } from "@sinclair/typebox";
import {
  BodyKey,
  CURRENCY_PATTERN,
  Currency,
  closed,
  mapOf,
} from "../../http/schema/request-parts.ts";
import { compile } from "../../http/validate.ts";

/** `POST /v1/admin/properties/{id}/promote`; no body at all is checked as `{}`. */
export const PromoteBody = closed({
  dry_run: Type.Optional(Type.Boolean()),
  idempotency_key: BodyKey,
});
export type PromoteRequest = Static<typeof PromoteBody>;

/** Decimal text, because a binary fraction would change the rate that was meant. */
const Rate = Type.String({
  pattern: "^(?!0+(\\.0+)?$)\\d{1,12}(\\.\\d{1,12})?$",
  description: "a decimal number above zero as text, at most 12 digits on each side",
});

/** `PUT /v1/admin/fx`: units of each currency for one unit of `base`. */
export const FxBody = closed({
  base: Currency,
  rates: mapOf(CURRENCY_PATTERN, Rate),
  idempotency_key: BodyKey,
});
export type FxRequest = Static<typeof FxBody>;

export const checkPromote = compile(PromoteBody);
export const checkFx = compile(FxBody);
