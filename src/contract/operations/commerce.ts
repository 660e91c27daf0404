/** Quotes and holds (spec 4.6, rules §6). */

import { ExtendedHold, Hold, HoldDetail, Quote, ReleasedHold } from "../../api/quotes/answers.ts";
import type { OperationTable } from "../../http/contract.ts";
import { CURRENCY, HOLD_ID } from "./params.ts";

export const commerceOperations: OperationTable = {
  "POST /v1/quotes": {
    id: "quote",
    tag: "Quotes",
    summary: "Freeze price and cancellation terms",
    description:
      "Prices one room for a stay. The quote is a price, not a reservation: hold it before it " +
      "expires. For a stay that cannot be sold now it is still 201; `availability` then says why " +
      "and what could be held instead.",
    query: { currency: CURRENCY },
    success: { status: 201, description: "The quote.", data: Quote, expires: true },
    errors: [
      "property_not_found",
      "resource_access_denied",
      "room_type_not_found",
      "rate_plan_not_found",
      "policy_not_found_for_rate_plan",
      "upstream_unavailable",
    ],
  },
  "POST /v1/holds": {
    id: "hold",
    tag: "Holds",
    summary: "Hold the room of a quote",
    description:
      "Takes all nights out of sale, or none. Reuse the same `Idempotency-Key` when you retry: " +
      "a second key makes a second hold, which `other_live_holds` then shows.",
    success: { status: 201, description: "The hold.", data: Hold, expires: true },
    errors: [
      "quote_not_found",
      "quote_expired",
      "allocation_failed",
      "allotment_exhausted",
      "property_not_found",
      "room_type_not_found",
      "rate_plan_not_found",
    ],
  },
  "GET /v1/holds/:id": {
    id: "get_hold",
    tag: "Holds",
    summary: "Get a hold",
    description: "Its state, and the payment while a booking is being confirmed.",
    params: { id: HOLD_ID },
    success: { status: 200, description: "The hold.", data: HoldDetail, expires: true },
    errors: ["hold_not_found"],
  },
  "POST /v1/holds/:id/release": {
    id: "release_hold",
    tag: "Holds",
    summary: "Give a hold back",
    description: "The room is on sale again at once. Releasing twice answers the first release.",
    params: { id: HOLD_ID },
    success: { status: 200, description: "The hold is released.", data: ReleasedHold },
    errors: ["hold_not_found", "hold_expired", "hold_not_active"],
  },
  "POST /v1/holds/:id/extend": {
    id: "extend_hold",
    tag: "Holds",
    summary: "Extend a hold",
    description: "Moves `expires_at` by the lifetime of a hold, at most twice.",
    params: { id: HOLD_ID },
    success: { status: 200, description: "The hold.", data: ExtendedHold, expires: true },
    errors: ["hold_not_found", "hold_expired", "hold_not_active", "conflict"],
  },
};
