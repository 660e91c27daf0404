/** Bodies of `/v1/holds` (spec 4.6). */

import { BodyKey, closed } from "../../http/schema/request-parts.ts";
import { QuoteId } from "../quotes/requests.ts";

export const HoldBody = closed({ quote_id: QuoteId, idempotency_key: BodyKey });
