/** Body of `PUT /v1/admin/fx`. */

import { Type } from "@sinclair/typebox";
import {
  BodyKey,
  CURRENCY_PATTERN,
  Currency,
  closed,
  mapOf,
} from "../../http/schema/request-parts.ts";

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
