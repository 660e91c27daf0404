/** Bodies of `/v1/holds`. */

import { BodyKey, closed } from "../../http/schema/request-parts.ts";
import { QuoteId } from "../quotes/requests.ts";

export const HoldBody = closed({ quote_id: QuoteId, idempotency_key: BodyKey });
