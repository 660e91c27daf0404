/**
 * Writes to the file of deliveries under a caller's idempotency key. Key and change are in two
 * files: a crash between the two leaves the change without its key, so what would do harm twice
 * also keeps the key itself (`requestKeyOf`).
 */

import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { type ControlOutcome, controlWrite } from "../../http/control-write.ts";
import { isBusy } from "../../lib/store-file.ts";

/** Answers a write to the deliveries: the result of `work`, or the stored one of the same key. */
export function deliveryWrite(call: Call, work: () => Success | Refusal): Promise<ControlOutcome> {
  return controlWrite(call, () => {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      return refuse("upstream_unavailable", { upstream: "delivery_store" });
    }
  });
}
