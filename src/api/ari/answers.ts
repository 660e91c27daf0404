/** What an update of rates and availability comes to. */

import { Type } from "@sinclair/typebox";
import { named, orNull, Seq, Uuid } from "../../http/schema/answer-parts.ts";

const Count = Type.Integer({ minimum: 0 });

export const AriApplied = named("AriApplied", "How many ranges of each list were applied.", {
  property_id: Uuid,
  applied: Type.Object({
    inventory: Count,
    rates: Count,
    restrictions: Count,
    ceilings: Count,
  }),
  seq: orNull(Seq),
});
