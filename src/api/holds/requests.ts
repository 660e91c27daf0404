/** Bodies of `/v1/holds`. */

import { BodyKey, closed } from "../../http/schema/request-parts.ts";
import { AuthorizationId, QuoteId } from "../quotes/requests.ts";

export const HoldBody = closed({
  quote_id: QuoteId,
  authorization_id: AuthorizationId,
  idempotency_key: BodyKey,
});
