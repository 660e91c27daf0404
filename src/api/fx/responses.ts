/** The exchange rates. */

import { Type } from "@sinclair/typebox";
import { Currency, Instant, named, Seq } from "../../http/schema/answer-parts.ts";

export const FxRates = named("FxRates", "Exchange rates for display.", {
  base: Currency,
  rates: Type.Record(Type.String(), Type.String(), {
    description: "Units of each currency for one of `base`, as decimal text.",
  }),
  as_of: Instant,
  seq: Seq,
});
